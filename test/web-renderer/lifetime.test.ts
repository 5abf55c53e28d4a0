import test from "ava";
import { Stage } from "../../testbed/browser/library-stage.ts";
import { LIBRARY_VERSION } from "../../web-renderer/version.ts";

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

test.serial(
  "the page repeats its hello after growing pauses, and at once when the sportsbook reports that it listens",
  async (t) => {
    const late = stage
      .framePage()
      .replace(
        /<script.*<\/script>/,
        "<script>window.hellos = []; addEventListener('message', ({ data }) => hellos.push(data));</script>",
      );
    stage.shown.set("sportsbook /late/", { html: late });
    const visit = await stage.visit("/", { clock: true });
    await visit.initialize({ url: `${stage.sportsbook}/late`, layout: "tile" });
    const frame = await visit.sportsbook();
    const hellos = () => frame.evaluate(() => (window as unknown as { hellos: object[] }).hellos);
    const arrived = (count: number) =>
      frame.waitForFunction((count) => (window as unknown as { hellos: object[] }).hellos.length === count, count);
    await arrived(1);
    // The library sends the second hello only after the address has answered a request.
    await visit.page.clock.runFor(250);
    await arrived(2);
    for (let pause = 500; pause <= 2_250; pause += 250) {
      await visit.page.clock.runFor(pause - 1);
      const before = (await hellos()).length;
      await visit.page.clock.runFor(1);
      await arrived(before + 1);
    }
    await arrived(10);
    t.deepEqual(new Set((await hellos()).map((hello) => JSON.stringify(hello))).size, 1);
    t.deepEqual((await hellos())[0], {
      ns: "sb",
      v: 1,
      kind: "handshake",
      name: "hello",
      id: "1",
      payload: { version: LIBRARY_VERSION },
    });
    await frame.evaluate(() => import("/testbed/browser/page/test-frame.ts" as string));
    await visit.untilAsked("options", { layout: "tile" });
    await visit.started();
    await visit.page.clock.runFor(16_000);
    t.is((await hellos()).filter((message) => JSON.stringify(message).includes("hello")).length, 11);
    t.deepEqual(await visit.called("onError"), [
      [{ code: "NO_ANSWER", message: `NO_ANSWER: no sportsbook from ${stage.sportsbook}` }],
    ]);
    await visit.close();
  },
);

test.serial("after any five calls of kill and initialize, only the last call has an effect", async (t) => {
  const visit = await stage.visit();
  const wrong = await visit.page.evaluate(() => {
    const renderer = new window.SBRenderer();
    // Frames outside of the document load nothing, so the test is fast.
    const targets = [document.createElement("div"), document.createElement("div")];
    const wrong: string[] = [];
    for (let code = 0; code < 3 ** 5; code++) {
      const sequence = Array.from({ length: 5 }, (_, i) => Math.floor(code / 3 ** i) % 3);
      for (const step of sequence) {
        const target = targets[step];
        if (target === undefined) renderer.kill();
        else renderer.initialize({ target, brand_id: `brand-${step}` });
      }
      const left = targets.map((target) =>
        [...target.querySelectorAll("iframe")].map((iframe) => new URL(iframe.src).search).join(),
      );
      const expected = [0, 1].map((i) => (sequence[4] === i ? `?brand=brand-${i}` : ""));
      if (left.join(";") !== expected.join(";")) wrong.push(`${sequence}: ${left}`);
    }
    return wrong;
  });
  t.deepEqual(wrong, []);
  await visit.close();
});

test.serial("kill and initialize may be called during a handshake, in a callback, and twice", async (t) => {
  const visit = await stage.visit();
  await visit.page.evaluate(() => {
    const renderer = new window.SBRenderer();
    window.renderer = renderer;
    const initialize = (id: string): void =>
      renderer.initialize({
        target: document.getElementById(id) as HTMLElement,
        brand_id: "luna",
        ...window.callbacks,
      });
    renderer.kill();
    initialize("target");
    renderer.kill();
    renderer.kill();
    initialize("target");
    initialize("other");
  });
  await visit.started();
  t.deepEqual(
    await visit.page.evaluate(() => [...document.querySelectorAll("iframe")].map((iframe) => iframe.parentElement?.id)),
    ["other"],
  );
  await visit.untilCalled("onAppInitialized");
  t.is((await visit.called("onAppInitialized")).length, 1);
  // In the middle of a handshake, from inside a callback, and after it.
  await visit.page.evaluate(() => (window.callbacks.onAppInitialized = () => window.renderer.kill()));
  await visit.initialize();
  await visit.page.waitForFunction(() => document.querySelector("iframe") === null);
  await visit.initialize();
  await visit.page.waitForSelector("iframe", { state: "attached" });
  await visit.page.evaluate(() => window.renderer.kill());
  t.is(await visit.page.locator("iframe").count(), 0);
  t.deepEqual(visit.console, []);
  await visit.close();
});

test.serial("a thousand kills and initializes leave no node, document or listener", async (t) => {
  const visit = await stage.visit();
  const cdp = await visit.page.context().newCDPSession(visit.page);
  const counters = async () => {
    await cdp.send("HeapProfiler.collectGarbage");
    return cdp.send("Memory.getDOMCounters");
  };
  await visit.initialize();
  await visit.started();
  await visit.page.evaluate(() => window.renderer.kill());
  const before = await counters();
  await visit.page.evaluate(async () => {
    const target = document.getElementById("target") as HTMLElement;
    const elsewhere = document.createElement("div");
    for (let i = 0; i < 1_000; i++) {
      // A browser needs long to open a frame. So of a hundred frames one is loaded, and three are removed while they
      // load.
      window.renderer.initialize({ target: i % 25 === 0 ? target : elsewhere, brand_id: "luna", ...window.callbacks });
      if (i % 100 === 0)
        await new Promise((resolve) => target.querySelector("iframe")?.addEventListener("load", resolve));
      // Half of the frames are removed with kill(). The next `initialize` replaces the others.
      if (i % 2 === 0) window.renderer.kill();
    }
    window.renderer.kill();
  });
  for (let i = 0; ; i++) {
    const after = await counters();
    const more = {
      documents: after.documents - before.documents,
      nodes: after.nodes - before.nodes,
      listeners: after.jsEventListeners - before.jsEventListeners,
    };
    // The browser may not yet have freed the last few frames.
    if (more.documents <= 2 && more.nodes <= 20 && more.listeners <= 4) return t.pass();
    if (i === 300) return t.fail(JSON.stringify(more));
    await visit.page.waitForTimeout(100);
  }
});

test.serial(
  "an iframe that is moved loads again, and continues with the options and the route that it had",
  async (t) => {
    const visit = await stage.visit();
    await visit.initialize({ layout: "tile", path: "/start" });
    let frame = await visit.started();
    await frame.evaluate(() => window.sportsbook.page.send("routeChange", { path: "/football" }));
    await visit.untilCalled("onRouteChange");
    await visit.page.evaluate(() => {
      window.renderer.updateOptions({ themeName: "navy-light" });
      document.getElementById("other")?.append(document.querySelector("iframe") as HTMLIFrameElement);
    });
    await visit.untilCalled("onAppInitialized", 2);
    frame = await visit.started();
    t.deepEqual(await frame.evaluate(() => window.sportsbook.calls.slice(0, 2)), [
      ["options", { themeName: "navy-light", layout: "tile" }],
      ["navigate", "/football"],
    ]);
    await visit.close();
  },
);

test.serial(
  "if the sportsbook is opened directly, it works at once and removes the jwt from its address",
  async (t) => {
    const visit = await stage.visit();
    await visit.page.goto(`${stage.sportsbook}/pt/?jwt=jwt-direct&brand=luna#live`);
    const frame = visit.page.mainFrame();
    await frame.waitForFunction(() => window.sportsbook?.calls.some(([name]) => name === "started"));
    t.is(visit.page.url(), `${stage.sportsbook}/pt/?brand=luna#live`);
    t.deepEqual(await frame.evaluate(() => window.sportsbook.calls), [
      ["signIn", "jwt-direct"],
      ["session", "session of jwt-direct"],
      ["started", "alone"],
    ]);
    stage.expireSessions();
    t.is(await frame.evaluate(() => window.sportsbook.balance()), null);
    await visit.close();
  },
);

test.serial(
  "in a page without the library, a launch_url works at once; at any other address the sportsbook opens as for a visitor after two seconds",
  async (t) => {
    const visit = await stage.visit("/", { clock: true });
    const show = (address: string) =>
      visit.page.evaluate(
        (src) => (document.body.innerHTML = `<iframe src="${src}"></iframe>`),
        `${stage.sportsbook}${address}`,
      );
    await show("/?jwt=jwt-framed&brand=luna");
    let frame = await visit.started();
    t.deepEqual(await visit.asked("session"), ["session of jwt-framed"]);
    t.true(frame.url().endsWith("/?brand=luna"));
    await show("/?brand=luna");
    frame = await visit.sportsbook();
    await frame.waitForFunction(() => document.readyState === "complete" && window.sportsbook !== undefined);
    t.deepEqual(await visit.asked("started"), []);
    await visit.page.clock.runFor(2_100);
    await visit.started();
    t.deepEqual(await visit.asked("session"), [null]);
    t.deepEqual(await visit.asked("started"), ["alone"]);
    await visit.close();
  },
);
