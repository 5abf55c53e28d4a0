/** `npm run certify:provider` as its users see it: a process, its output and its files. */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { launchChromium } from "../../../testbed/browser/chromium.ts";
import { freePort } from "../../../testbed/programs/ports.ts";
import { accessible } from "../../browser/accessible.ts";
import type { BugName } from "./bugs.ts";
import { ProviderUnderTest } from "./provider-under-test.ts";

const MAIN = join(import.meta.dirname, "../../../certify/provider/main.ts");
const SHORT = [
  "--quiet",
  "0.5",
  "--refund-after",
  "4",
  "--deliver-within",
  "4",
  "--win-within",
  "2",
  "--bet-within",
  "3",
];

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const command = (words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 1e8 };
    execFile(process.execPath, [MAIN, ...words], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

/** Starts a provider. Returns the arguments of the command that tests it. */
async function provider(
  t: ExecutionContext,
  ...bugs: BugName[]
): Promise<{ words: string[]; hook: URL; port: number }> {
  const port = await freePort();
  const subject = { aggregator: `127.0.0.1:${port}`, key: "key", bugs, habits: { deadlineMs: 9_500 } };
  const { source, hook, close } = await new ProviderUnderTest(subject).listen();
  t.teardown(close);
  const who = ["--source", source.host, "--provider", "ACME", "--key", "key", "--game", "book-of-x"];
  return { words: [...who, "--listen", `127.0.0.1:${port}`, ...SHORT], hook, port };
}

async function folder(t: ExecutionContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "certify-"));
  t.teardown(() => rm(path, { recursive: true, force: true }));
  return path;
}

test("for a provider with mistakes the exit code is 1, and every report has the rule, the calls with their times, and the fix", async (t) => {
  t.timeout(180_000);
  const { words, hook } = await provider(t, "one try to pay");
  const to = await folder(t);
  const [html, junit] = [join(to, "provider.html"), join(to, "provider.xml")];
  const only = ["launch", "wins/accepted", "wins/unavailable", "whole"].flatMap((name) => ["--only", name]);
  const all = [...words, ...only, "--spin-url", hook.href, "--html", html, "--junit", junit];
  const text = await command(all);
  t.is(text.code, 1, text.stderr);
  t.regex(text.stdout, /^FAILED {2}wins\/unavailable: /m);
  t.regex(text.stdout, /docs\/specification\/provider-api\.md#prov-part-deliver/);
  t.regex(
    text.stdout,
    /^ {4}\d+\.\d{3} s PayWin tx_id=win-\S+ round_id=\S+ amount_minor=700 currency=BRL\n {6}SERVICE_UNAVAILABLE/m,
  );
  t.regex(text.stdout, /^ {2}fix {7}\S/m);
  t.regex(text.stdout, /The provider breaks rules: \d+ passed, 1 failed/);
  t.regex(text.stderr, /\d+\/\d+, 1 failed/);
  const xml = await readFile(junit, "utf8");
  t.regex(xml, /<testsuites name="certify-provider" tests="\d+" failures="1"/);
  t.is(xml.split("<failure ").length, 2);

  const json = JSON.parse((await command([...all, "--json"])).stdout) as {
    exit_code: number;
    provider: string;
    cases: { id: string; status: string; fix?: string; exchanges: { rpc: string; answer: string; at_ms: number }[] }[];
  };
  t.deepEqual([json.exit_code, json.provider], [1, "ACME"]);
  const failed = json.cases.filter(({ status }) => status === "failed");
  t.deepEqual(
    failed.map(({ id }) => id),
    ["unavailable"],
  );
  t.true((failed[0]?.exchanges.length ?? 0) >= 2);

  const certificate = await readFile(html, "utf8");
  for (const secret of [/session-[\w-]{24}/, /Bearer/, /player-[\w-]{12}/]) t.notRegex(certificate, secret);
  const browser = await launchChromium();
  t.teardown(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
  await page.goto(`file://${html}`);
  t.is(await page.textContent("h1"), "This provider is not certified");
  await accessible(t, page.mainFrame(), "the certificate");
  t.true((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
});

test("if every tested case passed the exit code is 0; with --strict a warning counts as a failure", async (t) => {
  t.timeout(180_000);
  const right = await provider(t);
  const only = ["--only", "bets/accepted", "--only", "wins/accepted"];
  const passed = await command([...right.words, ...only, "--spin-url", right.hook.href]);
  t.is(passed.code, 0, passed.stdout);
  t.regex(passed.stdout, /The provider keeps the rules that were tried: 2 passed\./);

  const lax = await provider(t, "no deadline");
  const words = [...lax.words, "--only", "bets/accepted", "--only", "whole/deadlines", "--spin-url", lax.hook.href];
  const [lenient, strict] = [await command(words), await command([...words, "--strict"])];
  t.deepEqual([lenient.code, strict.code], [0, 1]);
  t.regex(lenient.stdout, /^WARNING whole\/deadlines/m);
});

test("with the default waiting times the command ends when it has printed its report", async (t) => {
  t.timeout(180_000);
  const { words, hook } = await provider(t);
  const own = words.slice(0, words.length - SHORT.length);
  const child = spawn(process.execPath, [MAIN, ...own, "--only", "bets/accepted", "--spin-url", hook.href]);
  let [stdout, printedAt] = ["", 0];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
    printedAt = performance.now();
  });
  t.is(await new Promise((resolve) => child.on("exit", resolve)), 0);
  t.regex(stdout, /The provider keeps the rules that were tried: 1 passed\./);
  // The longest default wait is 60 s.
  t.true(performance.now() - printedAt < 30_000);
});

test("if no case could be judged the exit code is 2, with one clear line", async (t) => {
  t.timeout(180_000);
  const { words, hook, port } = await provider(t);
  const play = [...words, "--only", "bets/accepted", "--spin-url", hook.href];
  const is2 = async (words: readonly string[], message: RegExp): Promise<void> => {
    const { code, stdout, stderr } = await command(words);
    t.deepEqual([code, stdout], [2, ""], words.join(" "));
    t.regex(stderr, message);
  };
  const instead = (option: string, value: string): string[] =>
    play.map((word, i) => (play[i - 1] === option ? value : word));
  await is2(
    instead("--source", "127.0.0.1:1"),
    /^Nothing was judged\. The source 127\.0\.0\.1:1 did not open the game.*ECONNREFUSED/,
  );
  await is2(instead("--key", "other"), /^Nothing was judged\. The provider called with another key than --key\./);
  await is2(
    instead("--spin-url", "http://127.0.0.1:1/spin"),
    /^Nothing was judged\. http:\/\/127\.0\.0\.1:1\/spin did not answer/,
  );
  await is2(
    instead("--listen", `127.0.0.1:${await freePort()}`),
    new RegExp(`No call came at all.*aggregator address must be 127\\.0\\.0\\.1:(?!${port})`),
  );
  await is2(instead("--listen", "nowhere"), /--listen must be host:port, not "nowhere"/);
  await is2(
    [...play, "--only", "no/such", "--currency", "XYZ", "--quiet", "x", "--tls-cert", "a.pem"],
    /--currency must be one of.*\n.*--tls-cert and --tls-key need each other.*\n.*--quiet must be.*\n.*--only no\/such/s,
  );
  await is2([...play, "--html", "/no/such/folder/page.html"], /can't be written/);
  await is2([], /--source is missing.*--provider is missing.*--key is missing.*--game is missing/s);
  t.regex((await command(["--help"])).stdout, /Exit codes: 0 .* 1 .* 2 /);
  t.true((await command(["--list"])).stdout.split("\n").length > 40);
});

test("without a hook the command prints what to click, waits for the call, and stops waiting in time", async (t) => {
  t.timeout(180_000);
  const { words, hook } = await provider(t);
  const only = ["bets/pending", "refusals/player-blocked", "wins/accepted", "whole/shown-played"].flatMap((name) => [
    "--only",
    name,
  ]);
  const child = spawn(process.execPath, [MAIN, ...words, ...only], { stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  const done: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  // Acts as the tester: opens each printed address and presses Spin, but not for the blocked player.
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
    for (const [, name = "", launch_url = ""] of stderr.matchAll(
      /^(\S+\/\S+)\n {2}1\. Open this address:\n {5}(\S+)\n {2}2\. Press Spin/gm,
    )) {
      if (done.includes(launch_url)) continue;
      done.push(launch_url);
      if (name !== "refusals/player-blocked")
        void fetch(hook, { method: "POST", body: JSON.stringify({ launch_url }) }).then((reply) => reply.text());
    }
  });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  t.is(code, 1, "a case without its spin was not prepared");
  t.is(done.length, 3, stderr);
  t.regex(stderr, /Press Spin once/);
  t.regex(stderr, /Press Spin until a round wins/);
  t.regex(stdout, /2 passed, 2 not tried \(1 could not be prepared\)/);
  t.regex(stdout, /No PlaceBet of the session came within 3 s after the spin\./);
  t.regex(stdout, /Nobody said what the player was shown/);
});
