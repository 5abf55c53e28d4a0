/**
 * Reads a wallet's reply. Most cases accept a reply with small faults of form. The faults are recorded for the cases
 * about form.
 */
import { type Currency, readAmount } from "./money.ts";

export interface Reply {
  /** The HTTP status; null when no reply came. */
  readonly status: number | null;
  /** The body, at most 64 KiB of it. */
  readonly text: string;
  /** From the first byte sent to the last byte received, in milliseconds. */
  readonly ms: number;
  readonly meaning: Meaning;
  /**
   * The faults of form, each as a sentence. The service would treat such a reply as no answer, or would cut decimals of
   * the balance.
   */
  readonly faults: readonly string[];
}

export type Meaning =
  /** `balance` in minor units; null when there is none. */
  | { readonly kind: "accepted"; readonly balance: bigint | null }
  | { readonly kind: "rejected"; readonly error: string }
  /**
   * Not an answer: the service would repeat the callback. `isUnanswered`: no reply came in time, or the connection was
   * refused or broke.
   */
  | { readonly kind: "silent"; readonly why: string; readonly isUnanswered?: boolean };

/** The service treats a balance above this as unknown. */
const BALANCE_MAX = 999_999_999_999_999n;

/** A part of the fault of a balance such as 12.345. */
export const MORE_DECIMALS = "more decimals";

/** Reads the meaning and the faults of a complete reply. */
export function readReply(status: number, text: string, currency: Currency): Pick<Reply, "meaning" | "faults"> {
  if (status >= 500) return { meaning: { kind: "silent", why: `HTTP ${status}` }, faults: [] };
  const silent = (why: string) => ({ meaning: { kind: "silent", why } as const, faults: [`${why}.`] });
  const body = text.replace(/^\uFEFF/, "");
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return silent(body === "" ? "The body is empty" : "The body is not JSON");
  }
  if (typeof json !== "object" || json === null || Array.isArray(json))
    return silent("The body is JSON, but no object");
  const { ok, error } = json as Record<string, unknown>;
  const faults: string[] = [];
  const means = typeof ok === "boolean" ? ok : { true: true, false: false, 1: true, 0: false }[String(ok)];
  if (means === undefined) return silent("`ok` is missing, or neither true nor false");
  if (typeof ok !== "boolean") faults.push(`\`ok\` is ${JSON.stringify(ok)}; it must be the boolean ${means}.`);
  if (!means) {
    if (error !== undefined && typeof error !== "string") faults.push("`error` is not a text.");
    return {
      meaning: { kind: "rejected", error: typeof error === "string" ? error.toUpperCase() : "UNKNOWN" },
      faults,
    };
  }
  return { meaning: { kind: "accepted", balance: readBalance(body, currency, faults) }, faults };
}

function readBalance(body: string, currency: Currency, faults: string[]): bigint | null {
  const text = fieldText(body, "balance");
  if (text === undefined) {
    faults.push("`ok` is true, and there is no `balance`.");
    return null;
  }
  const isText = text.startsWith('"');
  const read = readAmount(isText ? text.slice(1, -1) : text, currency);
  if (isText || read === undefined) faults.push(`\`balance\` is ${text}; it must be a number.`);
  else if (!read.exact)
    faults.push(`\`balance\` is ${text}: ${MORE_DECIMALS} than ${currency} has. The service cuts them off.`);
  if (read === undefined) return null;
  if (read.minor > BALANCE_MAX || read.minor < -BALANCE_MAX)
    faults.push(`\`balance\` is ${text}: beyond what the service passes on.`);
  return read.minor;
}

/**
 * The raw text of a field of the outermost object. If the field occurs twice, the last one counts. `json` must be valid
 * JSON.
 */
function fieldText(json: string, name: string): string | undefined {
  let depth = 0;
  let key: string | undefined;
  let last: string | undefined;
  let found: string | undefined;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === ":" && depth === 1) key = last;
    else if (token === "," && depth === 1) key = undefined;
    else if (depth === 1 && key !== undefined && JSON.parse(key) === name && token !== "}") found = token;
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    last = token;
  }
  return found;
}
