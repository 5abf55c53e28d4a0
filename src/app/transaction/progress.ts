import type { Transaction, WinOfPlay } from "../../domain/transaction/transaction.ts";
import type { TxKey } from "../../domain/values/identifiers.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";
import type { Clock, Moment } from "../../ports/clock.ts";
import type { Span } from "../../ports/tracing.ts";
import type { Permit } from "../capacity/wallet-permits.ts";

/** The content of a win that waits for its bet, and the token of its void row. */
export type WaitingWin = WinOfPlay & Pick<Transaction, "leaseToken">;

/** A row whose lease this process holds, and the permit to call its wallet: all that a call needs. */
export interface Held {
  readonly row: Transaction;
  /** When the statement that took the lease was sent. The lease ends `leaseMs` after this moment. */
  readonly sentAt: Moment;
  readonly leaseMs: WholeMs;
  /** For a reversal: whether the reversed row's quiet period had passed when this call began. */
  readonly quiet: boolean;
  readonly permit: Permit;
  /** The win that waits for this bet, and becomes pending with the bet's success. */
  readonly win?: WaitingWin | undefined;
  /** The wallet is not called, because the Play's win can never be paid: the code with which the bet fails. */
  readonly refused?: "TRANSACTION_MISMATCH" | "TRANSACTION_REVERSED" | undefined;
}

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
  /** The lease that the last look took. Unless a result is recorded before, it ends when its time has passed. */
  #lease: Held | undefined;
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

  /**
   * Sends a statement that reads or changes the row's state, and records the look. The run's answer comes from its last
   * look.
   *
   * @param send - sends the statement.
   * @param shown - the row that the statement has shown, and its lease if the statement has taken it.
   */
  async look<Found>(
    send: () => Promise<Found>,
    shown: (found: Found) => { readonly row: Transaction } | Held | undefined = () => undefined,
  ): Promise<Found> {
    this.#looks += 1;
    this.#lease = undefined;
    const look = this.#looks;
    const found = await send();
    this.#known = look;
    const seen = shown(found);
    if (seen !== undefined) this.#pending = seen.row.status === "pending" ? { key: seen.row, look } : undefined;
    if (seen !== undefined && "leaseMs" in seen) this.#lease = seen;
    return found;
  }

  #isLeased(): boolean {
    return this.#lease !== undefined && this.#clock.elapsedSince(this.#lease.sentAt) < this.#lease.leaseMs;
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
