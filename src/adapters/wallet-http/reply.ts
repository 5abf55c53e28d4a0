/** Reads a wallet's reply: turns status and bytes into an answer (docs/specification/wallet-calls.md#wallet-reply). */

import type { SilenceCause } from "../../../contract/wallet/results.ts";
import type { WalletAnswer } from "../../domain/transaction/transaction.ts";
import type { Currency } from "../../domain/values/money.ts";
import { balanceFromNumber } from "../../domain/values/money.ts";

/** The maximum of bytes of a body that are read. */
export const REPLY_BYTES_MAX = 65_536;

type Answered<Kind extends WalletAnswer["kind"]> = Extract<WalletAnswer, { readonly kind: Kind }>;

export type Reading =
  | {
      readonly result: "accepted";
      readonly answer: Answered<"accepted">;
      /** The balance as the wallet wrote it, if it is not a whole number of minor units or does not fit into the column. */
      readonly inexact?: number;
    }
  | { readonly result: "rejected"; readonly answer: Answered<"rejected"> }
  | { readonly result: SilenceCause; readonly answer: Answered<"silent"> };

export const silence = (result: SilenceCause): Reading => ({ answer: { kind: "silent" }, result });

/**
 * Reads a complete reply. Only the fields `ok`, `balance` and `error` are used. If a key occurs twice, the last one
 * counts. Content-Type is ignored.
 */
export function readReply(status: number, body: Buffer, currency: Currency): Reading {
  if (status >= 500) return silence("http_5xx");
  const reply = parse(body);
  if (reply === undefined) return silence("not_json");
  if (!isObject(reply) || typeof reply.ok !== "boolean") return silence("no_ok");
  if (!reply.ok) {
    const answer = { kind: "rejected", error: errorCode(reply.error), ...balanceOfRejection(reply.balance, currency) };
    return { answer: answer as Answered<"rejected">, result: "rejected" };
  }
  // JSON.parse reads 1e400 as Infinity.
  if (typeof reply.balance !== "number" || !Number.isFinite(reply.balance)) return silence("no_balance");
  const { minor, exact } = balanceFromNumber(reply.balance, currency);
  const answer = { kind: "accepted", balanceMinor: minor } as const;
  return exact ? { answer, result: "accepted" } : { answer, result: "accepted", inexact: reply.balance };
}

/** A rejection needs no balance, so an unusable one counts as none. */
function balanceOfRejection(balance: unknown, currency: Currency): { readonly balanceMinor?: bigint } {
  if (typeof balance !== "number" || !Number.isFinite(balance)) return {};
  const { minor } = balanceFromNumber(balance, currency);
  return minor === null ? {} : { balanceMinor: minor };
}

const isObject = (value: unknown): value is Record<"ok" | "balance" | "error", unknown> =>
  typeof value === "object" && value !== null;

/** Parses UTF-8 JSON, with or without a BOM. `undefined`: the bytes are not JSON. */
function parse(body: Buffer): unknown {
  const text = body.toString("utf8");
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

const CODE_POINTS_MAX = 64;
const BYTES_MAX = 255;

/**
 * The error code of a rejection in the form in which it is stored: upper case, no control characters, at most 64 code
 * points and 255 bytes. UNKNOWN: the wallet sent no code.
 */
export function errorCode(error: unknown): string {
  if (typeof error !== "string") return "UNKNOWN";
  const text = error
    .toUpperCase()
    .toWellFormed()
    .replace(/\p{Cc}/gu, "");
  const points = [...text.slice(0, 2 * CODE_POINTS_MAX)].slice(0, CODE_POINTS_MAX);
  while (Buffer.byteLength(points.join("")) > BYTES_MAX) points.pop();
  return points.length === 0 ? "UNKNOWN" : points.join("");
}
