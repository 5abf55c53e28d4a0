import { readdirSync, readFileSync } from "node:fs";
import test, { type ExecutionContext } from "ava";
import fc from "fast-check";
import type { Frame } from "playwright-core";
import { Stage, type Visit } from "../../testbed/browser/library-stage.ts";
import { MESSAGE_CHARS_MAX, readEnvelope } from "../../web-renderer/protocol.ts";
import { readEvent } from "../../web-renderer/read-event.ts";

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

/**
 * Sends 2 000 messages from a frame to `target`, and waits until the merchant's page has received all. The messages
 * look correct, nearly correct or random.
 */
async function forge(visit: Visit, frame: Frame, target: "parent" | "opener" | "self" | "top"): Promise<void> {
  await visit.page.evaluate(() => {
    const arrived = new Promise<void>((resolve) => {
      addEventListener("message", ({ data }) => data === "that was all" && resolve());
    });
    Object.assign(window, { arrived });
  });
  await frame.evaluate((target) => {
    const to = window[target] as Window;
    const names = [
      "appInitialized",
      "login",
      "register",
      "recharge",
      "routeChange",
      "betslipChanged",
      "betPlaced",
      "balanceChange",
      "tokenExpired",
      "ready",
    ];
    const payloads = [
      undefined,
      { path: "/forged" },
      { count: 1 },
      { betIds: ["forged"], stake: 1 },
      { amount: 1, currency: "BRL" },
      { capabilities: ["options"] },
      null,
      7,
    ];
    const kinds = ["event", "handshake", "command", "reply"];
    // The first messages follow the protocol, because the limit may discard later messages.
    const tell = (kind: string, name: string, id?: string) =>
      to.postMessage({ ns: "sb", v: 1, kind, name, id, payload: { capabilities: ["options"] } }, "*");
    for (let id = 1; id <= 5; id++) tell("handshake", "ready", String(id));
    for (const name of ["login", "appInitialized"]) tell("event", name);
    let seed = 42;
    const pick = <T>(from: readonly T[]): T =>
      from[(seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % from.length] as T;
    for (let i = 0; i < 2_000; i++) {
      const message = {
        ns: pick(["sb", "sb", "SB"]),
        v: pick([1, 1, 2, "1"]),
        kind: pick(kinds),
        name: pick(names),
        id: pick(["1", "2", undefined, 1]),
        payload: pick(payloads),
      };
      to.postMessage(i % 50 === 0 ? JSON.stringify(message) : message, "*");
    }
    to.postMessage("that was all", "*");
  }, target);
  await visit.page.evaluate(() => (window as unknown as { arrived: Promise<void> }).arrived);
}

/** Checks that the merchant received only the messages of the true sportsbook. */
async function unmoved(t: ExecutionContext, visit: Visit, who: string): Promise<void> {
  const frame = await visit.sportsbook();
  const before = (await visit.called("onLogin")).length;
  await frame.evaluate(() => window.sportsbook.page.send("login"));
  await visit.untilCalled("onLogin", before + 1);
  t.deepEqual(
    await visit.page.evaluate(() => window.called.filter(([name]) => name !== "onLogin")),
    [["onAppInitialized"]],
    who,
  );
  t.is((await visit.called("onLogin")).length, before + 1, who);
}

test.serial("the page accepts a message only from the sportsbook's own window and origin", async (t) => {
  stage.shown.set("sportsbook /nest/", {
    html: `${stage.framePage()}<iframe id="nested" src="${stage.evil}/nested"></iframe>`,
  });
  stage.shown.set("sportsbook /sibling", { html: "<!doctype html><title>Same origin, another window</title>" });
  const visit = await stage.visit();
  await visit.initialize({ url: `${stage.sportsbook}/nest` });
  await visit.started();
  await visit.untilCalled("onAppInitialized");

  await forge(visit, visit.page.mainFrame(), "self");
  await unmoved(t, visit, "the page itself");

  await visit.page.evaluate(
    ([evil, sportsbook]) => {
      for (const [id, src] of [
        ["evil", `${evil}/sibling`],
        ["same", `${sportsbook}/sibling`],
      ] as const) {
        const iframe = document.createElement("iframe");
        iframe.id = id;
        iframe.src = src;
        document.body.append(iframe);
      }
      const sandboxed = document.createElement("iframe");
      sandboxed.id = "null";
      sandboxed.setAttribute("sandbox", "allow-scripts");
      sandboxed.src = `${sportsbook}/sibling`;
      document.body.append(sandboxed);
    },
    [stage.evil, stage.sportsbook] as const,
  );
  for (const id of ["evil", "same", "null"]) {
    const frame = await (await visit.page.waitForSelector(`iframe#${id}`)).contentFrame();
    await frame?.waitForLoadState();
    await forge(visit, frame as Frame, "parent");
    await unmoved(t, visit, `a sibling frame: ${id}`);
  }

  const nested = await (
    await (await visit.sportsbook()).waitForSelector("#nested", { state: "attached" })
  ).contentFrame();
  await nested?.waitForLoadState();
  await forge(visit, nested as Frame, "top");
  await unmoved(t, visit, "a frame inside the sportsbook");

  for (const origin of [stage.evil, stage.sportsbook]) {
    const [popup] = await Promise.all([
      visit.page.waitForEvent("popup"),
      visit.page.evaluate((url) => void open(`${url}/sibling`), origin),
    ]);
    await popup.waitForLoadState();
    await forge(visit, popup.mainFrame(), "opener");
    await unmoved(t, visit, `a popup: ${origin}`);
  }
  t.false(visit.console.some((line) => line.startsWith("uncaught")));
  await visit.close();
});

test.serial(
  "the sportsbook accepts messages only from its parent, not from other windows of the merchant",
  async (t) => {
    const visit = await stage.visit();
    stage.shown.set("merchant /other", { html: "<!doctype html><title>Another page of the merchant</title>" });
    await visit.initialize();
    await visit.started();
    await visit.page.evaluate(
      (sources) => {
        for (const src of sources) document.body.appendChild(document.createElement("iframe")).src = src;
      },
      ["/other", `${stage.evil}/other`],
    );
    for (const origin of [stage.merchant, stage.evil]) {
      const frame =
        visit.page.frames().find((frame) => frame !== visit.page.mainFrame() && frame.url().startsWith(origin)) ??
        (await visit.page.waitForEvent("framenavigated", (frame) => frame.url().startsWith(origin)));
      await frame.waitForLoadState();
      await frame.evaluate(() => {
        const sportsbook = (window.top as Window).frames[0] as Window;
        sportsbook.postMessage(
          { ns: "sb", v: 1, kind: "handshake", name: "hello", id: "9", payload: { version: "1" } },
          "*",
        );
        sportsbook.postMessage(
          {
            ns: "sb",
            v: 1,
            kind: "command",
            name: "options",
            payload: { token: "jwt-forged", path: "/forged", layout: "tile" },
          },
          "*",
        );
        sportsbook.postMessage({ ns: "sb", v: 1, kind: "command", name: "refreshBalance" }, "*");
      });
    }
    await visit.page.evaluate(() => window.renderer.updateOptions({ layout: "classic" }));
    await visit.untilAsked("options", { layout: "classic" });
    t.deepEqual(await (await visit.sportsbook()).evaluate(() => window.sportsbook.calls), [
      ["session", null],
      ["started", "page"],
      ["options", { layout: "classic" }],
    ]);
    await visit.close();
  },
);

test.serial("a frame that navigates to another site gets no token, before and after the handshake", async (t) => {
  stage.shown.set("sportsbook /away/", { html: "", headers: { location: `${stage.evil}/` } });
  const visit = await stage.visit();
  await visit.initialize({ url: `${stage.sportsbook}/away`, token: "jwt-away" });
  const iframe = await visit.page.waitForSelector("iframe", { state: "attached" });
  let evil = (await iframe.contentFrame()) as Frame;
  await evil.waitForURL((url) => url.origin === stage.evil);
  // The hostile frame sends messages that follow the protocol, to get the token.
  await visit.page.evaluate(() => window.renderer.updateOptions({ token: "jwt-away-2" }));
  await forge(visit, evil, "parent");
  await visit.page.evaluate(() => window.renderer.updateOptions({ token: "jwt-away-3", layout: "tile" }));

  await visit.initialize({ token: "jwt-stays" });
  const frame = await visit.started();
  const moved = visit.page.waitForEvent("framenavigated");
  await frame.evaluate((url) => void location.assign(url), stage.evil);
  await moved;
  evil = (await (await visit.page.waitForSelector("iframe", { state: "attached" })).contentFrame()) as Frame;
  await evil.waitForLoadState();
  await visit.page.evaluate(() => window.renderer.updateOptions({ token: "jwt-stays-2" }));
  await forge(visit, evil, "parent");
  t.deepEqual(await evil.evaluate(() => (window as unknown as { got: unknown[] }).got), []);
  t.deepEqual(await visit.page.evaluate(() => window.called), [["onAppInitialized"]]);
  t.false(stage.requests.some((request) => request.includes("jwt-away") || request.includes("jwt-stays")));
  await visit.close();
});

test.serial(
  "the sportsbook does not answer a page that the brand does not allow, and logs the reason to the console",
  async (t) => {
    const visit = await stage.visit("/", { clock: true });
    await visit.page.goto(`${stage.evil}/`);
    await visit.page.addScriptTag({ url: `${stage.sportsbook}/sb-renderer.min.js` });
    await visit.page.evaluate(() => {
      const target = document.body.appendChild(document.createElement("div"));
      target.style.height = "100px";
      new window.SBRenderer().initialize({ target, brand_id: "luna", token: "jwt-unknown-page", ...window.callbacks });
    });
    const frame = await visit.sportsbook();
    await frame.waitForFunction(() => window.sportsbook !== undefined && document.readyState === "complete");
    await visit.page.clock.runFor(10_500);
    await visit.untilConsole("NO_ANSWER");
    t.deepEqual(await visit.asked("signIn"), []);
    t.deepEqual(await visit.page.evaluate(() => window.called.map(([name]) => name)), ["onError"]);
    t.deepEqual(await visit.page.evaluate(() => (window as unknown as { got: unknown[] }).got), []);
    await visit.close();
  },
);

test.serial("the sportsbook can't navigate the page to another address", async (t) => {
  const visit = await stage.visit();
  await visit.initialize();
  const frame = await visit.started();
  const error = await frame.evaluate((evil) => {
    try {
      (window.top as Window).location.href = evil;
      return "it could";
    } catch (error) {
      return (error as Error).name;
    }
  }, stage.evil);
  t.is(error, "SecurityError");
  t.is(visit.page.url(), `${stage.merchant}/`);
  await visit.close();
});

test.serial(
  "the page accepts 50 messages a second from the sportsbook, and ignores a message over 16 KiB",
  async (t) => {
    const visit = await stage.visit("/", { clock: true });
    await visit.initialize();
    const frame = await visit.started();
    await visit.untilCalled("onAppInitialized");
    await visit.page.clock.runFor(1_000);
    await frame.evaluate((merchant) => {
      const event = (name: string, payload: unknown) =>
        parent.postMessage({ ns: "sb", v: 1, kind: "event", name, payload }, merchant);
      event("betPlaced", { betIds: ["big"], stake: 1, more: "x".repeat(16_384) });
      for (let i = 0; i < 1_000; i++) event("betslipChanged", { count: i });
    }, stage.merchant);
    await visit.untilCalled("onBetslipChanged", 49);
    await visit.page.clock.runFor(1_000);
    await frame.evaluate(() => window.sportsbook.page.send("login"));
    await visit.untilCalled("onLogin");
    t.is((await visit.called("onBetslipChanged")).length, 49);
    t.deepEqual(await visit.called("onBetPlaced"), []);
    // The library's part in the frame limits its own rate, so no message is lost.
    await frame.evaluate(() => {
      for (let i = 0; i < 90; i++) window.sportsbook.page.send("recharge");
    });
    for (let i = 0; i < 5; i++) await visit.page.clock.runFor(1_000);
    await visit.untilCalled("onRecharge", 90);
    await visit.close();
  },
);

test("data that is not a message of the protocol is ignored; a message has the fields that its callback promises", (t) => {
  const names = [
    "ready",
    "login",
    "routeChange",
    "betslipChanged",
    "betPlaced",
    "balanceChange",
    "tokenExpired",
    "constructor",
    "__proto__",
    "hasOwnProperty",
  ];
  const payload = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true }),
    fc.record(
      {
        path: fc.anything(),
        count: fc.anything(),
        betIds: fc.anything(),
        stake: fc.anything(),
        amount: fc.anything(),
        currency: fc.anything(),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...names), payload, (name, payload) => {
      const message = readEnvelope({ ns: "sb", v: 1, kind: "event", name, payload });
      if (message === undefined) return;
      t.true(JSON.stringify(message).length <= MESSAGE_CHARS_MAX);
      const event = readEvent(message.name, message.payload);
      if (event?.name === "betslipChanged")
        t.deepEqual(event.args, [{ count: Math.abs(Math.trunc(event.args[0].count)) }]);
      if (event?.name === "balanceChange")
        t.true(Number.isSafeInteger(event.args[0].amount) && /^[A-Z]{3}$/.test(event.args[0].currency));
      if (event?.name === "betPlaced") t.true(event.args[0].betIds.every((id) => typeof id === "string"));
      if (event?.name === "routeChange") t.true(event.args[0].startsWith("/"));
    }),
    { numRuns: 3_000 },
  );
  const cyclic: Record<string, unknown> = { ns: "sb", v: 1, kind: "event", name: "login" };
  cyclic.payload = cyclic;
  for (const wrong of [
    undefined,
    null,
    "sb",
    1,
    [],
    {},
    cyclic,
    { ns: "sb", v: 1, kind: "event" },
    { ns: "sb", v: 2, kind: "event", name: "login" },
  ]) {
    t.is(readEnvelope(wrong), undefined);
  }
  t.is(readEvent("betPlaced", { betIds: Array(101).fill("x"), stake: 1 }), undefined);
  t.is(readEvent("betPlaced", { betIds: ["x".repeat(129)], stake: 1 }), undefined);
  t.is(readEvent("betPlaced", { betIds: ["x"], stake: 1.5 }), undefined);
  t.is(readEvent("betslipChanged", { count: -1 }), undefined);
  t.is(readEvent("balanceChange", { amount: 1, currency: "<b>" }), undefined);
  t.deepEqual(readEvent("betPlaced", { betIds: ["x"], stake: 1, more: true })?.args, [{ betIds: ["x"], stake: 1 }]);
});

test("no source file of the library uses the target origin *", (t) => {
  const sources = readdirSync("web-renderer", { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.startsWith("build"),
  );
  t.true(sources.length > 10);
  const sending = sources.filter((file) => readFileSync(`web-renderer/${file}`, "utf8").includes("postMessage("));
  t.deepEqual(sending.sort(), ["frame/tell.ts", "mount.ts"]);
  for (const file of sources) t.notRegex(readFileSync(`web-renderer/${file}`, "utf8"), /["'`]\*["'`]/, file);
});
