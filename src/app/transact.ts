import { ok, type Result, refuse } from "../domain/errors.ts";
import { firstDifference } from "../domain/idempotency.ts";
import { keyText, type TxKey } from "../domain/identifiers.ts";
import { type Answer, answerOf, type Content, isCredit, isDue, type Transaction } from "../domain/transaction.ts";
import { type Clock, sleep } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { Attempt } from "./attempt.ts";
import { Hold } from "./hold.ts";
import { type Pair, type PairPolicy, Pairs } from "./pairs.ts";
import type { PlaceClass, Places } from "./places.ts";
import type { Rows } from "./rows.ts";

/** What the answer keeps of the caller's deadline for itself. */
export const REPLY_RESERVE_MS = 100;
const POLL_FIRST_MS = 50;
const POLL_LONGEST_MS = 400;
/** A pending rollback that holds a pending win for longer than this needs a person. */
const WIN_HELD_ALERT_MS = 600_000;
const HELD_AGAIN_MS = 60_000;

/** How long somebody waits for a drive, and what may be promised to who stops waiting. */
interface Patience {
  /** By Clock.monotonic(). Extended by every copy that joins. */
  deadline: number;
  /** The durable row that goes on without anybody waiting; undefined while nothing is written, or only void. */
  promised: TxKey | undefined;
}

interface Run extends Patience {
  readonly content: Content;
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

  constructor(rows: Rows, attempt: Attempt, places: Places, clock: Clock, random: Random, telemetry: Telemetry, policy: PairPolicy) {
    this.#rows = rows;
    this.#attempt = attempt;
    this.#places = places;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#pairs = new Pairs(rows, clock, random, policy);
  }

  /**
   * The answer to a request, or pending shortly before `deadline` (Clock.monotonic()); the transaction then goes on by itself.
   * Refusals: TRANSACTION_MISMATCH, TRANSACTION_REVERSED, OVERLOADED, SERVICE_UNAVAILABLE (a credit's row wasn't written in time).
   * Throws when the database failed before the row was known.
   */
  async run(content: Content, deadline: number): Promise<Result<Answer>> {
    const running = this.#running.get(keyText(content));
    if (running === undefined) {
      const run = this.#start(content, deadline);
      return this.#patiently(run.ended, content, deadline, run);
    }
    if (firstDifference(running.content, content) === undefined) {
      running.deadline = Math.max(running.deadline, deadline);
      return this.#patiently(running.ended, content, deadline, running);
    }
    // Other content under the same id: the row decides, so it must be there first.
    const patience: Patience = { deadline, promised: undefined };
    const ended = running.opened.then(() => this.#drive(content, patience, () => {}));
    return this.#patiently(ended, content, deadline, patience);
  }

  /** Transactions at work here, answered pending or not: what a stop waits for. */
  get active(): number {
    return this.#active;
  }

  /** The row as it is now, for callers that must not start anything. */
  read(key: TxKey): Promise<Transaction | undefined> {
    return this.#rows.read(key);
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
        if (held !== undefined) await this.#attempt.run(held, hold.pass());
      } else if (decision.do === "answer" && pair.row.status === "pending") await this.#waitForReversal(pair);
    } catch (cause) {
      this.#telemetry.error(`resending ${keyText(key)}`, cause);
    } finally {
      this.#active -= 1;
      hold.release();
    }
    return true;
  }

  /** A win held by its rollback: look again later, and call a person when it takes long. */
  async #waitForReversal({ row, other }: Pair): Promise<void> {
    if (other?.status === "pending" && row.readAt - other.createdAt > WIN_HELD_ALERT_MS) {
      this.#telemetry.alert("win_held", { merchant_id: row.merchantId, tx_id: row.txId, rollback: other.txId });
    }
    await this.#rows.schedule({ key: row, seen: row, inMs: HELD_AGAIN_MS });
  }

  #start(content: Content, deadline: number): Run {
    const opened = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<Result<Answer>>();
    const run: Run = { content, deadline, promised: undefined, opened: opened.promise, ended: ended.promise };
    this.#running.set(keyText(content), run);
    const finish = () => {
      this.#running.delete(keyText(content));
      opened.resolve();
    };
    this.#drive(content, run, opened.resolve).then(
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
   * Stops waiting, not the work: 100 ms before the deadline a transaction that still runs is answered pending. To a credit's caller
   * that is a promise (it is delivered, you may stop), so without a durable row it must come again.
   */
  #patiently(ended: Promise<Result<Answer>>, content: Content, deadline: number, patience: Patience): Promise<Result<Answer>> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(Math.max(0, deadline - this.#clock.monotonic() - REPLY_RESERVE_MS), () => {
        const unwritten = patience.promised === undefined && isCredit(content.action);
        resolve(unwritten ? refuse("SERVICE_UNAVAILABLE") : pending(patience.promised ?? content));
      });
      ended.then(
        (result) => {
          cancel();
          resolve(result);
        },
        (cause) => {
          cancel();
          reject(cause);
        },
      );
    });
  }

  /** A place, the row, then decision after decision. `opened` is called when the row is known. */
  async #drive(asked: Content, patience: Patience, opened: () => void): Promise<Result<Answer>> {
    const kind: PlaceClass = isCredit(asked.action) ? "credit" : "debit";
    const hold = new Hold(await this.#places.take(asked.merchantId, kind, patience.deadline));
    const placed = hold.has;
    this.#active += 1;
    try {
      // Without a place a credit is still written, for the worker to send; a debit may only be answered from its row.
      const first = placed || isCredit(asked.action) ? await this.#pairs.open(asked, placed) : await this.#pairs.read(asked);
      opened();
      if (first === undefined) return refuse("OVERLOADED");
      if ("held" in first) {
        patience.promised = first.held.row;
        return ok(await this.#attempt.run(first.held, hold.pass()));
      }
      if ("refusal" in first) return { ok: false, refusal: first.refusal };

      let pair: Pair = first;
      let content = asked;
      // Of a row that was open when this request came, the rejection that follows is this request's answer; only a repeat re-opens it.
      let cameOpen = false;
      let awaited: TxKey | undefined;
      for (let pause = POLL_FIRST_MS; ; ) {
        if (pair.row.status !== "void") patience.promised = pair.row;
        if (pair.row.status === "pending") cameOpen = true;
        const decision = this.#pairs.decide(pair, content);
        if (decision.do === "refuse") return { ok: false, refusal: decision.refusal };
        if (decision.do === "answer") return ok(decision.answer);
        if (decision.do === "call" && decision.row.status === "failed" && cameOpen) return ok(answerOf(decision.row));
        if (decision.do === "wait") {
          hold.release();
          awaited = decision.key;
          if (!(await this.#waitFor(decision.key, asked, pause, patience))) return pending(content);
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
          if (!hold.has && placed) hold.put(await this.#places.take(asked.merchantId, kind, patience.deadline));
          if (hold.has) {
            const held = decision.do === "adopt" ? await this.#pairs.adopt(content, decision.row) : await this.#pairs.takeOver(decision);
            if (held !== undefined) return ok(await this.#attempt.run(held, hold.pass()));
          } else if (!isCredit(content.action)) return pair.row.status === "void" ? refuse("OVERLOADED") : ok(answerOf(pair.row));
          else if (await this.#pairs.leaveToWorker(decision, content)) return pending(content);
        }
        pair = await this.#pairs.mustRead(content);
      }
    } finally {
      this.#active -= 1;
      hold.release();
    }
  }

  /**
   * Until the call of `key` is over: by its promise when another run here makes it, else (it is another replica's, or a dead one's) by
   * looking again. `false`: the time is up.
   */
  async #waitFor(key: TxKey, self: TxKey, pauseMs: number, patience: Patience): Promise<boolean> {
    const leftMs = () => patience.deadline - this.#clock.monotonic() - REPLY_RESERVE_MS;
    if (leftMs() <= 0) return false;
    const here = keyText(key) === keyText(self) ? undefined : this.#running.get(keyText(key));
    const ended = here?.ended.then(
      () => {},
      () => {},
    );
    await (ended === undefined ? sleep(this.#clock, Math.min(pauseMs, leftMs())) : Promise.race([ended, sleep(this.#clock, leftMs())]));
    return leftMs() > 0;
  }
}

const pending = (key: TxKey): Result<Answer> => ok({ status: "pending", txId: key.txId });
