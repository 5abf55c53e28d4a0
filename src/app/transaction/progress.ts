import type { Transaction } from "../../domain/transaction/transaction.ts";
import type { TxKey } from "../../domain/values/identifiers.ts";
import type { Clock, Moment } from "../../ports/clock.ts";
import type { Span } from "../../ports/tracing.ts";

/** How far a run was when a request joined it. This decides which results of the run the request may get. */
export interface Joined {
  /**
   * The number of looks at the row that were sent before the request came. Another replica may have changed the row
   * since then.
   */
  readonly looks: number;
  /**
   * Whether the run held the row's lease when the request came. If so, no other process could change the row at that
   * moment.
   */
  readonly leased: boolean;
}

/**
 * How far one run of a transaction has come, for the requests that share the run. Another replica may change the row at
 * any time. An answer comes from one statement. It may be given only to requests that came before this statement was
 * sent. The run counts these statements. Each such statement is called a *look* at the row
 * (docs/specification/transactions.md#tx-fresh-answer).
 */
export class Progress {
  /** When the last of the run's requests stops waiting, by Clock.monotonic(). */
  #deadline = Number.NEGATIVE_INFINITY;
  /** The number of looks that were sent. */
  #looks = 0;
  /** The number of the last look whose result is known. */
  #known = 0;
  /** The row that the last look found pending, and the number of that look. */
  #pending: { readonly key: TxKey; readonly look: number } | undefined;
  #lease: { readonly since: Moment; readonly ms: number } | undefined;
  #onJoined: (() => void) | undefined;
  readonly #clock: Clock;
  /** The span of the request that started the run. The run's statements and its wallet call are steps of this span. */
  readonly span: Span | undefined;

  constructor(clock: Clock, span: Span | undefined) {
    this.#clock = clock;
    this.span = span;
  }

  get deadline(): number {
    return this.#deadline;
  }

  /** Adds a request to the run. The run goes on for as long as the request waits. */
  join(deadline: number): Joined {
    this.#deadline = Math.max(this.#deadline, deadline);
    const joined = { looks: this.#looks, leased: this.#isLeased() };
    this.#onJoined?.();
    return joined;
  }

  /** Calls `wake` when a request joins, because the joined request may need a new look. Replaces an earlier `wake`. */
  onJoined(wake: () => void): void {
    this.#onJoined = wake;
  }

  /** Call this before a statement is sent that reads or changes the row's state. */
  looking(): void {
    this.#looks += 1;
    this.#lease = undefined;
  }

  /** Records that the result of the last look has come. The run's answer is from this look. */
  looked(): void {
    this.#known = this.#looks;
  }

  /** Records that the last look has returned this row. */
  found(row: Transaction): void {
    this.looked();
    this.#pending = row.status === "pending" ? { key: row, look: this.#looks } : undefined;
  }

  /**
   * Records that the last look took the row's lease. Unless a result is recorded before, the lease ends `ms` after
   * `since`.
   */
  leased(row: Transaction, since: Moment, ms: number): void {
    this.found(row);
    this.#lease = { since, ms };
  }

  #isLeased(): boolean {
    return this.#lease !== undefined && this.#clock.elapsedSince(this.#lease.since) < this.#lease.ms;
  }

  /** Whether the run's answer may be given to the request. */
  serves(joined: Joined): boolean {
    return this.#known > joined.looks;
  }

  /**
   * The row that was pending at some moment since the request came, so that the request may get the answer pending;
   * undefined: no such row is known.
   */
  promisedTo(joined: Joined): TxKey | undefined {
    const pending = this.#pending;
    return pending !== undefined && (joined.leased || pending.look > joined.looks) ? pending.key : undefined;
  }
}
