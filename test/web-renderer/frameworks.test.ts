/** The components for React and Vue, in a real browser. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { bundle } from "../../testbed/browser/bundle.ts";
import { Stage } from "../../testbed/browser/library-stage.ts";
import { builtRenderer } from "../../web-renderer/build/built-renderer.ts";

let stage: Stage;
let folder: string;

test.before(async () => {
  stage = await Stage.open();
  folder = await mkdtemp(join(tmpdir(), "renderer-frameworks-"));
});
test.after.always(async () => {
  await stage?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Shows a page of the merchant with this script. The page gives the component a height. */
async function show(name: string, script: string): Promise<string> {
  await writeFile(join(folder, `${name}.ts`), script);
  stage.shown.set(`merchant /${name}.js`, await bundle(folder, `${name}.ts`));
  stage.shown.set(`merchant /${name}`, {
    html: `<!doctype html><title>${name}</title><main style="height: 400px"></main><script src="/${name}.js"></script>`,
  });
  return `/${name}`;
}

/** The start of each script: the sportsbook's address, callbacks that record each call, and a launch. */
const START = () => `
  const url = "${stage.sportsbook}";
  let launches = 0;
  const onTokenExpired = async () => {
    window.called.push(["onTokenExpired"]);
    return window.jwt + "-" + ++launches;
  };
`;

test.serial(
  "the React component in StrictMode has one iframe, uses the token once, sends only changed properties, and passes a ref",
  async (t) => {
    const path = await show(
      "react",
      `import { createElement, createRef, StrictMode } from "react";
    import { flushSync } from "react-dom";
    import { createRoot } from "react-dom/client";
    import { Sportsbook } from "sb-renderer/react";
    ${START()}
    const root = createRoot(document.querySelector("main"));
    const ref = createRef();
    const show = (props) => flushSync(() => root.render(createElement(StrictMode, null,
      createElement(Sportsbook, { ref, url, brand_id: "luna", ...window.callbacks, ...props }))));
    Object.assign(window, { show, ref, leave: () => root.unmount() });
    show({ token: "jwt-react", themeName: "gold-navy", path: "/live", className: "book" });`,
    );
    const visit = await stage.visit(path);
    const frame = await visit.started();
    t.deepEqual(await visit.asked("signIn"), ["jwt-react"]);
    t.deepEqual(await visit.asked("options"), [{ themeName: "gold-navy" }]);
    t.deepEqual(await visit.asked("navigate"), ["/live"]);
    t.is(await visit.page.locator("iframe").count(), 1);
    t.is((await visit.page.locator("div.book > iframe").boundingBox())?.height, 400);

    // The player opens another page. A later render with the same path must not lead the player back.
    await frame.evaluate(() => window.sportsbook.page.send("routeChange", { path: "/bets" }));
    await visit.page.evaluate(`show({ token: "jwt-react", themeName: "gold-navy", path: "/live", layout: "tile",
    onLogin: () => window.called.push(["newest"]) })`);
    await visit.untilAsked("options", { themeName: "gold-navy", layout: "tile" });
    await frame.evaluate(() => window.sportsbook.page.send("login"));
    await visit.untilCalled("newest");
    t.deepEqual(await visit.asked("navigate"), ["/live"]);
    t.deepEqual(await visit.asked("signIn"), ["jwt-react"]);

    await visit.page.evaluate("ref.current.navigate('/tennis'); ref.current.refreshBalance()");
    await visit.untilAsked("refreshBalance", undefined);
    t.deepEqual(await visit.asked("navigate"), ["/live", "/tennis"]);
    await visit.page.evaluate("show({ token: null })");
    await visit.untilAsked("session", null);

    // Another brand needs another iframe.
    await visit.page.evaluate("show({ token: null, brand_id: 'sol' })");
    await visit.page.waitForSelector("iframe[src*='brand=sol']", { state: "attached" });
    t.is(await visit.page.locator("iframe").count(), 1);
    await visit.started();
    await visit.page.evaluate("leave()");
    t.is(await visit.page.locator("iframe").count(), 0);
    t.deepEqual(visit.complaints(), []);
    await visit.close();
  },
);

test.serial(
  "the Vue component in KeepAlive removes the inactive sportsbook, shows it again at its route with a new token, and removes it at the end",
  async (t) => {
    const path = await show(
      "vue",
      `import { createApp, h, KeepAlive, nextTick, reactive, ref } from "vue";
    import { Sportsbook } from "sb-renderer/vue";
    ${START()}
    window.jwt = "jwt-vue-renewed";
    const props = reactive({ token: "jwt-vue", themeName: "gold-navy", brand_id: "luna" });
    const isShown = ref(true);
    const book = ref();
    const Other = { render: () => h("p", "Another page") };
    const app = createApp({ render: () => h(KeepAlive, null, [
      isShown.value ? h(Sportsbook, { ref: book, url, ...window.callbacks, ...props, onTokenExpired }) : h(Other),
    ]) });
    app.mount("main");
    Object.assign(window, { props, isShown, book, leave: () => app.unmount() });`,
    );
    const visit = await stage.visit(path);
    const frame = await visit.started();
    t.deepEqual(await visit.asked("options"), [{ themeName: "gold-navy" }]);
    t.is((await visit.page.locator("iframe").boundingBox())?.height, 400);
    await frame.evaluate(() => window.sportsbook.page.send("routeChange", { path: "/bets" }));
    await visit.untilCalled("onRouteChange");
    await visit.page.evaluate("props.layout = 'tile'");
    await visit.untilAsked("options", { themeName: "gold-navy", layout: "tile" });
    t.deepEqual(await visit.asked("signIn"), ["jwt-vue"]);
    await visit.page.evaluate("book.value.refreshBalance()");
    await visit.untilAsked("refreshBalance", undefined);

    await visit.page.evaluate("isShown.value = false");
    await visit.page.getByText("Another page").waitFor();
    t.is(await visit.page.locator("iframe").count(), 0);
    await visit.page.evaluate("props.layout = 'classic'");
    await visit.page.evaluate("isShown.value = true");
    await visit.started();
    t.deepEqual(await visit.asked("options"), [{ themeName: "gold-navy", layout: "classic" }]);
    t.deepEqual(await visit.asked("navigate"), ["/bets"]);
    t.deepEqual(await visit.asked("session"), ["session of jwt-vue-renewed-1"]);
    t.is((await visit.called("onTokenExpired")).length, 1);
    t.is(await visit.page.locator("iframe").count(), 1);

    await visit.page.evaluate("props.brand_id = 'sol'");
    await visit.page.waitForSelector("iframe[src*='brand=sol']", { state: "attached" });
    t.is(await visit.page.locator("iframe").count(), 1);
    await visit.page.evaluate("leave()");
    t.is(await visit.page.locator("iframe").count(), 0);
    t.deepEqual(visit.complaints(), []);
    await visit.close();
  },
);

/**
 * Code that a project with strict types may and may not have. Each line after a `@ts-expect-error` must be an error.
 */
const RIGHT_AND_WRONG = `
import { createElement } from "react";
import { Sportsbook as InReact, type SportsbookHandle } from "sb-renderer/react";
import { Sportsbook as InVue } from "sb-renderer/vue";

const url = "https://sb.example";
createElement(InReact, { url, brand_id: "luna", token: null, style: { height: 300 }, onBetPlaced: ({ stake }) => stake.toFixed() });
// @ts-expect-error the address is required
createElement(InReact, { brand_id: "luna" });
// @ts-expect-error no such theme
createElement(InReact, { url, brand_id: "luna", themeName: "mint" });
// @ts-expect-error the component has its own element
createElement(InReact, { url, brand_id: "luna", target: document.body });
export const move = (handle: SportsbookHandle): void => handle.navigate("/live");

type Props = InstanceType<typeof InVue>["$props"];
export const right: Props = { url, brand_id: "luna", token: null, hideBalance: true, onTokenExpired: async () => null };
// @ts-expect-error the brand is required
export const brandless: Props = { url };
// @ts-expect-error no such layout
export const grid: Props = { url, brand_id: "luna", layout: "grid" };
// @ts-expect-error minor units, no text
export const wrong: Props = { url, brand_id: "luna", onBetPlaced: ({ stake }) => stake.length };
`;

test("the types of the React and Vue components accept right properties and refuse wrong ones", async (t) => {
  const modules = join(import.meta.dirname, "../../node_modules");
  const library = join(await builtRenderer(), "package");
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    paths: {
      react: [join(modules, "@types/react/index.d.ts")],
      "sb-renderer/*": [join(library, "components/*.d.ts")],
    },
  };
  await writeFile(join(folder, "typed.ts"), RIGHT_AND_WRONG);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.ts"] }));
  const compiled = await promisify(execFile)(join(modules, ".bin/tsc"), ["-p", folder]).catch(
    (error: { stdout: string }) => error,
  );
  t.is(compiled.stdout, "");
});
