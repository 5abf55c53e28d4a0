import { createHash } from "node:crypto";
import { isOpenCredit } from "../../../testbed/judge/check-outside.ts";
import type { RoundWrite, Write } from "../../../testbed/judge/record.ts";
import type { MemoryRow } from "../../../testbed/memory/transaction-store.ts";
import type { Kernel } from "../world/kernel.ts";

/** The rows of the database. Every write is recorded and hashed. */
export class RecordedRows extends Map<string, MemoryRow> {
  readonly writes: Write[] = [];
  readonly roundWrites: RoundWrite[] = [];
  #statement = 0;
  readonly #hash = createHash("sha256");
  readonly #kernel: Kernel;

  constructor(kernel: Kernel) {
    super();
    this.#kernel = kernel;
  }

  /** Ends the current statement. Later writes belong to the next one. */
  nextStatement(): void {
    this.#statement += 1;
  }

  /** Records that the current statement stored a round. */
  roundStored({ merchantId, providerId, roundId, endedAt }: Omit<RoundWrite, "at" | "statement">): void {
    const at = this.#kernel.now;
    this.roundWrites.push({ merchantId, providerId, roundId, endedAt, at, statement: this.#statement });
    this.#hash.update(`${at}|round|${merchantId}|${roundId}|${endedAt}`);
  }

  override set(key: string, row: MemoryRow): this {
    this.writes.push({
      at: this.#kernel.now,
      statement: this.#statement,
      key,
      before: this.get(key)?.transaction,
      after: row.transaction,
      feedSeq: row.feedSeq,
    });
    const { status, attempts, leaseToken, leaseUntil, silentAt, nextAt, reversedBy, settledBy, playWin, resolvedBy } =
      row.transaction;
    this.#hash.update(
      [
        this.#kernel.now,
        key,
        status,
        attempts,
        leaseToken,
        leaseUntil,
        silentAt,
        nextAt,
        reversedBy,
        settledBy,
        playWin,
        resolvedBy,
        row.feedSeq,
      ].join("|"),
    );
    return super.set(key, row);
  }

  /** The hash of all writes so far, in their order. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  /** Whether a change still has no number. The lease of a dead process counts as a change, too. */
  hasUnnumbered(): boolean {
    for (const { feedSeq } of this.values()) if (feedSeq === null) return true;
    return false;
  }

  hasOpenCredit(): boolean {
    for (const { transaction } of this.values())
      if (isOpenCredit(transaction, (key) => this.get(key)?.transaction)) return true;
    return false;
  }
}
