import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Row } from "../history/transaction-rows.ts";
import { OVERLOADED, SUCCESS, TIMED_OUT } from "../load/call.ts";

/**
 * The knowledge that a caller can have about a transaction, in rising order. If a transaction has several callers, the
 * highest value counts.
 */
const KNOWLEDGE = ["refused", "unsure", "timed out", "told", "told success"] as const;
type Known = (typeof KNOWLEDGE)[number];

/** The number of calls by kind and outcome: `bet` → `OVERLOADED` → 12. */
export type Tally = Map<string, Map<string, number>>;

/** The answers that callers got, by the provider's own id. */
export class Answers {
  readonly #known = new Map<string, Known>();

  get transactions(): number {
    return this.#known.size;
  }

  /** Reads a file of the load generator, and returns the number of calls by kind and outcome. */
  async read(file: string): Promise<Tally> {
    const tally: Tally = new Map();
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const [txId = "", kind = "", outcome = ""] = line.split("\t");
      this.add(txId, outcome);
      const outcomes = tally.get(kind) ?? new Map<string, number>();
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      tally.set(kind, outcomes);
    }
    return tally;
  }

  add(txId: string, outcome: string): void {
    const [before, now] = [this.#known.get(txId), knowledgeOf(outcome)];
    if (before === undefined || KNOWLEDGE.indexOf(now) > KNOWLEDGE.indexOf(before)) this.#known.set(txId, now);
  }

  /** @param rows - all rows of the table. */
  async compare(rows: AsyncIterable<Row> | Iterable<Row>): Promise<Compared> {
    const compared = {
      rows: 0,
      answered: 0,
      timedOut: 0,
      unsure: 0,
      refusedWithRow: 0,
      unrequested: 0,
      contradicted: 0,
      lost: 0,
    };
    const left = new Map(this.#known);
    for await (const { txId, status } of rows) {
      const own = txId.slice(txId.indexOf(":") + 1);
      const known = this.#known.get(own);
      left.delete(own);
      compared.rows += 1;
      if (known === undefined) compared.unrequested += 1;
      else if (known === "refused") compared.refusedWithRow += 1;
      else if (known === "unsure") compared.unsure += 1;
      else if (known === "timed out") compared.timedOut += 1;
      else {
        compared.answered += 1;
        if (known === "told success" && status !== "success") compared.contradicted += 1;
      }
    }
    for (const known of left.values()) if (known === "told" || known === "told success") compared.lost += 1;
    return compared;
  }
}

/** The number of rows by the result that their callers got. */
export interface Compared {
  readonly rows: number;
  /** The caller got a status. */
  readonly answered: number;
  readonly timedOut: number;
  /** The caller got a refusal that leaves the outcome open (SERVICE_UNAVAILABLE), or lost its connection. */
  readonly unsure: number;
  /** The caller got OVERLOADED, which promises that nothing was written. */
  readonly refusedWithRow: number;
  /** No caller sent this transaction. */
  readonly unrequested: number;
  /** The caller got success, but the row is not a success. */
  readonly contradicted: number;
  /** The caller got a status, but there is no row. */
  readonly lost: number;
}

/** The violations among the answers, as texts. */
export function violationsOf(compared: Compared): string[] {
  const texts: readonly (readonly [number, string])[] = [
    [compared.refusedWithRow, "rows whose callers were refused with OVERLOADED, which promises that there is none"],
    [compared.unrequested, "rows that no caller asked for"],
    [compared.contradicted, "rows that are not a success, although their callers were told so"],
    [compared.lost, "transactions whose callers were told a status, without a row"],
  ];
  return texts.filter(([n]) => n > 0).map(([n, text]) => `${n} ${text}`);
}

function knowledgeOf(outcome: string): Known {
  if (outcome === SUCCESS) return "told success";
  if (outcome === "PENDING" || outcome === "FAILED") return "told";
  if (outcome === TIMED_OUT) return "timed out";
  // The call was never sent, so it counts as refused.
  return outcome === OVERLOADED || outcome === "no stream in time" ? "refused" : "unsure";
}
