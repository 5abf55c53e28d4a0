import type { Transaction } from "../../domain/transaction/transaction.ts";
import type { TxKey } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";

/** What a request may be told of a run. It is noted when the request joins. */
export interface Joined {
  /** Looks at the row sent before the request came. What they found may have changed on another replica since. */
  readonly looks: number;
  /** The run held the row's lease when the request came: nobody else could change the row at that moment. */
  readonly leased: boolean;
}

/**
 * How far one run of a transaction has come, for the requests that share it. Another replica may change the row at any time, so an answer
 * serves only the requests that came before the statement it rests on was sent. The run counts these statements ("looks").
 */
export class Progress {
  /** When the last of its requests stops waiting, by Clock.monotonic(). */
  #deadline = Number.NEGATIVE_INFINITY;
  /** Looks sent, and the last one whose result is known. */
  #looks = 0;
  #known = 0;
  /** The row that stays pending without anybody waiting, and the look that found it so. */
  #pending: { readonly key: TxKey; readonly look: number } | undefined;
  #leasedUntil = Number.NEGATIVE_INFINITY;
  #onJoined: (() => void) | undefined;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get deadline(): number {
    return this.#deadline;
  }

  /** A request shares the run from now on. The run goes on for as long as the request waits. */
  join(deadline: number): Joined {
    this.#deadline = Math.max(this.#deadline, deadline);
    const joined = { looks: this.#looks, leased: this.#clock.monotonic() < this.#leasedUntil };
    this.#onJoined?.();
    return joined;
  }

  /** Calls `wake` when a request joins: what was found before may not serve it. Replaces the one of before. */
  onJoined(wake: () => void): void {
    this.#onJoined = wake;
  }

  /** Call this before a statement is sent that tells the row's state or changes it. */
  looking(): void {
    this.#looks += 1;
    this.#leasedUntil = Number.NEGATIVE_INFINITY;
  }

  /** The result of the last look has come; what the run answers rests on it. */
  looked(): void {
    this.#known = this.#looks;
  }

  /** The last look found this row. */
  found(row: Transaction): void {
    this.looked();
    this.#pending = row.status === "pending" ? { key: row, look: this.#looks } : undefined;
  }

  /** The last look took the row's lease, which ends at `until` (Clock.monotonic()) if nothing is recorded before. */
  leased(row: Transaction, until: number): void {
    this.found(row);
    this.#leasedUntil = until;
  }

  /** Whether the run's answer may be told to the request. */
  serves(joined: Joined): boolean {
    return this.#known > joined.looks;
  }

  /** The row that goes on by itself, as far as the request may be told; undefined: no row, or none known to be pending since the request came. */
  promisedTo(joined: Joined): TxKey | undefined {
    const pending = this.#pending;
    return pending !== undefined && (joined.leased || pending.look > joined.looks) ? pending.key : undefined;
  }
}
