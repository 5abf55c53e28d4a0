import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readSecretVariables } from "../src/domain/access/secret-variables.ts";
import { parseInstant } from "../src/domain/values/instant.ts";
import type { Credentials } from "./api.ts";
import type { Range } from "./comparison.ts";

export const USAGE = `npm run reconcile -- --ledger <file.csv> [--day <YYYY-MM-DD> | --from <time> --to <time>] [--tz <zone>] [--json]

Compares a merchant's ledger with the service's transactions, over the signed API alone.

  --ledger <file>   CSV with a header, of just this range. Columns in any order, others are ignored:
                    tx_id, action (bet, win, refund, rollback), amount (2.50; always positive);
                    if need be currency (else the merchant's) and status (success, or failed for what
                    the wallet refused; else success)
  --day <date>      one day; without a range all that the service has is compared
  --from, --to      any range: from the first moment to just before the second; a date (its midnight) or
                    a time with its zone (2026-01-31T12:00:00Z)
  --tz <zone>       whose days and midnights are meant, such as America/Sao_Paulo; UTC by default
  --json            one JSON object: merchant, currency, from, to, counts, differences

Environment: API_URL (http://localhost:8080 by default, without /v1), MERCHANT_CODE, MERCHANT_SECRET
             (or MERCHANT_SECRET_FILE: the path of a file with the secret).
Exit codes: 0 equal, 1 there are differences, 2 nothing was compared (usage, the file, the API).
`;

export interface Arguments {
  readonly credentials: Credentials;
  readonly file: string;
  readonly range: Range;
  readonly json: boolean;
}

/** The command line or the environment is wrong. The message has a line for each fault. */
export class UsageFault extends Error {
  override readonly name = "UsageFault";
}

/**
 * Reads the command line. `"help"`: the command line has --help.
 *
 * @throws UsageFault
 */
export function readArguments(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Arguments | "help" {
  const text = { type: "string" } as const;
  const options = {
    ledger: text,
    day: text,
    from: text,
    to: text,
    tz: text,
    json: { type: "boolean" },
    help: { type: "boolean" },
  } as const;
  let typed: ReturnType<typeof parseArgs<{ options: typeof options }>>["values"];
  try {
    typed = parseArgs({ args: [...words], options }).values;
  } catch (cause) {
    throw new UsageFault((cause as Error).message);
  }
  if (typed.help === true) return "help";
  const { ledger, day, from, to, tz = "UTC", json = false } = typed;
  const faults: string[] = [];
  if (ledger === undefined) faults.push("--ledger is missing: the CSV file to compare");
  if (day !== undefined && (from ?? to) !== undefined) faults.push("Say one range: --day, or --from and --to");
  else if ((from === undefined) !== (to === undefined))
    faults.push(`--${from === undefined ? "from" : "to"} is missing beside the other`);
  const merchant = env.MERCHANT_CODE ?? "";
  const secrets = readSecretVariables(env, ["MERCHANT_SECRET"], (path) => readFileSync(path, "utf8"));
  const secret = secrets.env.MERCHANT_SECRET ?? "";
  if (merchant === "") faults.push("MERCHANT_CODE is not set: the merchant's code");
  faults.push(...secrets.faults);
  if (secret === "" && secrets.faults.length === 0) faults.push("MERCHANT_SECRET is not set: the merchant's secret");
  // In version 1.0.0 the address had to end with /v1. Such an address still works.
  const apiUrl = (env.API_URL ?? "http://localhost:8080").replace(/\/(v1\/?)?$/, "");
  if (!/^https?:\/\/./.test(apiUrl)) faults.push(`API_URL must be an http(s) address without /v1, not "${apiUrl}"`);
  const range = faults.length > 0 ? undefined : readRange(day, from, to, tz, faults);
  if (range === undefined || ledger === undefined) throw new UsageFault(faults.join("\n"));
  return { credentials: { apiUrl, merchant, secret }, file: ledger, range, json };
}

/** The default range: all transactions up to now, and those that are created while the program runs. */
const ALL = (): Range => ({ from: 0, to: Date.now() + DAY_MS });
const DAY_MS = 86_400_000;

function readRange(
  day: string | undefined,
  from: string | undefined,
  to: string | undefined,
  tz: string,
  faults: string[],
): Range | undefined {
  if (!isZone(tz)) {
    faults.push(`--tz must be the name of a time zone, such as America/Sao_Paulo, not "${tz}"`);
    return undefined;
  }
  if (day !== undefined) {
    const [first, next] = isDate(day) ? [midnight(day, tz, 0), midnight(day, tz, 1)] : [];
    if (first !== undefined && next !== undefined) return { from: first, to: next };
    faults.push(`--day must be a date such as 2026-01-31, not "${day}"`);
    return undefined;
  }
  if (from === undefined || to === undefined) return ALL();
  const moment = (flag: string, text: string): number => {
    const ms = isDate(text) ? midnight(text, tz, 0) : parseInstant(text);
    if (ms === undefined)
      faults.push(`${flag} must be a date such as 2026-01-31, or a time with its zone, not "${text}"`);
    return ms ?? Number.NaN;
  };
  const range = { from: moment("--from", from), to: moment("--to", to) };
  if (range.to <= range.from) faults.push("--to must be later than --from");
  return faults.length === 0 ? range : undefined;
}

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);
const isZone = (tz: string): boolean =>
  orUndefined(() => new Intl.DateTimeFormat("en", { timeZone: tz })) !== undefined;
/** The first moment of a date in a zone, or of the date `daysLater` days after it. */
const midnight = (date: string, timeZone: string, daysLater: number): number | undefined =>
  orUndefined(
    () => Temporal.PlainDate.from(date).add({ days: daysLater }).toZonedDateTime({ timeZone }).epochMilliseconds,
  );

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
