/**
 * Tests onError and the fallback for each reason why the sportsbook is not shown, and the console's messages in each
 * case.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import test, { type ExecutionContext } from "ava";
import type { Request } from "playwright-core";
import { merchantPage, Stage, type Visit } from "../../testbed/browser/library-stage.ts";

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

/** A frame of the sportsbook's origin that runs this script. */
const frame = (path: string, script: string): string => {
  stage.shown.set(`sportsbook /${path}/`, { html: `<!doctype html><title>Frame</title><script>${script}</script>` });
  return `${stage.sportsbook}/${path}`;
};

/** A frame that answers each hello with a message. */
const answering = (path: string, message: string): string =>
  frame(path, `addEventListener("message", ({ data, origin }) => parent.postMessage(${message}, origin));`);

/** Checks the code and the message that the page gets, and that the console has no message twice. */
async function failed(t: ExecutionContext, visit: Visit, code: string, origin = stage.sportsbook): Promise<void> {
  await visit.untilCalled("onError");
  const message = `${code}: no sportsbook from ${origin}`;
  t.deepEqual(await visit.called("onError"), [[{ code, message }]]);
  t.true(visit.console.includes(`warning: [SBRenderer] ${message}`));
  t.deepEqual(visit.console, [...new Set(visit.console)]);
  t.deepEqual(await visit.called("onAppInitialized"), []);
}

/** Lets `ms` of the page's time pass in small steps. */
async function pass(visit: Visit, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) await visit.page.clock.runFor(250);
}

/**
 * Lets 250 ms of the page's time pass after the iframe's load. The library then sends a request to the address. Waits
 * for the end of this request, because the error's code depends on it.
 */
async function addressAsked(visit: Visit): Promise<void> {
  const isQuestion = (request: Request): boolean => request.resourceType() === "fetch";
  const { page } = visit;
  await page.waitForFunction(() => window.frameLoads > 0);
  const ended = Promise.race([
    page.waitForEvent("requestfinished", isQuestion),
    page.waitForEvent("requestfailed", isQuestion),
  ]);
  await pass(visit, 250);
  await ended;
}

test.serial("NO_ANSWER is reported for a frame that sends nothing, after 10 s and not before", async (t) => {
  const visit = await stage.visit("/", { clock: true });
  await visit.initialize({ url: frame("silent", "") });
  await addressAsked(visit);
  await pass(visit, 9_500);
  t.deepEqual(await visit.called("onError"), []);
  await pass(visit, 500);
  await failed(t, visit, "NO_ANSWER");
  await pass(visit, 20_000);
  t.is((await visit.called("onError")).length, 1);
  await visit.close();
});

test.serial("NO_ANSWER is reported for a sportsbook whose policy allows no frame", async (t) => {
  const html = "<!doctype html><title>Mine</title>";
  stage.shown.set("sportsbook /mine/", { html, headers: { "content-security-policy": "frame-ancestors 'none'" } });
  const visit = await stage.visit("/", { clock: true });
  await visit.initialize({ url: `${stage.sportsbook}/mine` });
  await addressAsked(visit);
  await pass(visit, 20_000);
  await visit.untilCalled("onError");
  t.like((await visit.called("onError"))[0]?.[0], { code: "NO_ANSWER" });
  // One line for each hello, one for the policy and one of the library.
  t.true(visit.console.length <= 13, visit.console.join("\n"));
  await visit.close();
});

test.serial(
  "UNREACHABLE is reported for a sportsbook that is down, one that never answers, and one that an extension blocks",
  async (t) => {
    const deaf = createServer().listen(0, "127.0.0.1");
    await once(deaf, "listening");
    const deafOrigin = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`;
    const down = createServer().listen(0, "127.0.0.1");
    await once(down, "listening");
    const downOrigin = `http://127.0.0.1:${(down.address() as AddressInfo).port}`;
    await new Promise((resolve) => down.close(resolve));
    for (const [origin, isBlocked] of [
      [downOrigin, false],
      [deafOrigin, false],
      [stage.sportsbook, true],
    ] as const) {
      const visit = await stage.visit("/", { clock: true });
      if (isBlocked) await visit.page.route(`${origin}/**`, (route) => route.abort("blockedbyclient"));
      await visit.initialize({ url: origin });
      if (origin !== deafOrigin) await addressAsked(visit);
      await pass(visit, 10_500);
      await failed(t, visit, "UNREACHABLE", origin);
      await visit.close();
    }
    deaf.close();
  },
);

test.serial(
  "BLOCKED_BY_POLICY is reported at once to a page whose frame-src does not allow the sportsbook",
  async (t) => {
    stage.shown.set("merchant /closed", {
      html: merchantPage(stage.sportsbook),
      headers: { "content-security-policy": "frame-src 'self'" },
    });
    const visit = await stage.visit("/closed", { clock: true });
    await visit.initialize();
    await failed(t, visit, "BLOCKED_BY_POLICY");
    await pass(visit, 20_000);
    await failed(t, visit, "BLOCKED_BY_POLICY");
    await visit.close();
  },
);

test.serial(
  "VERSION_MISMATCH is reported for a frame of another version, and a page of another version gets our version",
  async (t) => {
    const visit = await stage.visit("/", { clock: true });
    await visit.initialize({ url: answering("newer", `{ ...data, v: 2, name: "ready" }`) });
    await failed(t, visit, "VERSION_MISMATCH");
    await visit.page.evaluate(() => window.renderer.kill());

    // The library's own frame answers a hello of version 2 in its own version.
    await visit.initialize();
    const sportsbook = await visit.started();
    const heard = visit.page.evaluate(
      () =>
        new Promise((resolve) => addEventListener("message", ({ data }) => data.name === "ready" && resolve(data.v))),
    );
    await visit.page.evaluate(
      (origin) => frames[0]?.postMessage({ ns: "sb", v: 2, kind: "handshake", name: "hello" }, origin),
      stage.sportsbook,
    );
    t.is(await heard, 1);
    t.is((await sportsbook.evaluate(() => window.sportsbook.calls)).at(-1)?.[0], "started");
    await visit.close();
  },
);

test.serial(
  "onError gets the code that the sportsbook sends when it does not open, and no code that contains markup",
  async (t) => {
    stage.shown.set("sportsbook /refusing/", {
      html: `<!doctype html><script type="module">import { refuse } from "/web-renderer/frame.ts"; refuse("BRAND_UNKNOWN");</script>`,
    });
    const visit = await stage.visit("/", { clock: true });
    await visit.initialize({ url: `${stage.sportsbook}/refusing` });
    await failed(t, visit, "BRAND_UNKNOWN");
    await visit.page.evaluate(() => {
      window.renderer.kill();
      window.called.length = 0;
      window.frameLoads = 0;
    });
    await visit.initialize({ url: answering("odd", `{ ...data, kind: "refusal", name: "<b>odd</b>" }`) });
    await addressAsked(visit);
    await pass(visit, 10_500);
    await failed(t, visit, "NO_ANSWER");
    await visit.close();
  },
);

test.serial("the fallback takes the iframe's place, and is removed when the sportsbook answers later", async (t) => {
  const visit = await stage.visit("/", { clock: true });
  await visit.page.evaluate(
    (url) => {
      const fallback = document.createElement("p");
      fallback.textContent = "Back soon";
      window.renderer = new window.SBRenderer();
      window.renderer.initialize({
        target: document.getElementById("target") as HTMLElement,
        brand_id: "luna",
        url,
        ...window.callbacks,
        fallback,
      });
    },
    frame("late", ""),
  );
  await addressAsked(visit);
  await pass(visit, 10_000);
  await visit.page.getByText("Back soon").waitFor();
  t.false(await visit.page.locator("#target iframe").isVisible());
  await (await visit.sportsbook()).evaluate((origin) => {
    document.documentElement.dataset.origins = JSON.stringify([origin]);
    return import("/testbed/browser/page/test-frame.ts" as string);
  }, stage.merchant);
  await visit.untilCalled("onAppInitialized");
  t.true(await visit.page.locator("#target iframe").isVisible());
  t.is(await visit.page.getByText("Back soon").count(), 0);
  await visit.close();
});

test.serial("a fallback may be a function that gets the error; an error that it throws is logged", async (t) => {
  const visit = await stage.visit("/", { clock: true });
  await visit.initialize({ url: answering("no", `{ ...data, kind: "refusal", name: "UNAVAILABLE" }`) });
  const show = async (fallback: string) => {
    await visit.page.evaluate(`window.renderer.kill(); window.called.length = 0; window.renderer.initialize({
      target: document.getElementById("target"), brand_id: "luna", url: "${stage.sportsbook}/no", ...window.callbacks,
      fallback: ${fallback},
    })`);
    await visit.untilCalled("onError");
    return visit.page.locator("#target").innerText();
  };
  t.is(await show("({ code }) => Object.assign(document.createElement('p'), { textContent: code })"), "UNAVAILABLE");
  t.false(await visit.page.locator("#target iframe").isVisible());
  t.is(await show("() => null"), "");
  t.true(await visit.page.locator("#target iframe").isVisible());
  t.is(await show("() => { throw new Error('no fallback') }"), "");
  t.true(visit.console.some((line) => line.startsWith("error: [SBRenderer] fallback failed Error: no fallback")));
  // kill() removes a fallback that is shown.
  await show("() => document.createElement('hr')");
  t.is(await visit.page.locator("#target hr").count(), 1);
  await visit.page.evaluate(() => window.renderer.kill());
  t.is(await visit.page.locator("#target > *").count(), 0);
  await visit.close();
});

test.serial("a kill, or a new initialize in onError, ends the wait for the sportsbook", async (t) => {
  const visit = await stage.visit("/", { clock: true });
  await visit.initialize({ url: frame("killed", "") });
  await visit.page.evaluate(() => window.renderer.kill());
  await pass(visit, 11_000);
  t.deepEqual(await visit.called("onError"), []);
  await visit.page.evaluate(() => {
    const again = window.callbacks.onError;
    window.callbacks.onError = (error) => {
      again?.(error);
      window.renderer.initialize({
        target: document.getElementById("target") as HTMLElement,
        brand_id: "luna",
        ...window.callbacks,
      });
    };
  });
  await visit.initialize({ url: answering("first", `{ ...data, kind: "refusal", name: "UNAVAILABLE" }`) });
  await visit.untilCalled("onError");
  await visit.started();
  await visit.untilCalled("onAppInitialized");
  t.is((await visit.called("onError")).length, 1);
  t.is(await visit.page.locator("iframe").count(), 1);
  await visit.close();
});
