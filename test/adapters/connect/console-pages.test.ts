import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { ConnectServer } from "../../../src/adapters/connect/connect-server.ts";
import { exchange } from "../../../testbed/callers/raw-http.ts";
import { consoleSite } from "./console-site.ts";

const SCRIPT = `console.log("${"the console ".repeat(200)}");`;

async function start(t: ExecutionContext, sportsbookUrl: string | null = null, project?: string) {
  const builds = await mkdtemp(join(tmpdir(), "console-"));
  t.teardown(() => rm(builds, { recursive: true }));
  const server = new ConnectServer(() => {}, {
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    metrics: async () => "",
    console: consoleSite(builds, sportsbookUrl, project),
  });
  const port = await server.start();
  t.teardown(() => server.stop(0));
  const build = async (name: string, title: string) => {
    const unfinished = join(builds, `${name}.1`);
    await mkdir(join(unfinished, "assets"), { recursive: true });
    await writeFile(join(unfinished, "index.html"), `<title>${title}</title>`);
    await writeFile(join(unfinished, "assets", `app-${name}.js`), SCRIPT);
    await rename(unfinished, join(builds, name));
  };
  return { builds, build, port, url: `http://127.0.0.1:${port}` };
}

test("without a build the page explains how to create one, and a new build is served without a restart", async (t) => {
  const { builds, build, url } = await start(t);
  const page = async () => (await fetch(`${url}/console/`)).text();
  t.regex(await page(), /npm run build:console/);
  await mkdir(join(builds, "b1.123", "assets"), { recursive: true });
  t.regex(await page(), /npm run build:console/, "an unfinished build does not count");
  await build("b2", "first");
  t.is(await page(), "<title>first</title>");
  await rm(join(builds, "b2"), { recursive: true });
  await build("b3", "second");
  t.is(await page(), "<title>second</title>");
  t.is((await fetch(`${url}/console/assets/app-b2.js`)).status, 404);
  t.is((await fetch(`${url}/console/assets/app-b3.js`)).status, 200);
});

/** A folder with the packages for development, whose build of the console is this program. */
async function projectWith(t: ExecutionContext, program: string): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "project-"));
  t.teardown(() => rm(project, { recursive: true }));
  await mkdir(join(project, "console/build"), { recursive: true });
  await mkdir(join(project, "node_modules/webpack"), { recursive: true });
  await writeFile(join(project, "console/build/main.ts"), program);
  return project;
}

async function until(page: () => Promise<string>, text: RegExp): Promise<void> {
  while (!text.test(await page())) await sleep(20);
}

test("where the packages for development are, the first look at the page builds the console once", async (t) => {
  const project = await projectWith(
    t,
    `require("node:fs").appendFileSync("built", "x"); setInterval(() => {
    if (require("node:fs").existsSync("go")) process.exit(0); }, 20);`,
  );
  const { build, url } = await start(t, null, project);
  const page = async () => (await fetch(`${url}/console/`)).text();
  for (let i = 0; i < 3; i++) t.regex(await page(), /http-equiv="refresh"[\s\S]*The console is being built/);
  await build("b1", "first");
  await until(page, /<title>first</);
  await until(() => readFile(join(project, "built"), "utf8").catch(() => ""), /x/);
  await writeFile(join(project, "go"), "");
  t.is(await readFile(join(project, "built"), "utf8"), "x");
});

test("a build that fails is not started again, and the page names the command", async (t) => {
  const project = await projectWith(t, `require("node:fs").appendFileSync("built", "x"); process.exit(1);`);
  const { url } = await start(t, null, project);
  const page = async () => (await fetch(`${url}/console/`)).text();
  t.regex(await page(), /being built/);
  await until(page, /npm run build:console/);
  t.regex(await page(), /npm run build:console/);
  t.is(await readFile(join(project, "built"), "utf8"), "x");
});

test("a browser must check the page each time, and may keep the page's assets, whose names change with their content", async (t) => {
  const { build, url } = await start(t);
  await build("b1", "console");
  for (const path of ["/console/", "/console/transactions?player=u-1"]) {
    const page = await fetch(url + path);
    t.is(page.status, 200);
    t.is(page.headers.get("content-type"), "text/html; charset=utf-8");
    t.is(page.headers.get("cache-control"), "no-cache");
    t.is(await page.text(), "<title>console</title>");
    const again = await fetch(url + path, { headers: { "if-none-match": page.headers.get("etag") ?? "" } });
    t.is(again.status, 304);
  }
  const asset = await fetch(`${url}/console/assets/app-b1.js`);
  t.is(asset.headers.get("content-type"), "text/javascript; charset=utf-8");
  t.is(asset.headers.get("cache-control"), "public, max-age=31536000, immutable");
  const bare = await fetch(`${url}/console`, { redirect: "manual" });
  t.deepEqual([bare.status, bare.headers.get("location")], [308, "/console/"]);
});

test("pages and assets load nothing from other hosts, and no site may show them in a frame", async (t) => {
  const { build, url } = await start(t);
  const policies = async () =>
    Promise.all(
      ["/console/", "/console/assets/app-b1.js", "/console/assets/none.js"].map(async (path) => {
        const { headers } = await fetch(url + path);
        t.is(headers.get("x-content-type-options"), "nosniff", path);
        t.is(headers.get("referrer-policy"), "no-referrer", path);
        return headers.get("content-security-policy") ?? "";
      }),
    );
  const unbuilt = await policies();
  await build("b1", "console");
  for (const policy of [...unbuilt, ...(await policies())]) {
    t.true(policy.startsWith("default-src 'self';") && policy.includes("frame-ancestors 'none'"), policy);
    t.notRegex(policy, /unsafe|https?:|\*/);
  }
});

test("with a sportsbook, the page may frame and fetch the sportsbook's origin, and nothing else", async (t) => {
  const { build, url } = await start(t, "https://sportsbook.example/lobby?x=1");
  const policy = async (path: string) => (await fetch(url + path)).headers.get("content-security-policy") ?? "";
  const unbuilt = await policy("/console/");
  await build("b1", "console");
  for (const page of [unbuilt, await policy("/console/"), await policy("/console/any/page")]) {
    t.true(
      page.includes("; frame-src https://sportsbook.example; connect-src 'self' https://sportsbook.example"),
      page,
    );
    t.true(page.startsWith("default-src 'self';") && page.includes("frame-ancestors 'none'"), page);
    t.notRegex(page, /unsafe|\*/);
  }
  t.notRegex(await policy("/console/assets/app-b1.js"), /sportsbook/);
});

test("an asset is compressed with an encoding that the caller accepts", async (t) => {
  const { build, url } = await start(t);
  await build("b1", "console");
  for (const encoding of ["br", "gzip"]) {
    const response = await fetch(`${url}/console/assets/app-b1.js`, { headers: { "accept-encoding": encoding } });
    t.is(response.headers.get("content-encoding"), encoding);
    t.true(Number(response.headers.get("content-length")) < SCRIPT.length / 10);
    t.is(await response.text(), SCRIPT, "as fetch unpacks it");
  }
});

test("no path leads out of the build's folder, and only GET and HEAD are served", async (t) => {
  const { build, port, url } = await start(t);
  await build("b1", "console");
  for (const path of [
    "/console/assets/../index.html",
    "/console/assets/%2e%2e/index.html",
    "/console/assets/..%2findex.html",
    "/console/assets//etc/passwd",
    "/console/assets/",
    "/console/assets/constructor",
  ]) {
    const reply = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    t.is(reply.status, 404, path);
    t.is(reply.body, "", path);
  }
  for (const method of ["POST", "PUT", "DELETE"]) t.is((await fetch(`${url}/console/`, { method })).status, 405);
  const head = await fetch(`${url}/console/`, { method: "HEAD" });
  t.deepEqual([head.status, await head.text()], [200, ""]);
  t.is((await exchange(port, "GET /console/ HTTP/1.1\r\nHost: evil.example\r\n\r\n")).status, 421);
});
