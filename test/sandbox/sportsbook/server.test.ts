import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import test from "ava";
import { buildPage } from "../../../sandbox/sportsbook/site/build-page.ts";
import { readSlip } from "../../../sandbox/sportsbook/slip-request.ts";
import { startSportsbook } from "../../../sandbox/sportsbook/sportsbook.ts";
import { themesCss } from "../../../sandbox/sportsbook/themes-css.ts";

/** Starts the sportsbook in production mode. No program listens at the service's address. */
async function start(t: { teardown(run: () => Promise<void>): void }): Promise<string> {
  const options = {
    serviceGrpc: "127.0.0.1:1",
    key: "none",
    host: "127.0.0.1",
    port: 0,
    seed: 7,
    running: false,
    development: false,
  };
  const sportsbook = await startSportsbook(options);
  t.teardown(() => sportsbook.close());
  return sportsbook.origin;
}

test("while no service answers, the page has 60 matches but no brand, and no site may show it in a frame", async (t) => {
  const origin = await start(t);
  const page = await fetch(`${origin}/en/?brand=casa-luna`);
  t.is(page.status, 200);
  t.true(page.headers.get("content-security-policy")?.endsWith("frame-ancestors 'none'"));
  t.deepEqual([page.headers.get("referrer-policy"), page.headers.get("set-cookie")], ["no-referrer", null]);
  t.is((await fetch(`${origin}/api/brand?brand=casa-luna`)).status, 503);
  const [, opening = ""] = /id="?opening"?>(.*?)<\/script>/.exec(await page.text()) ?? [];
  const { brand, stream } = JSON.parse(opening) as { brand?: object; stream: { board: { new: object[] } } };
  t.is(brand, undefined);
  t.is(stream.board.new.length, 60);
});

test("the /control routes exist only in development", async (t) => {
  const origin = await start(t);
  const post = (path: string) =>
    fetch(`${origin}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"event":"liga-do-sol-0","home":1,"away":0}',
    });
  t.deepEqual(
    await Promise.all(["finish", "odds", "expire"].map(async (lever) => (await post(`/control/${lever}`)).status)),
    [404, 404, 404],
  );
});

test("pages of every origin may load the library, and browsers may cache the versioned file for ever", async (t) => {
  const origin = await start(t);
  const { versioned, integrity } = (await (await fetch(`${origin}/sb-renderer.integrity.json`)).json()) as {
    versioned: { url: string; integrity: string };
    integrity: string;
  };
  t.is(versioned.integrity, integrity);
  const [newest, version] = await Promise.all(
    ["sb-renderer.min.js", versioned.url].map((path) => fetch(`${origin}/${path}`)),
  );
  t.deepEqual(
    [newest?.headers.get("access-control-allow-origin"), version?.headers.get("access-control-allow-origin")],
    ["*", "*"],
  );
  t.regex(version?.headers.get("cache-control") ?? "", /immutable/);
  t.notRegex(newest?.headers.get("cache-control") ?? "", /immutable/);
  t.is(await newest?.text(), await version?.text());
  t.is((await fetch(`${origin}/sb-renderer/0.0.0/sb-renderer.min.js`)).status, 404);
});

test("the library is compressed, and a browser that has it gets 304", async (t) => {
  const origin = await start(t);
  const { versioned } = (await (await fetch(`${origin}/sb-renderer.integrity.json`)).json()) as {
    versioned: { url: string };
  };
  for (const path of ["sb-renderer.min.js", versioned.url, "sb-renderer.integrity.json"]) {
    const plain = await fetch(`${origin}/${path}`, { headers: { "accept-encoding": "identity" } });
    const text = await plain.text();
    t.is(plain.headers.get("content-encoding"), null);
    for (const encoding of ["br", "gzip"]) {
      const reply = await fetch(`${origin}/${path}`, { headers: { "accept-encoding": encoding } });
      t.is(reply.headers.get("content-encoding"), encoding);
      t.true(Number(reply.headers.get("content-length")) < text.length, `${path}, ${encoding}`);
      t.is(await reply.text(), text);
    }
    const known = await fetch(`${origin}/${path}`, { headers: { "if-none-match": plain.headers.get("etag") ?? "" } });
    t.deepEqual([known.status, await known.text(), known.headers.get("access-control-allow-origin")], [304, "", "*"]);
  }
});

test("the page's styles are inline, and its policy allows these styles and its inline script but no others", async (t) => {
  const page = await fetch(`${await start(t)}/pt/?brand=casa-luna`);
  const policy = page.headers.get("content-security-policy") ?? "";
  const html = await page.text();
  const hash = (content: string | undefined) =>
    `'sha256-${createHash("sha256")
      .update(content ?? "")
      .digest("base64")}'`;
  const [, styles] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const [, script] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  t.true((styles ?? "").length > 10_000);
  t.deepEqual(
    policy.split("; ").filter((rule) => /^(?:script|style)-src/.test(rule)),
    [`script-src 'self' ${hash(script)}`, `style-src ${hash(styles)}`],
  );
});

test("the page has one script, two fonts and an icon, and browsers may cache all of them for ever", async (t) => {
  const origin = await start(t);
  const html = await (await fetch(`${origin}/pt/?brand=casa-luna`)).text();
  const named = [...html.matchAll(/(?:href|src)="?([^" >]+)/g)].map(([, path = ""]) => new URL(path, `${origin}/pt/`));
  t.deepEqual(named.map(({ pathname }) => extname(pathname)).sort(), [".js", ".svg", ".woff2", ".woff2"]);
  for (const url of named) {
    t.regex(url.pathname, /^\/[0-9a-f]{20}\./);
    const reply = await fetch(url, { headers: { "accept-encoding": "br, gzip" } });
    t.deepEqual(
      [reply.status, reply.headers.get("cache-control"), reply.headers.get("content-encoding")],
      [200, "public, max-age=31536000, immutable", url.pathname.endsWith(".woff2") ? null : "br"],
      url.pathname,
    );
    await reply.arrayBuffer();
    const known = await fetch(url, { headers: { "if-none-match": reply.headers.get("etag") ?? "" } });
    t.deepEqual([known.status, await known.text()], [304, ""]);
  }
});

test("two builds of the page are identical; a file with other content gets another name", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "page-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const [built = [], again = [], other = []] = await Promise.all(
    ["built", "again", "other"].map(async (name) => {
      await buildPage(join(folder, name), name === "other" ? ":root{--other:1px}" : themesCss());
      return (await readdir(join(folder, name))).sort();
    }),
  );
  t.deepEqual(again, built);
  for (const name of built.filter((name) => extname(name) !== ""))
    t.deepEqual(await readFile(join(folder, "again", name)), await readFile(join(folder, "built", name)));
  t.deepEqual(
    other.filter((name) => !built.includes(name)).map((name) => extname(name)),
    [".css"],
  );
});

test("the refusal of an invalid slip names the field", (t) => {
  const selection = { id: "liga-do-sol-0:result:0:home", odds: 185 };
  const slip = (bet: object) => () => readSlip({ slip_id: "abcdefgh", accept: "better", bets: [bet] });
  t.is(
    readSlip({ slip_id: "abcdefgh", accept: "ask", bets: [{ stake_minor: 100, selections: [selection] }] }).bets[0]
      ?.stakeMinor,
    100n,
  );
  for (const [bet, field] of [
    [{ stake_minor: 0, selections: [selection] }, "stake_minor"],
    [{ stake_minor: 1.5, selections: [selection] }, "stake_minor"],
    [{ stake_minor: 100, selections: [] }, "selections"],
    [{ stake_minor: 100, selections: [{ ...selection, odds: 100 }] }, "odds"],
    [{ stake_minor: 100, selections: [{ ...selection, id: "x" }] }, "selection"],
    [{ stake_minor: 100, selections: [selection, { ...selection, id: "liga-do-sol-0:total:10:over" }] }, "selections"],
  ] as const) {
    t.throws(slip(bet), { message: `${field} is missing or wrong.` });
  }
  t.throws(() => readSlip({ slip_id: "short", bets: [] }), { message: /slip_id/ });
  t.throws(() => readSlip({ slip_id: "abcdefgh", accept: "all", bets: [] }), { message: /accept/ });
});
