import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import test from "ava";
import { merchantPage, Stage, type Visit } from "../../testbed/browser/library-stage.ts";

let stage: Stage;

test.before(async () => {
  stage = await Stage.open();
});
test.after.always(() => stage?.close());

const integrityOf = async (path: string): Promise<string> =>
  `sha384-${createHash("sha384")
    .update(Buffer.from(await (await fetch(stage.sportsbook + path)).arrayBuffer()))
    .digest("base64")}`;

test.serial("the browser loads the script with the published hash, and refuses it with a wrong hash", async (t) => {
  const published = (await (await fetch(`${stage.sportsbook}/sb-renderer.integrity.json`)).json()) as {
    integrity: string;
    versioned: { url: string; integrity: string };
  };
  t.is(published.integrity, await integrityOf("/sb-renderer.min.js"));
  const page = (src: string, integrity: string): string =>
    merchantPage(
      stage.sportsbook,
      `<script src="${stage.sportsbook}/${src}" integrity="${integrity}" crossorigin="anonymous"></script>`,
    );
  stage.shown.set("merchant /sri", { html: page(published.versioned.url, published.versioned.integrity) });
  const right = await stage.visit("/sri");
  await right.initialize();
  await right.started();
  await right.close();
  stage.shown.set("merchant /sri-wrong", {
    html: page("sb-renderer.min.js", `sha384-${createHash("sha384").update("tampered").digest("base64")}`),
  });
  const wrong = await stage.visit("/sri-wrong");
  await wrong.untilConsole("integrity");
  t.is(await wrong.page.evaluate(() => typeof window.SBRenderer), "undefined");
  await wrong.close();
});

test.serial(
  "the loader loads the library once; after a failure it names the cause and tries again at the next call",
  async (t) => {
    const { integrity } = (await (await fetch(`${stage.sportsbook}/sb-renderer.integrity.json`)).json()) as {
      integrity: string;
    };
    const script = { "content-type": "text/javascript", "access-control-allow-origin": "*" };
    stage.shown.set("merchant /load.js", {
      html: stripTypeScriptTypes(readFileSync("web-renderer/load.ts", "utf8")),
      headers: script,
    });
    stage.shown.set("sportsbook /other.js", { html: "1", headers: script });
    const html = `<!doctype html><title>Loader</title><div id="target" style="height: 400px"></div>`;
    stage.shown.set("merchant /loader", { html });
    stage.shown.set("merchant /loader-closed", { html, headers: { "content-security-policy": `script-src 'self'` } });
    const types = (names: string) => ({
      "content-security-policy": `script-src 'self' ${stage.sportsbook}; require-trusted-types-for 'script'; trusted-types ${names}`,
    });
    stage.shown.set("merchant /loader-types", { html, headers: types("sb-renderer") });
    stage.shown.set("merchant /loader-no-types", { html, headers: types("'none'") });

    const load = (visit: Visit, src: string, hash?: string): Promise<string> =>
      visit.page.evaluate(
        async ([src, integrity]) => {
          const { loadSBRenderer } = (await import(
            "/load.js" as string
          )) as typeof import("../../web-renderer/load.ts");
          const [first, second] = [loadSBRenderer({ src, integrity }), loadSBRenderer({ src, integrity })];
          if (first !== second) return "two loads";
          return first.then(
            (SBRenderer) => `${typeof SBRenderer} ${SBRenderer === window.SBRenderer}`,
            (error) => `${error.name} ${error.code}`,
          );
        },
        [src, hash] as const,
      );
    const library = `${stage.sportsbook}/sb-renderer.min.js`;
    const loaded = "function true";
    const notLoaded = "SBRendererLoadError SCRIPT_NOT_LOADED";

    const visit = await stage.visit("/loader");
    t.is(await load(visit, library, integrity.replace("sha384-", "sha384-AAAA")), notLoaded);
    t.is(await load(visit, `${stage.sportsbook}/other.js`), "SBRendererLoadError SCRIPT_IS_ANOTHER");
    t.is(await load(visit, library, integrity), loaded);
    t.is(await load(visit, library, integrity), loaded);
    await visit.initialize({});
    await visit.started();
    t.false(visit.console.some((line) => line.startsWith("uncaught")));
    await visit.close();
    for (const [path, result] of [
      ["/loader-closed", notLoaded],
      ["/loader-types", loaded],
      ["/loader-no-types", notLoaded],
    ] as const) {
      const other = await stage.visit(path);
      t.is(await load(other, library), result, path);
      t.false(other.console.some((line) => line.startsWith("uncaught")));
      await other.close();
    }
  },
);

test.serial("a call with a hash never gets a library that was loaded without that hash", async (t) => {
  const { integrity } = (await (await fetch(`${stage.sportsbook}/sb-renderer.integrity.json`)).json()) as {
    integrity: string;
  };
  const script = { "content-type": "text/javascript", "access-control-allow-origin": "*" };
  stage.shown.set("merchant /load.js", {
    html: stripTypeScriptTypes(readFileSync("web-renderer/load.ts", "utf8")),
    headers: script,
  });
  stage.shown.set("sportsbook /changed.js", {
    html: "var SBRenderer; SBRenderer = class Changed {};",
    headers: script,
  });
  stage.shown.set("sportsbook /other.js", { html: "1", headers: script });
  stage.shown.set("merchant /loader", { html: "<!doctype html><title>Loader</title>" });
  const visit = await stage.visit("/loader");
  const load = (path: string, hash?: string): Promise<string> =>
    visit.page.evaluate(
      async ([src, integrity]) => {
        const { loadSBRenderer } = (await import("/load.js" as string)) as typeof import("../../web-renderer/load.ts");
        return loadSBRenderer({ src, integrity }).then(
          (SBRenderer) => (SBRenderer.name === "Changed" ? "changed" : "library"),
          (error) => error.code,
        );
      },
      [stage.sportsbook + path, hash] as const,
    );

  t.is(await load("/changed.js"), "changed");
  t.is(await load("/changed.js", integrity), "SCRIPT_NOT_LOADED");
  t.is(await load("/changed.js"), "changed");
  t.is(await load("/sb-renderer.min.js", integrity), "library");
  t.is(await load("/other.js"), "SCRIPT_IS_ANOTHER", "the library of the script before is not what this script holds");
  t.is(await load("/sb-renderer.min.js"), "library");
  await visit.close();
});

test.serial(
  "the library works under a strict Content-Security-Policy with Trusted Types, and defines one global",
  async (t) => {
    const policy = [
      "default-src 'none'",
      `script-src ${stage.sportsbook}`,
      `frame-src ${stage.sportsbook}`,
      "style-src 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join("; ");
    const html = merchantPage(stage.sportsbook)
      .replaceAll(' style="height: 400px"', "")
      .replaceAll(' style="height: 300px"', "");
    stage.shown.set("merchant /strict", { html, headers: { "content-security-policy": policy } });
    stage.shown.set("merchant /plain", { html: html.replace(/<script.*<\/script>/, "") });
    const visit = await stage.visit("/strict");
    await visit.page.evaluate(() => {
      document.addEventListener("securitypolicyviolation", (event) =>
        window.called.push(["violation", event.violatedDirective]),
      );
      (document.getElementById("target") as HTMLElement).style.height = "400px";
    });
    const globals = await visit.page.evaluate(() => Object.getOwnPropertyNames(window));
    await visit.initialize({ token: "jwt-strict", path: "/live" });
    const frame = await visit.started();
    await frame.evaluate(() => window.sportsbook.page.send("login"));
    await visit.untilCalled("onLogin");
    t.deepEqual(await visit.page.evaluate(() => window.called), [
      ["onRouteChange", "/live"],
      ["onAppInitialized"],
      ["onLogin"],
    ]);
    t.deepEqual(visit.console, []);
    const { height, width } = (await visit.page.locator("iframe").boundingBox()) ?? {};
    t.deepEqual([height, width], [400, (await visit.page.locator("#target").boundingBox())?.width]);
    const plain = await stage.visit("/plain");
    const usual = await plain.page.evaluate(() => Object.getOwnPropertyNames(window));
    t.deepEqual(
      globals.filter((name) => !usual.includes(name)),
      ["SBRenderer"],
    );
    await plain.close();
    await visit.close();
  },
);
