/** `npm run certify:wallet` as its users see it: a process, its output and its files. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { curl } from "../../../certify/wallet/calls/curl.ts";
import { certify } from "../../../certify/wallet/certify.ts";
import { launchChromium } from "../../../testbed/browser/chromium.ts";
import { accessible } from "../../browser/accessible.ts";
import type { BugName } from "./bugs.ts";
import { nameOf, passOf, planOf } from "./passes.ts";
import { WalletUnderTest } from "./wallet-under-test.ts";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const execute = (file: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(file, words, { env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

const command = (words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  execute(process.execPath, [join(import.meta.dirname, "../../../certify/wallet/main.ts"), ...words], {
    ...process.env,
    ...env,
  });

async function wallet(t: ExecutionContext, ...bugs: BugName[]): Promise<URL> {
  const { url, close } = await new WalletUnderTest({ bugs }).listen();
  t.teardown(close);
  return url;
}

async function folder(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "certify-"));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}

const base = (url: URL): string[] => [
  ...["--pause", "0"],
  "--url",
  url.href,
  "--merchant",
  "shop",
  "--secret",
  "sk_shop",
  "--player",
  "ana",
  "--player",
  "rui",
];
const fullArguments = (url: URL): string[] => [
  ...base(url),
  "--blocked-player",
  "blocked",
  "--other-merchant",
  "other",
  "--other-secret",
  "sk_other",
];

test("for a correct wallet the exit code is 0, and the certificate is one accessible page at every width", async (t) => {
  const to = await folder(t);
  const html = join(to, "certificate.html");
  const { code, stdout } = await command([
    ...fullArguments(await wallet(t)),
    ...["--pause", "1"],
    "--html",
    html,
    "--seed",
    "7",
    "--histories",
    "2",
  ]);
  t.is(code, 0);
  t.regex(stdout, /The wallet keeps the rules that were tried: 202 passed, 1 not tried\./);
  t.regex(stdout, /random seed 7\./);
  const text = await readFile(html, "utf8");
  t.regex(text, /<h1>This wallet is certified<\/h1>/);
  t.notRegex(text, /sk_shop|sk_other/);
  t.notRegex(text, /<(script|link|img)|src=|url\(/);
  await looksRight(t, html);
});

test("for a wrong wallet the exit code is 1, and each report has the findings", async (t) => {
  const to = await folder(t);
  const [html, junit] = [join(to, "page.html"), join(to, "junit.xml")];
  const words = [
    ...base(await wallet(t, "two refunds", "rejects repeats")),
    "--html",
    html,
    "--junit",
    junit,
    "--histories",
    "1",
  ];
  const { code, stdout, stderr } = await command(words);
  t.is(code, 1);
  t.regex(stdout, /^FAILED {2}reversals\/refund-second-id: A second refund of a bet under another tx_id is rejected$/m);
  t.regex(stdout, /rule .*Reverse once\./);
  t.regex(stdout, /docs\/specification\/wallet-contract\.md#contract-reverse-once/);
  t.regex(stdout, /expected {2}`ok` false/);
  t.regex(stdout, /It needs --blocked-player\./);
  t.notRegex(stdout + stderr, /sk_shop/);
  const json = JSON.parse((await command([...words, "--json"])).stdout) as {
    exit_code: number;
    counts: Record<string, number>;
    cases: { id: string; status: string; fix?: string; exchanges: { curl: string }[] }[];
  };
  t.is(json.exit_code, 1);
  const second = json.cases.find(({ id }) => id === "refund-second-id");
  t.is(second?.status, "failed");
  t.true((second?.fix?.length ?? 0) > 20);
  t.true(second?.exchanges.every((exchange) => exchange.curl.includes("curl -sS")));
  t.is(
    Object.values(json.counts).reduce((sum, count) => sum + count, 0) - (json.counts.unprepared ?? 0),
    json.cases.length,
  );
  await looksRight(t, html);
  const xml = await readFile(junit, "utf8");
  const browser = await launchChromium();
  t.teardown(() => browser.close());
  const counted = await (await browser.newPage()).evaluate((source) => {
    const document = new DOMParser().parseFromString(source, "application/xml");
    const count = (name: string) => document.querySelectorAll(name).length;
    return {
      errors: count("parsererror"),
      cases: count("testcase"),
      failures: count("failure"),
      skipped: count("skipped"),
      root: document.documentElement.getAttribute("tests"),
    };
  }, xml);
  t.is(counted.errors, 0);
  t.is(counted.cases, json.cases.length);
  t.is(counted.root, String(counted.cases));
  t.is(counted.skipped, json.counts.not_tried ?? -1);
  t.true(counted.failures >= 2);
});

async function looksRight(t: ExecutionContext, html: string): Promise<void> {
  const browser = await launchChromium();
  t.teardown(() => browser.close());
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({ viewport: { width: 360, height: 800 }, colorScheme });
    await page.goto(`file://${html}`);
    await page.evaluate(() => {
      for (const details of [...document.querySelectorAll("details")].slice(0, 12)) details.open = true;
    });
    await accessible(t, page.mainFrame(), `the certificate, ${colorScheme}`);
    for (const width of [360, 768, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      t.true((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width} px wide`);
    }
    await page.close();
  }
}

test("if no case could be judged the exit code is 2, with one clear line", async (t) => {
  const url = await wallet(t);
  const is2 = async (words: readonly string[], message: RegExp): Promise<void> => {
    const { code, stdout, stderr } = await command(words);
    t.deepEqual([code, stdout], [2, ""], words.join(" "));
    t.regex(stderr, message);
  };
  await is2(
    ["--url", "http://127.0.0.1:1/wallet", "--merchant", "shop", "--secret", "x", "--player", "ana"],
    /^Nothing was judged\. .*ECONNREFUSED.*Is the wallet running/,
  );
  await is2(
    [...base(url), "--secret", "sk_wrong"],
    /^Nothing was judged\. The wallet refused .*Are --merchant and --secret the wallet's own/,
  );
  await is2(
    [...base(url), "--player", "nobody"],
    /^Nothing was judged\. .*PLAYER_NOT_FOUND.*Name a player who exists at this merchant with --player\./,
  );
  const other = [...base(url), "--other-merchant", "other"];
  await is2(
    [...other, "--other-secret", "sk_wrong"],
    /^Nothing was judged\. .* for merchant other: .*Are --other-merchant and --other-secret the wallet's own/,
  );
  await is2(
    [...other, "--other-secret", "sk_other", "--other-player", "nobody"],
    /^Nothing was judged\. .*Name a player who exists at this merchant with --other-player\./,
  );
  await is2(other, /--other-secret is missing: the other merchant's secret \(or set OTHER_SECRET\)/);
  await is2([...base(url), "--other-secret", "sk_other"], /--other-secret needs --other-merchant beside it/);
  await is2(
    [...base(url), "--only", "no/such", "--currency", "XYZ", "--seed", "x"],
    /--currency must be one of.*\n.*--seed must be.*\n.*--only no\/such/s,
  );
  await is2([...base(url), "--html", "/no/such/folder/page.html"], /can't be written/);
  await is2([...base(url), "--replay", "/no/such/file"], /--replay/);
  await is2([...base(url), "--resume", "/no/such/file"], /--resume/);
  await is2(
    [...base(url), "--allow", "actions/bet"],
    /--allow must be reversals\/rollback-negative or blocked\/rollback/,
  );
  await is2([], /--url is missing.*--merchant is missing.*--secret is missing.*--player is missing/s);
});

test("a secret may begin with a hyphen, and what follows it is still read", async (t) => {
  const words = ["--url", (await wallet(t)).href, "--merchant", "shop", "--player", "ana", "--only", "actions/win"];
  for (const secret of ["-sk", "--sk", "--", "-"]) {
    const { code, stderr } = await command([...words, "--secret", secret, "--currency", "BRL"]);
    t.is(code, 2);
    t.regex(stderr, /^Nothing was judged\. The wallet refused .*Are --merchant and --secret the wallet's own/, secret);
  }
  t.regex((await command([...words, "--secret", "--player", "rui"])).stderr, /--secret/);
});

test("a wrong currency is named as such", async (t) => {
  const { code, stderr } = await command([...base(await wallet(t)), "--currency", "MXN"]);
  t.is(code, 2);
  t.regex(stderr, /INVALID_CURRENCY.*currency was MXN\. Name the merchant's with --currency\./);
});

test("if every selected case needs a missing option, the exit code is 2 and the report names the option", async (t) => {
  const words = [...base(await wallet(t)), "--only", "merchants"];
  const text = await command(words);
  t.is(text.code, 2);
  t.regex(text.stdout, /^Nothing was judged\. It needs --other-merchant and --other-secret\.$/m);
  const json = JSON.parse((await command([...words, "--json"])).stdout) as { exit_code: number; verdict: string };
  t.is(json.exit_code, 2);
  t.is(json.verdict, "Nothing was judged. It needs --other-merchant and --other-secret.");
});

test("--only selects cases, the secret may come from the environment, and with --strict a warning counts as a failure", async (t) => {
  const url = await wallet(t);
  const words = base(url).filter((word, i, all) => word !== "--secret" && all[i - 1] !== "--secret");
  const { code, stdout } = await command([...words, "--only", "order", "--only", "actions/bet"], { SECRET: "sk_shop" });
  t.is(code, 0);
  t.regex(stdout, /: 8 passed\./);
  const never = await new WalletUnderTest({ habits: { neverNegative: true } }).listen();
  t.teardown(never.close);
  const tried = [...base(never.url), "--only", "reversals/rollback-negative", "--only", "order"];
  const allowed = [...tried, "--allow", "reversals/rollback-negative"];
  const [usual, lenient, strict] = [
    await command(tried),
    await command(allowed),
    await command([...allowed, "--strict"]),
  ];
  t.deepEqual([usual.code, lenient.code, strict.code], [1, 0, 1]);
  t.regex(usual.stdout, /^FAILED {2}reversals\/rollback-negative.*the provider charges it to you/ms);
  t.regex(lenient.stdout, /^WARNING reversals\/rollback-negative/m);
  t.regex((await command(["--help"])).stdout, /Exit codes: 0 .* 1 .* 2 /);
  t.true((await command(["--list"])).stdout.split("\n").length > 160);
});

test("a random failure is printed as a small script, which fails again on this wallet and passes on a correct wallet", async (t) => {
  const url = await wallet(t, "rollback frees");
  const { code, stdout } = await command([...base(url), "--only", "random", "--seed", "1", "--histories", "1"]);
  t.is(code, 1);
  const script = /^ {2}script {4}(\{.*\})$/m.exec(stdout)?.[1] ?? "";
  const { steps } = JSON.parse(script) as { steps: unknown[][] };
  t.true(steps.flat().length <= 5, `a win, its rollback and the win again, or little more: ${script}`);
  for (const id of ["contract-win", "contract-rollback", "contract-once"])
    t.true(stdout.includes(`            docs/specification/wallet-contract.md#${id}\n`), `${id} in ${stdout}`);
  t.false(stdout.includes("#contract-bet\n"), "the history has no bet");
  const file = join(await folder(t), "script.json");
  await writeFile(file, script);
  t.is((await command([...base(url), "--replay", file])).code, 1);
  t.is((await command([...base(await wallet(t)), "--replay", file])).code, 0);
});

test("the curl lines of a report repeat the certification's calls", async (t) => {
  const { url, close } = await new WalletUnderTest().listen();
  t.teardown(close);
  const only = [
    "signature",
    "actions/win",
    "identifiers/punctuation",
    "identifiers/long-game",
    "connections/lower-case-headers",
    "repeats/attempt-header",
  ];
  const { outcomes } = await certify({ ...planOf(url), only });
  t.deepEqual(
    outcomes.filter(({ status }) => status !== "passed"),
    [],
  );
  const again = new WalletUnderTest();
  const fresh = await again.listen();
  t.teardown(fresh.close);
  const env = { ...process.env, SECRET: "sk_shop", OTHER_SECRET: "sk_other" };
  let tried = 0;
  for (const outcome of outcomes) {
    // The case is about the last callback before the closing balance query.
    const about =
      outcome.exchanges.filter(({ callback }) => callback.fields.action !== "balance").at(-1) ??
      outcome.exchanges.at(-1);
    if (
      about === undefined ||
      about.callback.fields.ref_tx_id !== undefined ||
      (about.delivery.clock !== undefined && Math.abs(about.delivery.clock) < 300_000)
    )
      continue;
    const { code, stdout } = await execute("sh", ["-c", curl(about, fresh.url)], env);
    t.is(code, 0, nameOf(outcome));
    const body = stdout.slice(stdout.lastIndexOf("\r\n\r\n")).trim();
    t.is(
      (JSON.parse(body) as { ok: boolean }).ok,
      about.reply.meaning.kind === "accepted",
      `${nameOf(outcome)}: ${curl(about, fresh.url)}\n${stdout}`,
    );
    tried += 1;
  }
  t.true(tried > 25);
});

test("if a wallet does not pay the win that prepares a case, the case is reported as not tried", async (t) => {
  const { outcomes } = await passOf(
    { bugs: ["win needs a bet"], opening: 100n },
    { only: ["concurrency/bets-for-30"] },
  );
  t.is(outcomes[0]?.status, "not_tried");
  t.true(outcomes[0]?.unprepared);
});
