/**
 * `ledger.jsonl`: one line for each callback that the reference wallet received, applied or ended, in that order. The
 * file is only appended to.
 */
import { readFileSync } from "node:fs";
import type { Effect, Reply } from "../../sandbox/merchant/ledger.ts";

export type LedgerLine =
  | {
      readonly kind: "received";
      /** 1, 2, 3 ...; later lines of the same callback have the same number. */
      readonly call: number;
      /** Milliseconds since 1970. */
      readonly at: number;
      readonly merchant: string;
      /** X-Attempt. */
      readonly attempt: number;
      readonly requestId: string;
      /** The bytes as text. */
      readonly body: string;
      /** `ok`, or the fault. The wallet judges only callbacks with a right signature. */
      readonly signature: string;
    }
  | {
      readonly kind: "applied";
      readonly call: number;
      readonly at: number;
      readonly effect: Omit<Effect, "deltaMinor"> & { readonly deltaMinor: string };
    }
  | {
      readonly kind: "ended";
      readonly call: number;
      readonly at: number;
      /** `replied`: the last byte was handed to the socket; `cut`: the service closed it before. */
      readonly how: "replied" | "cut";
      /** The reply; null: there was none, or the service must not believe it (status 500, for example). */
      readonly answer: Reply | null;
    };

/** Every complete line. The last line may not be written completely yet. */
export function readLedger(file: string): LedgerLine[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LedgerLine);
}
