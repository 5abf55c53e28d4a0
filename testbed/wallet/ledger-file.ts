/** `ledger.jsonl`: what the reference wallet received, applied and answered, line by line, in the order in which it happened. Only ever appended to. */
import { readFileSync } from "node:fs";
import type { Effect, Reply } from "../../sandbox/merchant/ledger.ts";

export type LedgerLine =
  | {
      readonly kind: "received";
      /** 1, 2, 3 ...; the later lines of the same callback carry it, too. */
      readonly call: number;
      /** Milliseconds since 1970. */
      readonly at: number;
      readonly merchant: string;
      /** X-Attempt. */
      readonly attempt: number;
      readonly requestId: string;
      /** The bytes as text. */
      readonly body: string;
      /** `ok`, or what is wrong with it. Only what is signed rightly is judged. */
      readonly signature: string;
    }
  | { readonly kind: "applied"; readonly call: number; readonly at: number; readonly effect: Omit<Effect, "deltaMinor"> & { readonly deltaMinor: string } }
  | {
      readonly kind: "ended";
      readonly call: number;
      readonly at: number;
      /** `replied`: the last byte was handed to the socket; `cut`: the service closed it before. */
      readonly how: "replied" | "cut";
      /** What the reply said; null: none, or one that isn't to be believed. */
      readonly answer: Reply | null;
    };

/** Every whole line; the last one may still be in the writing. */
export function readLedger(file: string): LedgerLine[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LedgerLine);
}
