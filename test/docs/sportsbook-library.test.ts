import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import type { Frame } from "playwright-core";
import { compileScript, parse } from "vue/compiler-sfc";
import { WORDS } from "../../sandbox/merchant/page/words/words.ts";
import { bundle } from "../../testbed/browser/bundle.ts";
import { Stage, type Visit } from "../../testbed/browser/library-stage.ts";
import { builtRenderer } from "../../web-renderer/build/built-renderer.ts";
import { READERS } from "../../web-renderer/check-options.ts";
import { LIBRARY_ERRORS } from "../../web-renderer/options.ts";
import { REFUSALS, THEMES } from "../../web-renderer/protocol.ts";
import { checkout, page, table } from "./markdown.ts";

const PAGE = "docs/sportsbook-library.md";
const TSC = join(import.meta.dirname, "../../node_modules/.bin/tsc");

let stage: Stage;
/** A folder with the page's files. The sportsbook's address in them is that of this test, not that of the example. */
let folder: string;
let library: string;
const undoings: (() => unknown)[] = [];

test.before(async (t) => {
  stage = await Stage.open();
  library = join(await builtRenderer(), "package");
  folder = checkout({ teardown: (undo) => undoings.push(undo) }, PAGE);
  for (const [file, address] of [
    ["plain.html", stage.sportsbook],
    ["Page.tsx", `${stage.sportsbook}/docs`],
    ["Page.vue", `${stage.sportsbook}/docs`],
  ] as const) {
    const text = await readFile(join(folder, file), "utf8");
    t.true(text.includes("https://sportsbook.example"));
    await writeFile(join(folder, file), text.replaceAll("https://sportsbook.example", address));
  }
  stage.shown.set("sportsbook /docs/", {
    html: `<!doctype html><html data-origins='["${stage.merchant}"]'><body><script type="module" src="/frame.js"></script>`,
  });
  stage.shown.set("sportsbook /frame.js", await bundle(folder, "frame.ts"));
});
test.after.always(async () => {
  await stage?.close();
  for (const undo of undoings) undo();
});

/** The frame with the page's own frame.ts, as soon as it shows the visitor or the player. */
async function documented(visit: Visit, who: "visitor" | "player"): Promise<Frame> {
  const frame = await visit.sportsbook();
  await frame.waitForSelector(who === "visitor" ? "body.visitor" : "body.player", { state: "attached" });
  return frame;
}

const sendMessage = (frame: Frame, name: string, payload?: object) =>
  frame.evaluate(
    ([name, payload, origin]) => parent.postMessage({ ns: "sb", v: 1, kind: "event", name, payload }, origin),
    [name, payload, stage.merchant] as const,
  );

const shown = (name: string) => ({
  html: `<!doctype html><title>${name}</title><body><main></main><script src="/${name}.js"></script>`,
});

test.serial(
  "on the documented plain page a visitor logs in with the sportsbook's button, the session is renewed, and the player logs out",
  async (t) => {
    stage.shown.set("merchant /plain", { html: await readFile(join(folder, "plain.html"), "utf8") });
    const visit = await stage.visit("/plain");
    const frame = await visit.started();
    const launches = (jwt: string) =>
      stage.shown.set("merchant /api/launch-sportsbook", { html: JSON.stringify({ jwt }) });
    launches("jwt-plain");
    await frame.evaluate(() => window.sportsbook.page.send("login"));
    await visit.untilAsked("session", "session of jwt-plain");
    launches("jwt-plain-2");
    stage.expireSessions();
    t.is(await frame.evaluate(() => window.sportsbook.balance()), "97.50");
    t.deepEqual(await visit.asked("signIn"), ["jwt-plain", "jwt-plain-2"]);
    await visit.page.click("#log-out");
    await frame.waitForFunction(() => window.sportsbook.page.session === undefined);
    await frame.evaluate(() => window.sportsbook.page.send("recharge"));
    await visit.page.waitForSelector("body.deposit");
    await visit.close();
  },
);

test.serial(
  "on the documented React page the player logs in by a property, callbacks are called, the route changes, and the component unmounts",
  async (t) => {
    const options = ["--noCheck", "--jsx", "react-jsx", "--target", "es2022", "--module", "esnext"];
    await promisify(execFile)(TSC, [...options, "--moduleResolution", "bundler", "Page.tsx"], { cwd: folder });
    await writeFile(
      join(folder, "react.ts"),
      `import { createElement, StrictMode } from "react";
    import { flushSync } from "react-dom";
    import { createRoot } from "react-dom/client";
    import { Page } from "./Page.js";
    const root = createRoot(document.querySelector("main"));
    const page = (token) => createElement(StrictMode, null, createElement(Page, { token, launch: async () => null }));
    const show = (token) => flushSync(() => root.render(page(token)));
    Object.assign(window, { show, leave: () => root.unmount() });
    show(null);`,
    );
    stage.shown.set("merchant /react.js", await bundle(folder, "react.ts"));
    stage.shown.set("merchant /react", shown("react"));
    const visit = await stage.visit("/react");
    const frame = await documented(visit, "visitor");
    await sendMessage(frame, "login");
    await visit.page.getByText("Entrar").waitFor();
    await visit.page.evaluate("show('jwt-react')");
    await frame.waitForSelector("body.player", { state: "attached" });
    await visit.page.getByRole("button", { name: "Ao vivo" }).click();
    await visit.page.waitForURL("**/react?sb-path=/live");
    await visit.page.evaluate("leave()");
    await visit.page.waitForFunction(() => document.querySelector("iframe") === null);
    t.deepEqual(visit.complaints(), []);
    await visit.close();
  },
);

test.serial(
  "on the documented Vue page the player logs in by a property, callbacks are called, the session is renewed, and the component unmounts",
  async (t) => {
    const { descriptor, errors } = parse(await readFile(join(folder, "Page.vue"), "utf8"));
    t.deepEqual(errors, []);
    await writeFile(
      join(folder, "page-vue.ts"),
      compileScript(descriptor, { id: "page", inlineTemplate: true }).content,
    );
    await writeFile(
      join(folder, "vue.ts"),
      `import { createApp, h, ref } from "vue";
    import Page from "./page-vue.ts";
    const token = ref(null);
    const launch = async () => "jwt-vue-2";
    const app = createApp({ render: () => h(Page, { token: token.value, launch }) });
    app.mount("main");
    Object.assign(window, { logIn: () => (token.value = "jwt-vue"), leave: () => app.unmount() });`,
    );
    stage.shown.set("merchant /vue.js", await bundle(folder, "vue.ts"));
    stage.shown.set("merchant /vue", shown("vue"));
    const visit = await stage.visit("/vue");
    let frame = await documented(visit, "visitor");
    await sendMessage(frame, "login");
    await visit.page.getByText("Entrar").waitFor();
    await visit.page.evaluate("logIn()");
    await frame.waitForSelector("body.player", { state: "attached" });
    await visit.page.getByRole("button", { name: "Ao vivo" }).click();
    await visit.page.waitForURL("**/vue?sb-path=/live");
    // The iframe loads again, with the used jwt.
    await visit.page.evaluate(() => document.body.append(document.querySelector("iframe") as HTMLIFrameElement));
    frame = await documented(visit, "player");
    await visit.page.evaluate("leave()");
    await visit.page.waitForFunction(() => document.querySelector("iframe") === null);
    t.deepEqual(visit.complaints(), []);
    await visit.close();
  },
);

test("the examples of the frame and of a fallback compile in a strict project", async (t) => {
  const paths = {
    "sb-renderer": [join(library, "sb-renderer.d.ts")],
    "sb-renderer/frame": [join(library, "frame.d.ts")],
  };
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    paths,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["frame.ts", "play.ts"] }));
  const { stdout } = await promisify(execFile)(TSC, ["-p", folder]).catch((error: { stdout: string }) => error);
  t.is(stdout, "");
});

test("exactly the existing options, themes and callbacks are documented", (t) => {
  const names = (heading: string, column: string) =>
    table(page(PAGE), heading).map((row) => /^\w+/.exec(row[column] ?? "")?.[0] ?? "");
  const documented = [...names("3. Options", "option"), ...names("4. Callbacks", "callback")];
  t.deepEqual(
    documented.filter((name) => !["target", "brand_id", "url"].includes(name)).sort(),
    Object.keys(READERS).sort(),
  );
  const themes = /^Themes: (.*?)\.$/ms.exec(page(PAGE))?.[1]?.replaceAll("`", "").split(/,\s+/);
  t.deepEqual(themes, [...THEMES]);
});

test("exactly the existing error codes are documented, and the sandbox's merchant has a text for each", (t) => {
  const codes = table(page(PAGE), "If the sportsbook is not shown").map(({ code }) => code);
  t.deepEqual(codes, [...LIBRARY_ERRORS, ...REFUSALS]);
  for (const { failures } of Object.values(WORDS))
    t.deepEqual(
      codes.filter((code) => !Object.hasOwn(failures, code ?? "")),
      [],
    );
});
