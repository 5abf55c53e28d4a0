import { readFileSync } from "node:fs";
import { isProviderCode } from "../../src/domain/values/identifiers.ts";
import { CURRENCIES, isCurrency } from "../../src/domain/values/money.ts";
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
import type { ListenOptions } from "./aggregator/aggregator.ts";
import { CATEGORIES } from "./cases/list.ts";
import type { Plan } from "./certify.ts";

export const USAGE = `certify-provider --source <host:port> --provider <code> --key <key> --game <code> [--spin-url <url>]

Plays the service: opens a session at a provider's source, answers the provider's calls as on a bad day, and judges
what the provider does next. Without --spin-url it tells you what to click.

  --source <host:port>   your GameService; https://host:port for TLS
  --provider <code>      your provider code
  --key <key>            the API key that your provider calls with; or in the environment: KEY, or KEY_FILE with the
                         path of a file
  --game <code>          your code of the game that is played
  --listen <host:port>   where your provider must call; 127.0.0.1:9090 by default
  --tls-cert <file>, --tls-key <file>
                         PEM files: listen with TLS
  --currency <code>      ${CURRENCIES.join(", ")}; BRL by default

  --spin-url <url>       your test code: each spin is a POST to it, with the session as JSON. Without it a person plays
  --at-once <number>     sessions that play at the same time with --spin-url; 8 by default
  --spins <number>       spins until a win comes, with --spin-url; 5 by default

  --bet-within <seconds>      from a spin to its bet; 30 by default, 120 for a person
  --win-within <seconds>      from an accepted bet to its win; 15 by default
  --refund-after <seconds>    until when you refund a bet that stays without an answer; 60 by default
  --deliver-within <seconds>  until when a win or refund that met errors is delivered; 60 by default
  --quiet <seconds>           how long to look for further calls at the end of a case; 3 by default

  --only <name>          a category, or a case as category/case; may be repeated. --list prints them
${COMMON_USAGE}`;

export interface Arguments extends Forms {
  readonly plan: Plan;
  /** Undefined: a person plays the game. */
  readonly hook?: { readonly url: URL; readonly atOnce: number };
}

const text = { type: "string" } as const;
const OPTIONS = {
  source: text,
  provider: text,
  key: text,
  game: text,
  listen: text,
  "tls-cert": text,
  "tls-key": text,
  currency: text,
  "spin-url": text,
  "at-once": text,
  spins: text,
  "bet-within": text,
  "win-within": text,
  "refund-after": text,
  "deliver-within": text,
  quiet: text,
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
  const seconds = (
    option: "bet-within" | "win-within" | "refund-after" | "deliver-within" | "quiet",
    fallback: number,
  ): number => {
    const given = typed[option] ?? String(fallback);
    const isRight = /^\d{1,5}(\.\d{1,3})?$/.test(given) && Number(given) > 0;
    if (!isRight) faults.push(`--${option} must be seconds above 0, such as 20 or 0.5, not "${given}"`);
    return Number(given) * 1_000;
  };
  const source = readSource(
    need(typed.source, "--source is missing: your GameService, such as 127.0.0.1:3002"),
    faults,
  );
  const provider = need(typed.provider, "--provider is missing: your provider code");
  if (provider !== "" && !isProviderCode(provider))
    faults.push(`--provider must be 2 to 32 characters of A-Z, 0-9 and _, not "${provider}"`);
  const noKey = "--key is missing: the API key that your provider calls with (or set KEY)";
  const key = neededSecret(typed.key, "KEY", env, noKey, faults);
  const game = need(typed.game, "--game is missing: your code of the game");
  const currency = (typed.currency ?? "BRL").toUpperCase();
  if (!isCurrency(currency)) faults.push(`--currency must be one of ${CURRENCIES.join(", ")}, not "${typed.currency}"`);
  const listen = readListen(typed, faults);
  const spinUrl = typed["spin-url"] === undefined ? undefined : readUrl("--spin-url", typed["spin-url"], faults);
  for (const option of ["at-once", "spins"] as const)
    if (typed[option] !== undefined && typed["spin-url"] === undefined)
      faults.push(`--${option} needs --spin-url beside it`);
  const atOnce = readCount("--at-once", typed["at-once"] ?? "8", faults);
  const spinsMax = readCount("--spins", typed.spins ?? "5", faults);
  const waits = {
    bet: seconds("bet-within", typed["spin-url"] === undefined ? 120 : 30),
    win: seconds("win-within", 15),
    refund: seconds("refund-after", 60),
    deliver: seconds("deliver-within", 60),
    quiet: seconds("quiet", 3),
  };
  checkOnly(typed.only ?? [], CATEGORIES, faults);
  if (source === undefined || faults.length > 0) throw new UsageFault(faults.join("\n"));
  const only = typed.only === undefined ? {} : { only: typed.only };
  const plan: Plan = { source, provider, key, game, currency, listen, waits, spinsMax, ...only };
  return { plan, ...(spinUrl !== undefined && { hook: { url: spinUrl, atOnce } }), ...formsOf(typed) };
}

type Typed = ReturnType<typeof parse>;

const parse = (words: readonly string[]) => parseWords(words, OPTIONS);

/** `host:port` means no TLS, as in `http://host:port`. */
function readSource(given: string, faults: string[]): URL | undefined {
  if (given === "") return undefined;
  const url = /^[^/]+:\d+$/.test(given) ? `http://${given}` : given;
  return readUrl("--source", url, faults);
}

function readUrl(option: string, given: string, faults: string[]): URL | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "") return url;
  faults.push(
    `${option} must be an http or https address${option === "--source" ? ", or host:port" : ""}, not "${given}"`,
  );
  return undefined;
}

function readListen(typed: Typed, faults: string[]): ListenOptions {
  const given = typed.listen ?? "127.0.0.1:9090";
  const [, bracketed, plain, port = ""] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(given) ?? [];
  if (port === "" || Number(port) > 65_535) faults.push(`--listen must be host:port, not "${given}"`);
  const at = { host: bracketed ?? plain ?? "", port: Number(port) };
  const [cert, key] = [typed["tls-cert"], typed["tls-key"]];
  if (cert === undefined && key === undefined) return at;
  if (cert === undefined || key === undefined) {
    faults.push("--tls-cert and --tls-key need each other");
    return at;
  }
  return { ...at, tls: { cert: readPem("--tls-cert", cert, faults), key: readPem("--tls-key", key, faults) } };
}

function readPem(option: string, file: string, faults: string[]): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    faults.push(`${option} ${file}: ${(cause as Error).message}`);
    return Buffer.alloc(0);
  }
}

function readCount(option: string, given: string, faults: string[]): number {
  if (!/^[1-9]\d{0,3}$/.test(given)) faults.push(`${option} must be a whole number above 0, not "${given}"`);
  return Number(given);
}
