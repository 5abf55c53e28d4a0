/**
 * `ledger.jsonl`: one line each time the reference wallet receives, applies or ends a callback, in order of time. The
 * file only grows.
 */
import { readFileSync } from "node:fs";
import type { Effect, Reply } from "../../sandbox/merchant/ledger.ts";

export type LedgerLine =
  | {
      readonly kind: "received";
      /** 1, 2, 3 and so on. Later lines about the same callback have the same number. */
      readonly call: number;
      /** Milliseconds since 1970. */
      readonly at: number;
      readonly merchant: string;
      /** The X-Attempt header. */
      readonly attempt: number;
      readonly requestId: string;
      /** The callback's body as text. */
      readonly body: string;
      /** `ok`, or the fault. The wallet judges only callbacks with a valid signature. */
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
      /** `replied`: the last byte was written to the socket. `cut`: the service closed the connection before. */
      readonly how: "replied" | "cut";
      /** The reply; null: there was none, or the service must not trust it (for example status 500). */
      readonly answer: Reply | null;
    };

/** Every complete line. The last line may be incomplete. */
export function readLedger(file: string): LedgerLine[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LedgerLine);
}
