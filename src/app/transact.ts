import { ok, type Refusal, type Result, refuse } from "../domain/errors.ts";
import { firstDifference } from "../domain/idempotency.ts";
import { keyText, type TxKey } from "../domain/identifiers.ts";
import { type Answer, answerOf, type Content, isCredit, isDue, type Transaction } from "../domain/transaction.ts";
import { refusalOfZero } from "../domain/zero-amount.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { type Attempt, type Held, leaseMs } from "./attempt.ts";
import { Hold } from "./hold.ts";
import { type Pair, type PairPolicy, Pairs } from "./pairs.ts";
import type { Place, PlaceClass, Places } from "./places.ts";
import { type Joined, Progress } from "./progress.ts";
import type { Rows } from "./rows.ts";

/** What the answer keeps of the caller's deadline for itself. */
export const REPLY_RESERVE_MS = 100;
const POLL_FIRST_MS = 50;
const POLL_LONGEST_MS = 400;
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
 * Drives one transaction from a request to an answer: join a copy that is here, take a place, write the row, then do what the
 * domain decides until it answers. Follow a bet through {@link Transact.run} and {@link Transact.#drive}.
 */
export class Transact {
  readonly #running = new Map<string, Run>();
  #active = 0;
  readonly #rows: Rows;
  readonly #pairs: Pairs;
  readonly #attempt: Attempt;
  readonly #places: Places;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #leaseMs: number;

  constructor(rows: Rows, attempt: Attempt, places: Places, clock: Clock, random: Random, telemetry: Telemetry, policy: PairPolicy) {
    this.#rows = rows;
    this.#attempt = attempt;
    this.#places = places;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#leaseMs = leaseMs(policy);
    this.#pairs = new Pairs(rows, clock, random, policy);
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

  /** Sends a due credit again, if a place is free; `false`: none was. The worker's way in: never waits, never throws. */
  async resend(key: TxKey): Promise<boolean> {
    if (this.#running.has(keyText(key))) return true;
    const taken = await this.#places.take(key.merchantId, "resend", 0);
    if (taken === undefined) return false;
    const hold = new Hold(taken);
    this.#active += 1;
    try {
      const pair = await this.#pairs.read(key);
      // Another replica, or a repeat, may have sent it since it was found to be due.
      if (pair === undefined || !isDue(pair.row)) return true;
      const decision = this.#pairs.decide(pair, null);
      if (decision.do === "call") {
        const held = await this.#pairs.takeOver(decision);
        if (held !== undefined) await this.#attempt.run(held, hold.pass(), new Progress(this.#clock));
      } else if (decision.do === "answer" && pair.row.status === "pending") await this.#waitForReversal(pair);
    } catch (cause) {
      this.#telemetry.error(`resending ${keyText(key)}`, cause);
    } finally {
      this.#active -= 1;
      hold.release();
    }
    return true;
  }

  /** A win held by its rollback: look again when the rollback releases it, or else later. Call a person when it takes long. */
  async #waitForReversal({ row, other }: Pair): Promise<void> {
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

  /** A place, the row, then decision after decision. `opened` is called when the row is known. */
  async #drive(asked: Content, progress: Progress, opened: () => void): Promise<Result<Answer>> {
    const kind: PlaceClass = isCredit(asked.action) ? "credit" : "debit";
    const hold = new Hold(await this.#places.take(asked.merchantId, kind, progress.deadline));
    const placed = hold.has;
    this.#active += 1;
    try {
      progress.looking();
      // Without a place a credit is still written, for the worker to send; a debit may only be answered from its row.
      const first = placed || isCredit(asked.action) ? await this.#pairs.open(asked, placed) : await this.#pairs.read(asked);
      opened();
      progress.looked();
      if (first === undefined) return refuse("OVERLOADED");
      if ("held" in first) return ok(await this.#send(first.held, hold.pass(), progress));
      if ("refusal" in first) return { ok: false, refusal: first.refusal };

      let pair: Pair = first;
      let content = asked;
      // Of a row that was open when this request came, the rejection that follows is this request's answer; only a repeat re-opens it.
      let cameOpen = false;
      let awaited: TxKey | undefined;
      for (let pause = POLL_FIRST_MS; ; ) {
        progress.found(pair.row);
        if (pair.row.status === "pending") cameOpen = true;
        const decision = this.#pairs.decide(pair, content);
        if (decision.do === "refuse") return { ok: false, refusal: decision.refusal };
        if (decision.do === "answer") return ok(decision.answer);
        if (decision.do === "call" && decision.row.status === "failed" && cameOpen) return ok(answerOf(decision.row));
        if (decision.do === "wait") {
          hold.release();
          awaited = decision.key;
          if (!(await this.#waitFor(decision.key, asked, pause, progress))) return pending(content);
          pause = Math.min(pause * 2, POLL_LONGEST_MS);
        } else if (decision.do === "follow") {
          content = { ...content, txId: decision.owner };
          cameOpen = false;
        } else if (decision.do === "mark") {
          await this.#pairs.mark(pair.row);
          cameOpen = true;
        } else if (awaited?.txId === pair.row.txId && pair.row.leaseUntil === null) {
          // A copy elsewhere made the call and it has ended: one call, one answer for all of them. (A lease that is over was a dead process's.)
          return ok(answerOf(pair.row));
        } else {
          // Who had a place and gave it back to wait may ask for one again; who had none in time has its answer.
          if (!hold.has && placed) hold.put(await this.#places.take(asked.merchantId, kind, progress.deadline));
          if (hold.has) {
            progress.looking();
            const held = decision.do === "adopt" ? await this.#pairs.adopt(content, decision.row) : await this.#pairs.takeOver(decision);
            if (held !== undefined) return ok(await this.#send(held, hold.pass(), progress));
          } else if (!isCredit(content.action)) return pair.row.status === "void" ? refuse("OVERLOADED") : ok(answerOf(pair.row));
          else if (await this.#pairs.leaveToWorker(decision, content)) return pending(content);
        }
        progress.looking();
        pair = await this.#pairs.mustRead(content);
      }
    } finally {
      this.#active -= 1;
      hold.release();
    }
  }

  /** Calls the wallet for a row whose lease this process has just taken, and records the answer. */
  #send(held: Held, place: Place, progress: Progress): Promise<Answer> {
    progress.leased(held.row, held.sentAt + this.#leaseMs);
    return this.#attempt.run(held, place, progress);
  }

  /**
   * Until the call of `key` is over: by its promise when another run here makes it, else (it is another replica's, or a dead one's) by
   * looking again. Also until another request joins, which needs a look of its own. `false`: the time is up.
   */
  async #waitFor(key: TxKey, self: TxKey, pauseMs: number, progress: Progress): Promise<boolean> {
    const leftMs = this.#leftMs(progress.deadline);
    if (leftMs <= 0) return false;
    const here = keyText(key) === keyText(self) ? undefined : this.#running.get(keyText(key));
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(here === undefined ? Math.min(pauseMs, leftMs) : leftMs, resolve);
      const wake = () => {
        cancel();
        resolve();
      };
      progress.onJoined(wake);
      here?.ended.then(wake, wake);
    });
    return this.#leftMs(progress.deadline) > 0;
  }
}

/** The request that starts a run comes before all of its looks. */
const FIRST: Joined = { looks: 0, leased: false };

const pending = (key: TxKey): Result<Answer> => ok({ status: "pending", txId: key.txId });

/**
 * The answer to a request that can wait no longer. To a credit's caller pending is a promise (it is delivered, you may stop), so it needs a
 * durable row that is known to be pending; without one the caller must come again.
 */
function timeIsUp(content: Content, promised: TxKey | undefined): Result<Answer> {
  return promised === undefined && isCredit(content.action) ? refuse("SERVICE_UNAVAILABLE") : pending(promised ?? content);
}
