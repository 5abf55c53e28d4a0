import { ok, type Refusal, type Result, refuse } from "../../domain/errors.ts";
import { firstDifference } from "../../domain/transaction/idempotency.ts";
import { type Answer, type Content, isCredit, isDue, type Transaction } from "../../domain/transaction/transaction.ts";
import { refusalOfZero } from "../../domain/transaction/zero-amount.ts";
import { keyText, type TxKey } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { WalletPermits } from "../capacity/wallet-permits.ts";
import { type Attempt, leaseMs } from "./attempt.ts";
import type { BatchedRows } from "./batched-rows.ts";
import { Drive, type DriveParts, REPLY_RESERVE_MS } from "./drive.ts";
import { HeldPermit } from "./held-permit.ts";
import { type Joined, Progress } from "./progress.ts";
import { type ReversalTiming, type TransactionPair, TransactionPairs } from "./transaction-pairs.ts";

/** A pending rollback that holds a pending win for longer than this needs a person. */
const WIN_HELD_ALERT_MS = 600_000;
const HELD_AGAIN_MS = 60_000;

interface Run {
  readonly content: Content;
  readonly progress: Progress;
  /** The row's content is known (or the run is over). */
  readonly opened: Promise<void>;
  readonly ended: Promise<Result<Answer>>;
}

/**
 * The transactions that are under way in this process: one run for each, shared by the requests that ask for the same. What a run does is a
 * {@link Drive}.
 */
export class Transact {
  readonly #running = new Map<string, Run>();
  #active = 0;
  readonly #rows: BatchedRows;
  readonly #pairs: TransactionPairs;
  readonly #attempt: Attempt;
  readonly #permits: WalletPermits;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #parts: DriveParts;

  constructor(rows: BatchedRows, attempt: Attempt, permits: WalletPermits, clock: Clock, random: Random, telemetry: Telemetry, policy: ReversalTiming) {
    this.#rows = rows;
    this.#attempt = attempt;
    this.#permits = permits;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#pairs = new TransactionPairs(rows, clock, random, policy);
    const endOfRun = (key: TxKey) => this.#running.get(keyText(key))?.ended;
    this.#parts = { pairs: this.#pairs, attempt, permits: permits, clock, leaseMs: leaseMs(policy), endOfRun };
  }

  /**
   * The answer to a request, or pending shortly before `deadline` (Clock.monotonic()); the transaction then goes on by itself.
   * Refusals: TRANSACTION_MISMATCH, TRANSACTION_REVERSED, OVERLOADED, SERVICE_UNAVAILABLE (a credit's row wasn't written in time).
   * Throws when the database failed before the row was known.
   */
  async run(content: Content, deadline: number): Promise<Result<Answer>> {
    for (;;) {
      const told = await this.#share(content, deadline);
      if (told !== undefined) return told;
      // What the run found was asked of the database before this request came. Another replica may have changed the row since.
      if (this.#leftMs(deadline) <= 0) return timeIsUp(content, undefined);
    }
  }

  /** Transactions at work here, answered pending or not: what a stop waits for. */
  get active(): number {
    return this.#active;
  }

  /** The row as it is now, for callers that must not start anything. */
  read(key: TxKey): Promise<Transaction | undefined> {
    return this.#rows.read(key);
  }

  /** Why a transaction of amount 0 is refused; `undefined`: nothing that is there is against it. Writes nothing. */
  async refusalOfZero(content: Content): Promise<Refusal | undefined> {
    const { merchantId, refTxId } = content;
    const [row, reversed] = await Promise.all([this.#rows.read(content), refTxId === null ? undefined : this.#rows.read({ merchantId, txId: refTxId })]);
    return refusalOfZero(content, row, reversed);
  }

  /**
   * Sends a due credit again, if a place is free and it is still due; answers whether the wallet was called. The worker's way in: never waits
   * for a place, never throws.
   */
  async resend(key: TxKey): Promise<boolean> {
    if (this.#running.has(keyText(key))) return false;
    const taken = await this.#permits.take(key.merchantId, "resend", 0);
    if (taken === undefined) return false;
    const heldPermit = new HeldPermit(taken);
    this.#active += 1;
    let called = false;
    try {
      const pair = await this.#pairs.read(key);
      // Another replica, or a repeat, may have sent it since it was found to be due.
      if (pair === undefined || !isDue(pair.row)) return false;
      const decision = this.#pairs.decide(pair, null);
      if (decision.do === "call") {
        const held = await this.#pairs.takeOver(decision);
        if (held !== undefined) {
          called = true;
          await this.#attempt.run(held, heldPermit.pass(), new Progress(this.#clock));
        }
      } else if (decision.do === "answer" && pair.row.status === "pending") await this.#waitForReversal(pair);
    } catch (cause) {
      this.#telemetry.error(`resending ${keyText(key)}`, cause);
    } finally {
      this.#active -= 1;
      heldPermit.release();
    }
    return called;
  }

  /** A win held by its rollback: look again when the rollback releases it, or else later. Call a person when it takes long. */
  async #waitForReversal({ row, other }: TransactionPair): Promise<void> {
    if (other?.status === "pending" && row.readAt - other.createdAt > WIN_HELD_ALERT_MS) {
      this.#telemetry.alert("win_held", { merchant_id: row.merchantId, tx_id: row.txId, rollback: other.txId });
    }
    await this.#rows.schedule({ key: row, seen: row, inMs: this.#pairs.releasedInMs(other) ?? HELD_AGAIN_MS });
  }

  /** Waits for the run of this transaction, or starts it. `undefined`: it has ended, and its answer is too old for this request. */
  #share(content: Content, deadline: number): Promise<Result<Answer> | undefined> {
    const run = this.#running.get(keyText(content));
    if (run === undefined) {
      const started = this.#start(content, deadline);
      return this.#patiently(started.ended, content, deadline, started.progress, FIRST);
    }
    if (firstDifference(run.content, content) === undefined) {
      return this.#patiently(run.ended, content, deadline, run.progress, run.progress.join(deadline));
    }
    // Other content under the same id: the row decides, so it must be there first.
    const progress = new Progress(this.#clock);
    progress.join(deadline);
    const ended = run.opened.then(() => this.#drive(content, progress, () => {}));
    return this.#patiently(ended, content, deadline, progress, FIRST);
  }

  #start(content: Content, deadline: number): Run {
    const opened = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<Result<Answer>>();
    const run: Run = { content, progress: new Progress(this.#clock), opened: opened.promise, ended: ended.promise };
    run.progress.join(deadline);
    this.#running.set(keyText(content), run);
    const finish = () => {
      this.#running.delete(keyText(content));
      opened.resolve();
    };
    this.#drive(content, run.progress, opened.resolve).then(
      (result) => {
        finish();
        ended.resolve(result);
      },
      (cause) => {
        finish();
        ended.reject(cause);
      },
    );
    return run;
  }

  /**
   * Stops waiting, not the work: 100 ms before the deadline a transaction that still runs is answered pending. `undefined`: the run has ended
   * without a look at the row since the request joined.
   */
  #patiently(ended: Promise<Result<Answer>>, content: Content, deadline: number, progress: Progress, joined: Joined): Promise<Result<Answer> | undefined> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(Math.max(0, this.#leftMs(deadline)), () => resolve(timeIsUp(content, progress.promisedTo(joined))));
      ended.then(
        (result) => {
          cancel();
          resolve(progress.serves(joined) ? result : undefined);
        },
        (cause) => {
          cancel();
          reject(cause);
        },
      );
    });
  }

  /** Until the caller must have its answer. */
  #leftMs(deadline: number): number {
    return deadline - this.#clock.monotonic() - REPLY_RESERVE_MS;
  }

  async #drive(content: Content, progress: Progress, opened: () => void): Promise<Result<Answer>> {
    const drive = new Drive(content, progress, this.#parts);
    await drive.takePlace();
    this.#active += 1;
    try {
      return await drive.run(opened);
    } finally {
      this.#active -= 1;
    }
  }
}

/** The request that starts a run comes before all of its looks. */
const FIRST: Joined = { looks: 0, leased: false };

/**
 * The answer to a request that can wait no longer. To a credit's caller pending is a promise (it is delivered, you may stop), so it needs a
 * durable row that is known to be pending; without one the caller must come again.
 */
function timeIsUp(content: Content, promised: TxKey | undefined): Result<Answer> {
  return promised === undefined && isCredit(content.action) ? refuse("SERVICE_UNAVAILABLE") : ok({ status: "pending", txId: (promised ?? content).txId });
}
