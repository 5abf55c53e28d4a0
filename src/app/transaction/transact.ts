import { ok, type Refusal, type Result, refuse } from "../../domain/errors.ts";
import { firstDifference } from "../../domain/transaction/idempotency.ts";
import {
  type Answer,
  type Content,
  isCredit,
  isDue,
  isReversal,
  type Transaction,
  type TransactionRequest,
  type WinOfPlay,
} from "../../domain/transaction/transaction.ts";
import { refusalOfZero } from "../../domain/transaction/zero-amount.ts";
import { keyText, type TxKey } from "../../domain/values/identifiers.ts";
import { labelDifference } from "../../domain/values/labels.ts";
import { wholeMs } from "../../domain/values/whole-ms.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { Span, Tracing } from "../../ports/tracing.ts";
import type { WalletPermits } from "../capacity/wallet-permits.ts";
import type { Attempt } from "./attempt.ts";
import type { BatchedRows } from "./batched-rows.ts";
import { type DriveParts, drive, REPLY_RESERVE_MS, RecentKeys, takePermit } from "./drive.ts";
import { type Held, type Joined, Progress } from "./progress.ts";
import { type ReversalTiming, type TransactionPair, TransactionPairs } from "./transaction-pairs.ts";

/** When a pending rollback has held a pending win for longer than this, an alert is raised. */
const WIN_HELD_ALERT_MS = 600_000;
/** If a pending rollback holds a win, the win becomes due again after this time. */
const HELD_AGAIN_MS = wholeMs(60_000);

interface Run {
  readonly content: TransactionRequest;
  readonly progress: Progress;
  /** Resolves when the row has been written or read, or when the run has ended. */
  readonly opened: Promise<void>;
  readonly ended: Promise<Result<Answer>>;
}

/**
 * The transactions that are in progress in this process. Each has one run, which concurrent requests for the same
 * transaction share. {@link drive} does the work of a run.
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
  readonly #tracing: Tracing | null;
  readonly #parts: DriveParts;

  constructor(
    rows: BatchedRows,
    attempt: Attempt,
    permits: WalletPermits,
    clock: Clock,
    random: Random,
    telemetry: Telemetry,
    policy: ReversalTiming,
    tracing: Tracing | null = null,
  ) {
    this.#rows = rows;
    this.#attempt = attempt;
    this.#permits = permits;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#tracing = tracing;
    this.#pairs = new TransactionPairs(rows, clock, random, policy);
    const endOfRun = (key: TxKey) => this.#running.get(keyText(key))?.ended;
    const recent = new RecentKeys();
    const found: DriveParts["found"] = (row, request) => this.#compareLabels(row, request);
    const begin: DriveParts["begin"] = (win, progress) => this.#begin(win, progress);
    this.#parts = { pairs: this.#pairs, attempt, permits, clock, recent, endOfRun, found, begin };
  }

  /** Raises an alert if a repeat has other labels than its transaction (docs/specification/kinds.md#kinds-frozen). */
  #compareLabels(row: Transaction, request: TransactionRequest): void {
    const differs = isReversal(request.action) ? undefined : labelDifference(row.labels, request.labels);
    if (differs === undefined || firstDifference(row, request) !== undefined) return;
    this.#telemetry.alert("label_differs", { merchant_id: row.merchantId, tx_id: row.txId, ...differs });
  }

  /**
   * Returns the answer to a request. Shortly before `deadline` (Clock.monotonic()) it returns pending, and the
   * transaction goes on. Refusals: TRANSACTION_MISMATCH, TRANSACTION_REVERSED, BET_NOT_FOUND, BET_PENDING, BET_SETTLED,
   * OVERLOADED, SERVICE_UNAVAILABLE (a credit's row was not written in time). Throws when the database failed before the row was known.
   *
   * @param span - the request's span. It gets the steps of the run if this request starts the run.
   */
  async run(content: TransactionRequest, deadline: number, span?: Span): Promise<Result<Answer>> {
    for (;;) {
      const result = await this.#share(content, deadline, span);
      if (result !== undefined) return result;
      // The run's last look was sent before this request came. Another replica may have changed the row since then.
      if (this.#leftMs(deadline) <= 0) return timeIsUp(content, undefined);
    }
  }

  /**
   * The number of transactions in progress in this process, also those whose callers have already got pending. A stop
   * of the service waits for them.
   */
  get active(): number {
    return this.#active;
  }

  /** See {@link TransactionPairs.seal}. */
  seal(original: Content, by: Content["txId"], span?: Span): Promise<boolean> {
    return this.#pairs.seal(original, by, span);
  }

  /** The row as it is now. This starts no run. */
  read(key: TxKey): Promise<Transaction | undefined> {
    return this.#rows.read(key);
  }

  /**
   * The refusal of a transaction of amount 0; `undefined`: no existing row contradicts it. Writes no row. If the
   * transaction is a win that settles a bet, the bet is marked.
   */
  async refusalOfZero(content: Content): Promise<Refusal | undefined> {
    const { merchantId, txId, refTxId, bet: named } = content;
    const read = async (id: TxKey["txId"] | null | undefined) =>
      id == null ? undefined : this.#rows.read({ merchantId, txId: id });
    for (;;) {
      const [row, reversed, bet] = await Promise.all([read(txId), read(refTxId), read(named?.txId)]);
      const refusal = refusalOfZero(content, row, reversed, bet);
      if (refusal !== undefined || named?.settles !== true || bet === undefined || bet.settledBy === txId)
        return refusal;
      // If the bet has changed since it was read, the next read shows how.
      if (await this.#rows.settleBet({ key: bet, win: content })) return undefined;
    }
  }

  /**
   * Sends a credit again for the resend worker, if a permit is free and the credit is still due. Returns whether the
   * wallet was called. Never waits for a permit, never throws.
   */
  async resend(key: TxKey): Promise<boolean> {
    if (this.#running.has(keyText(key))) return false;
    const permit = await this.#permits.take(key.merchantId, "resend", 0);
    if (permit === undefined) return false;
    this.#active += 1;
    let called = false;
    let span: Span | undefined;
    try {
      const pair = await this.#pairs.read(key);
      // Another replica, or a repeat, may have sent the credit since the worker found it.
      if (pair === undefined || !isDue(pair.row)) return false;
      const decision = this.#pairs.decide(pair, null);
      if (decision.do === "call") {
        span = this.#tracing?.work("resend");
        span?.set({ txId: key.txId });
        const held = await this.#pairs.takeOver(decision, null, permit, span);
        if (held !== undefined) {
          called = true;
          const progress = new Progress(this.#clock, span);
          await this.#attempt.run(held, progress, (win) => this.#begin(win, progress));
        }
      } else if (decision.do === "answer" && pair.row.status === "pending") await this.#waitForReversal(pair);
    } catch (cause) {
      this.#telemetry.error(`resending ${keyText(key)}`, cause, { tx_id: key.txId, trace_id: span?.traceId });
    } finally {
      span?.end(!called, {});
      this.#active -= 1;
      // The attempt releases the permit of a call.
      if (!called) permit.release();
    }
    return called;
  }

  /**
   * Sets the due time of a win that its rollback holds: when the rollback will release the win, or in a minute. Raises
   * an alert if the rollback holds the win for long. Sets the due time of a rollback that waits for its win.
   */
  async #waitForReversal({ row, other }: TransactionPair): Promise<void> {
    if (isReversal(row.action)) {
      // A rollback that the service delivers waits for the quiet period of its win.
      await this.#rows.schedule({ key: row, seen: row, inMs: this.#pairs.quietInMs(other) ?? HELD_AGAIN_MS });
      return;
    }
    if (other?.status === "pending" && row.readAt - other.createdAt > WIN_HELD_ALERT_MS) {
      this.#telemetry.alert("win_held", { merchant_id: row.merchantId, tx_id: row.txId, rollback: other.txId });
    }
    await this.#rows.schedule({ key: row, seen: row, inMs: this.#pairs.releasedInMs(other) ?? HELD_AGAIN_MS });
  }

  /**
   * Waits for the run of this transaction, or starts a run. `undefined`: the run has ended, and its answer is too old
   * for this request.
   */
  #share(content: TransactionRequest, deadline: number, span: Span | undefined): Promise<Result<Answer> | undefined> {
    const run = this.#running.get(keyText(content));
    if (run === undefined) {
      const started = this.#start(content, deadline, span);
      return this.#waitUntilDeadline(started.ended, content, deadline, started.progress, FIRST);
    }
    if (isSameRequest(run.content, content)) {
      span?.set({ shared: true });
      return this.#waitUntilDeadline(run.ended, content, deadline, run.progress, run.progress.join(deadline));
    }
    // The request has other content or another condition under the same id. The row decides which content is valid, so the row must be
    // written first.
    const progress = new Progress(this.#clock, span);
    progress.join(deadline);
    const ended = run.opened.then(() => this.#drive(content, progress, () => {}));
    return this.#waitUntilDeadline(ended, content, deadline, progress, FIRST);
  }

  /**
   * Sends the win of a Play, whose lease this process has just taken. The Play joins this run, and so does every request
   * for the win.
   */
  #begin(win: Held, { deadline, span }: Progress): void {
    const failed = (cause: unknown) =>
      this.#telemetry.error(`sending ${keyText(win.row)}`, cause, { tx_id: win.row.txId });
    if (!this.#running.has(keyText(win.row))) {
      this.#start(win.row, deadline, span, win).ended.catch(failed);
      return;
    }
    // A request for the win waits for the end of this call.
    this.#active += 1;
    this.#attempt
      .run(win, new Progress(this.#clock, span), () => {})
      .catch(failed)
      .finally(() => {
        this.#active -= 1;
      });
  }

  /** @param held - the row, if its lease is taken already. */
  #start(content: TransactionRequest, deadline: number, span: Span | undefined, held?: Held): Run {
    const opened = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<Result<Answer>>();
    const progress = new Progress(this.#clock, span);
    const run: Run = { content, progress, opened: opened.promise, ended: ended.promise };
    progress.join(deadline);
    this.#running.set(keyText(content), run);
    const finish = () => {
      this.#running.delete(keyText(content));
      opened.resolve();
    };
    this.#drive(content, progress, opened.resolve, held).then(
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
   * Waits for a run until 100 ms before the deadline. Then it answers pending, and the run goes on. `undefined`: the
   * run has ended, and has not looked at the row since the request joined.
   */
  #waitUntilDeadline(
    ended: Promise<Result<Answer>>,
    content: TransactionRequest,
    deadline: number,
    progress: Progress,
    joined: Joined,
  ): Promise<Result<Answer> | undefined> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(Math.max(0, this.#leftMs(deadline)), () =>
        resolve(timeIsUp(content, progress.promisedTo(joined))),
      );
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

  /** Milliseconds until the caller must have its answer. */
  #leftMs(deadline: number): number {
    return deadline - this.#clock.monotonic() - REPLY_RESERVE_MS;
  }

  async #drive(
    content: TransactionRequest,
    progress: Progress,
    opened: () => void,
    held?: Held,
  ): Promise<Result<Answer>> {
    const permit = held?.permit ?? (await takePermit(content, progress, this.#parts));
    this.#active += 1;
    try {
      return await drive(content, permit, progress, this.#parts, opened, held);
    } finally {
      this.#active -= 1;
    }
  }
}

const isSameRequest = (a: TransactionRequest, b: TransactionRequest): boolean =>
  firstDifference(a, b) === undefined &&
  labelDifference(a.labels, b.labels) === undefined &&
  (a.unlessSettled ?? false) === (b.unlessSettled ?? false) &&
  (a.deliver ?? false) === (b.deliver ?? false) &&
  isSameWin(a.win, b.win);

const isSameWin = (a: WinOfPlay | undefined, b: WinOfPlay | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.txId === b.txId && firstDifference(a, b) === undefined;

/** The progress of a run before its first look. It applies to the request that starts the run. */
const FIRST: Joined = { looks: 0, leased: false };

/**
 * The answer to a request whose time is up (docs/specification/transactions.md#tx-deadline). For the caller of a credit,
 * and of a rollback that the service delivers, pending is a promise that the service will deliver it. So pending needs a
 * durable row that is known to be pending. If there is none, the caller must repeat the request.
 */
function timeIsUp(content: TransactionRequest, promised: TxKey | undefined): Result<Answer> {
  return promised === undefined && (isCredit(content.action) || content.deliver === true)
    ? refuse("SERVICE_UNAVAILABLE")
    : ok({ status: "pending", txId: (promised ?? content).txId });
}
