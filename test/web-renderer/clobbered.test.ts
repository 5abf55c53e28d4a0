/**
 * A merchant's page with markup of other people. An element with the name of a property of the document takes the
 * property's place (DOM clobbering), and scripts may add options to Object.prototype. The token must still go to the
 * sportsbook alone.
 */
import test, { type ExecutionContext } from "ava";
import type { Frame } from "playwright-core";
import { Stage, type Visit } from "../../testbed/browser/library-stage.ts";

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

/** Properties that scripts read from `document` or `window`, and some that browsers do not have. */
const NAMES = (
  "currentScript head body forms images scripts cookie location URL documentURI baseURI referrer readyState domain " +
  "defaultView documentElement implementation getElementById querySelector createElement append addEventListener " +
  "dispatchEvent title name url src origin top self parent frames history fetch postMessage trustedTypes " +
  "scriptOrigin Reflect Document token brand_id"
).split(" ");

/** Elements of each kind that can take the place of a property: by name, by id, and by the field of a form. */
const takers = (evil: string): string => {
  const one: ((name: string) => string)[] = [
    (name) => `<img name="${name}" src="${evil}/x.png">`,
    (name) =>
      `<form name="${name}" action="${evil}"><input name="src" value="${evil}"><input name="attributes"><input name="append"></form>`,
    (name) => `<object name="${name}" id="${name}"></object>`,
    (name) => `<embed name="${name}">`,
    (name) => `<a id="${name}" name="${name}" href="${evil}">x</a><a id="${name}" name="src" href="${evil}">x</a>`,
  ];
  return NAMES.map((name, i) => (one[i % one.length] as (name: string) => string)(name)).join("\n");
};

const EACH_KIND = (evil: string): string =>
  ["img", "form", "object", "embed", "iframe"]
    .map((tag) => `<${tag} name="currentScript" id="currentScript" src="${evil}/x.png"></${tag}>`)
    .join("\n");

const page = (
  before: string,
  script: string,
  after = "",
): string => `<!doctype html><html lang="pt"><title>Merchant</title>
${before}<div id="mount" style="height: 400px"></div>${script}${after}`;

/** Mounts the sportsbook without the option `url`, with elements and methods that no other element can hide. */
async function mount(visit: Visit, token: string): Promise<void> {
  await visit.page.waitForFunction(() => typeof window.SBRenderer === "function");
  await visit.page.evaluate((token) => {
    const target = Document.prototype.querySelector.call(document, "#mount") as HTMLElement;
    window.renderer = new window.SBRenderer();
    window.renderer.initialize({ target, brand_id: "luna", token, ...window.callbacks });
  }, token);
}

async function frameOf(visit: Visit, origin: string): Promise<Frame> {
  for (;;) {
    const frame = visit.page.frames().find((frame) => frame.url().startsWith(`${origin}/?brand=`));
    if (frame !== undefined) return frame;
    await visit.page.waitForEvent("framenavigated");
  }
}

/** Asks every 50 ms, because a frame outside the visible part of the page has no animation frames. */
const started = (frame: Frame) =>
  frame.waitForFunction(() => window.sportsbook?.calls.some(([name]) => name === "started"), null, { polling: 50 });

/** The sportsbook got the token, and the hostile site got neither a message nor an address of a frame. */
async function onlyTheSportsbook(t: ExecutionContext, visit: Visit, token: string): Promise<void> {
  const frame = await frameOf(visit, stage.sportsbook);
  await started(frame);
  t.deepEqual(
    await frame.evaluate(() => window.sportsbook.calls.filter(([name]) => name === "signIn").map((call) => call[1])),
    [token],
  );
  for (const frame of visit.page.frames().filter((frame) => frame.url().startsWith(stage.evil)))
    t.deepEqual(await frame.evaluate(() => (window as unknown as { got?: unknown[] }).got ?? []), []);
  t.false(stage.requests.some((request) => request.includes("/?brand=luna") && request.includes(stage.evil)));
  t.false(visit.page.frames().some((frame) => frame.url().startsWith(`${stage.evil}/?brand=`)));
}

const tag = (attributes = ""): string => `<script ${attributes} src="${stage.sportsbook}/sb-renderer.min.js"></script>`;
const inserted = (): string =>
  `<script>{const s=Document.prototype.createElement.call(document,"script");s.src="${stage.sportsbook}/sb-renderer.min.js";s.crossOrigin="anonymous";Reflect.get(Document.prototype,"head",document).append(s)}</script>`;

for (const [title, before, script, after] of [
  ["an element of each kind named currentScript", () => EACH_KIND(stage.evil), () => tag()],
  ["elements with the names of everything that scripts read", () => takers(stage.evil), () => tag()],
  ["the same, and a script that inserts the library", () => takers(stage.evil), inserted],
  ["the same, and a deferred script", () => takers(stage.evil), () => tag("defer")],
  ["a hostile base after a deferred script", () => "", () => tag("defer"), () => `<base href="${stage.evil}/">`],
] as [string, () => string, () => string, (() => string)?][]) {
  test.serial(`the token goes to the script's origin: ${title}`, async (t) => {
    stage.shown.set("merchant /ugc", { html: page(before(), script(), after?.()) });
    const visit = await stage.visit("/ugc");
    await mount(visit, `jwt-${title.length}`);
    await onlyTheSportsbook(t, visit, `jwt-${title.length}`);
    await visit.close();
  });
}

test.serial("a script with a relative address is the page's own, whatever a base says", async (t) => {
  const { html } = {
    html: page("", `<script defer src="/sb-renderer.min.js"></script>`, `<base href="${stage.evil}/">`),
  };
  const script = await fetch(`${stage.sportsbook}/sb-renderer.min.js`);
  stage.shown.set("merchant /ugc", { html });
  stage.shown.set("merchant /sb-renderer.min.js", {
    html: await script.text(),
    headers: { "content-type": "text/javascript" },
  });
  const visit = await stage.visit("/ugc");
  await mount(visit, "jwt-relative");
  const src = await visit.page.evaluate(() => document.querySelector("iframe")?.src);
  t.is(src, `${stage.merchant}/?brand=luna`);
  t.false(stage.requests.some((request) => request.includes("/?brand=") && request.includes(stage.evil)));
  await visit.close();
});

test.serial("an SVG script and an inline script give no default for url", async (t) => {
  const script = await (await fetch(`${stage.sportsbook}/sb-renderer.min.js`)).text();
  for (const loading of [
    `<svg><script href="${stage.sportsbook}/sb-renderer.min.js"></script></svg>`,
    `<script>${script}</script>`,
  ]) {
    stage.shown.set("merchant /ugc", { html: page(takers(stage.evil), loading) });
    const visit = await stage.visit("/ugc");
    await t.throwsAsync(mount(visit, "jwt-none"), { message: /url must be http\(s\)/ });
    await visit.close();
  }
});

test.serial("the loader works in such a page, and takes no element for the library", async (t) => {
  stage.shown.set("sportsbook /ugc", { html: page(takers(stage.evil), "") });
  stage.shown.set("sportsbook /nothing.js", { html: "", headers: { "content-type": "text/javascript" } });
  stage.shown.set("sportsbook /element.js", {
    html: `Reflect.get(Document.prototype,"body",document).insertAdjacentHTML("beforeend", "<a id=SBRenderer href=${stage.evil}>x</a>")`,
    headers: { "content-type": "text/javascript" },
  });
  const visit = await stage.visit();
  await visit.page.goto(`${stage.sportsbook}/ugc`);
  const results = await visit.page.evaluate(async (origin) => {
    const { loadSBRenderer } = await import(`${origin}/web-renderer/load.ts`);
    const load = (src: string) =>
      loadSBRenderer({ src: `${origin}${src}` }).then(
        (library: unknown) => typeof library,
        (error: { code: string }) => error.code,
      );
    return [await load("/nothing.js"), await load("/element.js"), await load("/sb-renderer.min.js")];
  }, stage.sportsbook);
  t.deepEqual(results, ["SCRIPT_IS_ANOTHER", "SCRIPT_IS_ANOTHER", "function"]);
  await visit.close();
});

test.serial("the frame's part finds its parent and its state in such a page", async (t) => {
  stage.shown.set("sportsbook /ugc/", {
    html: `${stage.framePage()}${takers(stage.evil).replace(/^.*"documentElement".*$/m, "")}`,
  });
  const visit = await stage.visit();
  await visit.initialize({ url: `${stage.sportsbook}/ugc`, token: "jwt-frame" });
  const frame = await visit.started();
  const read = await frame.evaluate(async (origin) => {
    const { ofDocument } = await import(`${origin}/web-renderer/dom.ts`);
    return ["readyState", "referrer", "URL", "cookie"].map((name) => typeof ofDocument(name));
  }, stage.sportsbook);
  t.deepEqual(read, ["string", "string", "string", "string"]);
  t.deepEqual(await visit.asked("signIn"), ["jwt-frame"]);
  await visit.close();
});

test.serial("options that another script added to Object.prototype do not count", async (t) => {
  stage.shown.set("merchant /ugc", { html: page("", tag()) });
  const visit = await stage.visit("/ugc");
  await visit.page.evaluate((evil) => {
    const stolen: unknown[] = [];
    Object.assign(Object.prototype, {
      url: evil,
      brand_id: "evil",
      token: "jwt-evil",
      lang: "es",
      path: "/evil",
      onLogin: (...args: unknown[]) => stolen.push(args),
      onTokenExpired: () => "jwt-evil",
      fallback: null,
    });
    Object.defineProperty(window, "stolen", { value: stolen });
  }, stage.evil);
  await mount(visit, "jwt-own");
  const frame = await frameOf(visit, stage.sportsbook);
  await started(frame);
  await visit.page.evaluate(() => window.renderer.updateOptions({ layout: "tile" }));
  await frame.evaluate(() => window.sportsbook.page.send("login"));
  await visit.untilCalled("onLogin");
  await frame.waitForFunction(() => window.sportsbook.calls.some(([name]) => name === "options"));
  stage.expireSessions();
  t.is(await frame.evaluate(() => window.sportsbook.balance()), null, "the polluted onTokenExpired is not called");
  t.deepEqual(await frame.evaluate(() => window.sportsbook.calls.filter(([name]) => name !== "session")), [
    ["signIn", "jwt-own"],
    ["started", "page"],
    ["options", { layout: "tile" }],
  ]);
  t.deepEqual(await visit.page.evaluate(() => (window as unknown as { stolen: unknown[] }).stolen), []);
  await visit.close();
});

test.serial("options that added themselves to the frame's Object.prototype do not count", async (t) => {
  const visit = await stage.visit();
  await visit.initialize({ token: "jwt-frame-own" });
  const frame = await visit.started();
  await frame.evaluate(() => void Object.assign(Object.prototype, { token: "jwt-evil", path: "/evil" }));
  await visit.page.evaluate(() => window.renderer.updateOptions({ layout: "tile" }));
  await visit.untilAsked("options", { layout: "tile" });
  t.deepEqual(await visit.asked("signIn"), ["jwt-frame-own"]);
  t.deepEqual(await visit.asked("navigate"), []);
  await visit.close();
});

test.serial("an address must be a text: an element or another object with a toString is refused", async (t) => {
  stage.shown.set("merchant /ugc", { html: page(`<a id="SB_URL" href="${stage.evil}">x</a>`, tag()) });
  const visit = await stage.visit("/ugc");
  const refused = await visit.page.evaluate(() => {
    const target = document.querySelector<HTMLElement>("#mount");
    let asked = 0;
    const twoFaced = { toString: () => (asked++ === 0 ? "https://sb.example" : "https://evil.example") };
    const tries = [(window as unknown as { SB_URL: unknown }).SB_URL, twoFaced, ["https://sb.example"], null, 7];
    return tries.map((url) => {
      try {
        new window.SBRenderer().initialize({ target, brand_id: "luna", url } as never);
        return "mounted";
      } catch (error) {
        return (error as Error).message;
      }
    });
  });
  t.deepEqual(new Set(refused), new Set(["[SBRenderer] url must be http(s) without query"]));
  const warned = visit.page.evaluate(() => {
    const target = document.querySelector<HTMLElement>("#mount");
    const lang = { toString: () => "es" };
    new window.SBRenderer().initialize({ target, brand_id: "luna", lang, token: null } as never);
    return document.querySelector("iframe")?.src;
  });
  t.is(await warned, `${stage.sportsbook}/?brand=luna`);
  await visit.close();
});
