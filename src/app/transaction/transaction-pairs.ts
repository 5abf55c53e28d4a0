import type { Refusal } from "../../domain/errors.ts";
import { type Decision, decideOriginal, decideReversal } from "../../domain/transaction/decide.ts";
import { referenceMismatch, releasedInMs, unseenOriginal } from "../../domain/transaction/reversal.ts";
import { type Content, isReversal, NEVER, type Transaction } from "../../domain/transaction/transaction.ts";
import { keyText, type TxKey } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { Claimed, ClaimLine } from "../../ports/transactions/transaction-store.ts";
import { type Held, type LeasePolicy, leaseMs } from "./attempt.ts";
import type { BatchedRows } from "./batched-rows.ts";

/** A row and the one it is tied to: an original's reversal, or what a reversal reverses. */
export interface TransactionPair {
  readonly row: Transaction;
  readonly other: Transaction | undefined;
}

export interface ReversalTiming extends LeasePolicy {
  /** How long after an unanswered attempt a late copy of it may still reach the wallet. */
  readonly quietPeriodMs: number;
}

/** Reads a row with the one it is tied to, decides by both, and takes the steps that decisions ask for. */
export class TransactionPairs {
  readonly #rows: BatchedRows;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #policy: ReversalTiming;

  constructor(rows: BatchedRows, clock: Clock, random: Random, policy: ReversalTiming) {
    this.#rows = rows;
    this.#clock = clock;
    this.#random = random;
    this.#policy = policy;
  }

  /** A row that was seen before. */
  async mustRead(key: TxKey): Promise<TransactionPair> {
    const pair = await this.read(key);
    if (pair === undefined) throw new Error(`${keyText(key)} was there and is gone`);
    return pair;
  }

  /** `undefined`: nothing is written, or only half of a reversal's first statement, which is as good as nothing. */
  async read(key: TxKey): Promise<TransactionPair | undefined> {
    const row = await this.#rows.read(key);
    const pair = row && (await this.#tied(row));
    return pair?.row.status === "void" && isReversal(pair.row.action) && pair.other === undefined ? undefined : pair;
  }

  async #tied(row: Transaction): Promise<TransactionPair> {
    const other = isReversal(row.action) ? row.refTxId : row.reversedBy;
    return { row, other: other === null ? undefined : await this.#rows.read({ merchantId: row.merchantId, txId: other }) };
  }

  /** @param asked - the request's content; null when the worker asks. */
  decide({ row, other }: TransactionPair, asked: Content | null): Decision {
    if (!isReversal(row.action)) return decideOriginal(row, asked, other, this.#policy.quietPeriodMs);
    if (other === undefined) throw new Error(`${keyText(row)} reverses a row that is not there`);
    return decideReversal(row, asked, other, this.#policy.quietPeriodMs);
  }

  /** See the domain's {@link releasedInMs}. */
  releasedInMs(reversal: Transaction | undefined): number | undefined {
    return releasedInMs(reversal, this.#policy.quietPeriodMs);
  }

  /** Writes the row: a leased claim (`held`) when it is new and there is a place, else what is there. */
  async open(asked: Content, placed: boolean): Promise<TransactionPair | { held: Held } | { refusal: Refusal }> {
    if (isReversal(asked.action)) return this.#openReversal(asked);
    const sentAt = this.#clock.monotonic();
    const { mine, row } = await this.#rows.claim({ content: asked, token: this.#random.token(), as: placed ? "leased" : "due", leaseMs: this.#leaseMs() });
    if (mine && placed) return { held: { row, sentAt, quiet: true } };
    return this.#tied(row);
  }

  /** A reversal starts void, with a void row for an original nobody has seen, in one statement; its mark makes it pending. */
  async #openReversal(asked: Content): Promise<TransactionPair | { refusal: Refusal }> {
    const original = unseenOriginal(asked);
    const [there, reversed] = await Promise.all([this.#rows.read(asked), this.#rows.read(original)]);
    const voidLine = (content: Content) => ({ content, token: this.#random.token(), as: "void" as const, leaseMs: 0 });
    if (there !== undefined) {
      const pair = await this.#tied(there);
      if (pair.other !== undefined || !isReversal(there.action)) return pair;
      // Both were to be written at once, and only the original's line was refused.
      return { row: there, other: (await this.#rows.claim(voidLine(unseenOriginal(there)))).row };
    }
    const field = reversed === undefined ? undefined : referenceMismatch(asked, reversed);
    if (field !== undefined) return { refusal: { code: "TRANSACTION_MISMATCH", field } };
    const { mine, row, other } = await this.#claimVoid(voidLine(asked), voidLine(original), reversed);
    // Another replica's copy was faster and may be pending by now: then what was read of the original before is too old to judge by.
    return mine ? { row, other } : this.#tied(row);
  }

  /** Writes a reversal's void row, and with it the original's where nobody has seen that. */
  async #claimVoid(own: ClaimLine, original: ClaimLine, reversed: Transaction | undefined): Promise<Claimed & { other: Transaction }> {
    if (reversed !== undefined) return { ...(await this.#rows.claim(own)), other: reversed };
    const [claimed, unseen] = await this.#rows.claimBoth([own, original]);
    return { ...claimed, other: unseen.row };
  }

  /** Makes a void row the request's own, leased. `undefined`: somebody was faster. */
  async adopt(content: Content, row: Transaction): Promise<Held | undefined> {
    const sentAt = this.#clock.monotonic();
    const taken = await this.#rows.adopt({ content, seen: row.leaseToken, token: this.#random.token(), as: "leased", leaseMs: this.#leaseMs() });
    return taken && { row: taken, sentAt, quiet: true };
  }

  /** Leases a row for a further attempt. `undefined`: somebody was faster. */
  async takeOver({ row, quiet }: { row: Transaction; quiet: boolean }): Promise<Held | undefined> {
    const sentAt = this.#clock.monotonic();
    const taken = await this.#rows.takeOver({ key: row, seen: row, token: this.#random.token(), leaseMs: this.#leaseMs() });
    return taken && { row: taken, sentAt, quiet };
  }

  /** Tries to win a void reversal's mark; the next reading tells who has it. */
  async mark(reversal: Transaction): Promise<void> {
    if (reversal.refTxId === null) throw new Error("only a reversal is marked");
    await this.#rows.mark({ key: reversal, seen: reversal.leaseToken, reversed: reversal.refTxId });
  }

  /** The wallet can't be called now: the credit is made pending and due, for the worker. `false`: its row has changed since it was read. */
  async leaveToWorker({ do: what, row }: Decision & { do: "call" | "adopt" }, content: Content): Promise<boolean> {
    if (what === "adopt") return (await this.#rows.adopt({ content, seen: row.leaseToken, token: this.#random.token(), as: "due", leaseMs: 0 })) !== undefined;
    // Past its horizon it is never due by itself.
    return (row.status === "pending" && row.nextAt !== NEVER) || this.#rows.schedule({ key: row, seen: row, inMs: 0 });
  }

  #leaseMs(): number {
    return leaseMs(this.#policy);
  }
}
