import { readFileSync } from "node:fs";
import {
  COMMON_OPTIONS,
  COMMON_USAGE,
  checkOnly,
  formsOf,
  needed,
  neededSecret,
  parseWords,
} from "../report/arguments.ts";
import type { Forms } from "../report/command.ts";
import { UsageFault } from "../report/faults.ts";
import type { Account } from "./calls/callback.ts";
import { CURRENCIES, type Currency } from "./calls/money.ts";
import { CATEGORIES } from "./cases/list.ts";
import { type Kept, Memory, memoryOf, NOTHING_KEPT, readMemory } from "./cases/memory.ts";
import type { Plan } from "./pass.ts";
import { readScript, type Script } from "./random/script.ts";

/** The cases that --allow may name. */
const ALLOWABLE = CATEGORIES.flatMap(({ id, cases }) =>
  cases.filter(({ isAllowable }) => isAllowable).map((one) => `${id}/${one.id}`),
);

export const USAGE = `certify-wallet --url <walletUrl> --merchant <code> --secret <secret> --player <id> [--player <id> ...]

Plays the service: signs callbacks, sends them to a wallet, and judges its answers and its balances.

  --url <url>            the walletUrl, with path and query, on this machine or on staging
  --merchant <code>      the merchant's code
  --secret <secret>      its secret; or in the environment: SECRET, or SECRET_FILE with the path of a file
  --player <id>          a test player who is not blocked. Nobody else may use this player during the pass.
                         The balance is restored at the end. A second player allows more cases; more make
                         the pass faster
  --blocked-player <id>  a player whose bets the wallet rejects
  --other-merchant <code>, --other-secret <secret>
                         another merchant of the same wallet; the secret also in the environment: OTHER_SECRET,
                         or OTHER_SECRET_FILE
  --other-player <id>    its player; the first --player's id by default
  --currency <code>      ${CURRENCIES.join(", ")}; BRL by default
  --other-currency <code>  the other merchant's; the same by default

  --only <name>          a category, or a case as category/case; may be repeated. --list prints them
  --seed <number>        of the random histories; by default another one each time
  --at-once <number>     calls in flight at most; 64 by default, as many as the service makes
  --histories <number>   how many random histories; 8 by default
  --replay <file>        plays one history again, as a failure printed it
  --pause <seconds>      how long the wallet must remember, at least: the run's first transactions come again after
                         this time. 65 by default; 0 leaves it out. The run does not wait when another case failed
  --resume <file>        the JSON report of an earlier run (--json): its first transactions come again, so that you
                         can restart the wallet between the two runs
  --allow <name>         a case whose rule your wallet may break; may be repeated. ${ALLOWABLE.join(" or ")}:
                         the case's finding says what it costs

${COMMON_USAGE}`;

export interface Arguments extends Forms {
  readonly plan: Plan;
}

const text = { type: "string" } as const;
const list = { type: "string", multiple: true } as const;
const OPTIONS = {
  url: text,
  merchant: text,
  secret: text,
  player: list,
  "blocked-player": text,
  currency: text,
  "other-merchant": text,
  "other-secret": text,
  "other-player": text,
  "other-currency": text,
  seed: text,
  histories: text,
  "at-once": text,
  replay: text,
  pause: text,
  resume: text,
  allow: list,
  ...COMMON_OPTIONS,
} as const;

/** @throws UsageFault. `"help"` and `"list"`: the command line has --help or --list. */
export function readArguments(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Arguments | "help" | "list" {
  const typed = parse(words);
  if (typed.help) return "help";
  if (typed.list) return "list";
  const faults: string[] = [];
  const need = (value: string | undefined, fault: string): string => needed(value, fault, faults);
  const url = readUrl(
    need(typed.url, "--url is missing: the wallet's address, such as http://localhost:7001/wallet"),
    faults,
  );
  const code = need(typed.merchant, "--merchant is missing: the merchant's code");
  const noSecret = "--secret is missing: the merchant's secret (or set SECRET)";
  const secret = neededSecret(typed.secret, "SECRET", env, noSecret, faults);
  const players = typed.player ?? [];
  if (players.length === 0) faults.push("--player is missing: the id of a test player");
  if (new Set(players).size < players.length) faults.push("--player: each player may be named once");
  const currency = readCurrency("--currency", typed.currency ?? "BRL", faults);
  const merchant: Account = { code, secret, secretName: "SECRET", currency };
  const other = readOther(typed, env, merchant, faults);
  const [first = ""] = players;
  const seed = readCount("--seed", typed.seed ?? String(Math.floor(Math.random() * 1_000_000)), faults);
  const histories = readCount("--histories", typed.histories ?? "8", faults);
  const atOnce = readCount("--at-once", typed["at-once"] ?? "64", faults);
  if (atOnce < 1) faults.push("--at-once must be at least 1");
  const replay = typed.replay === undefined ? undefined : readReplay(typed.replay, faults);
  const pauseMs = readCount("--pause", typed.pause ?? "65", faults) * 1_000;
  const resumed = typed.resume === undefined ? undefined : readResumed(typed.resume, merchant, faults);
  const allow = typed.allow ?? [];
  for (const name of allow)
    if (!ALLOWABLE.includes(name)) faults.push(`--allow must be ${ALLOWABLE.join(" or ")}, not "${name}"`);
  checkOnly(
    typed.only ?? [],
    [...CATEGORIES, memoryOf(new Memory(), 0, NOTHING_KEPT), { id: "random", cases: [] }],
    faults,
  );
  if (url === undefined || faults.length > 0) throw new UsageFault(faults.join("\n"));
  const plan: Plan = {
    url,
    merchant,
    players,
    atOnce,
    seed,
    histories,
    pauseMs,
    allow,
    ...(resumed !== undefined && { resumed }),
    ...(typed["blocked-player"] !== undefined && { blocked: typed["blocked-player"] }),
    ...(other !== undefined && { other: { merchant: other, player: typed["other-player"] ?? first } }),
    ...(typed.only !== undefined && { only: typed.only }),
    ...(replay !== undefined && { replay }),
  };
  return { plan, ...formsOf(typed) };
}

type Typed = ReturnType<typeof parse>;

const parse = (words: readonly string[]) => parseWords(words, OPTIONS);

function readOther(
  typed: Typed,
  env: Readonly<Record<string, string | undefined>>,
  merchant: Account,
  faults: string[],
): Account | undefined {
  const code = typed["other-merchant"];
  if (code === undefined) {
    for (const name of ["other-secret", "other-player", "other-currency"] as const)
      if (typed[name] !== undefined) faults.push(`--${name} needs --other-merchant beside it`);
    return undefined;
  }
  const noSecret = "--other-secret is missing: the other merchant's secret (or set OTHER_SECRET)";
  const secret = neededSecret(typed["other-secret"], "OTHER_SECRET", env, noSecret, faults);
  if (code === merchant.code) faults.push("--other-merchant must be another merchant than --merchant");
  return {
    code,
    secret,
    secretName: "OTHER_SECRET",
    currency: readCurrency("--other-currency", typed["other-currency"] ?? merchant.currency, faults),
  };
}

function readUrl(given: string, faults: string[]): URL | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.hash === "" && url.username === "") return url;
  if (given !== "")
    faults.push(
      `--url must be an http or https address without a user name or fragment, such as http://localhost:7001/wallet, not "${given}"`,
    );
  return undefined;
}

function readCurrency(option: string, given: string, faults: string[]): Currency {
  const found = CURRENCIES.find((currency) => currency === given.toUpperCase());
  if (found === undefined) faults.push(`${option} must be one of ${CURRENCIES.join(", ")}, not "${given}"`);
  return found ?? "BRL";
}

function readCount(option: string, given: string, faults: string[]): number {
  if (!/^\d{1,9}$/.test(given)) faults.push(`${option} must be a whole number, not "${given}"`);
  return Number(given);
}

const readReplay = (file: string, faults: string[]): Script | undefined =>
  readJson("--replay", file, readScript, faults);

const readResumed = (file: string, merchant: Account, faults: string[]): Kept | undefined =>
  readJson("--resume", file, (report) => readMemory(report, merchant), faults);

function readJson<T>(option: string, file: string, read: (value: unknown) => T, faults: string[]): T | undefined {
  try {
    return read(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    faults.push(`${option} ${file}: ${(cause as Error).message}`);
    return undefined;
  }
}
