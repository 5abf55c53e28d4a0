import { ok, type Refusal, type Result, refuse } from "../../domain/errors.ts";
import type { Decision } from "../../domain/transaction/decide.ts";
import { type Answer, answerOf, type Content, isCredit, type Transaction } from "../../domain/transaction/transaction.ts";
import type { TxKey } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PermitClass, WalletPermits } from "../capacity/wallet-permits.ts";
import type { Attempt, Held } from "./attempt.ts";
import { HeldPermit } from "./held-permit.ts";
import type { Progress } from "./progress.ts";
import type { TransactionPair, TransactionPairs } from "./transaction-pairs.ts";

/** What the service keeps of the caller's deadline for its reply. */
export const REPLY_RESERVE_MS = 100;
const POLL_FIRST_MS = 50;
const POLL_LONGEST_MS = 400;

/** What every drive works with. */
export interface DriveParts {
  readonly pairs: TransactionPairs;
  readonly attempt: Attempt;
  readonly permits: WalletPermits;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** The run of another transaction in this process: resolves when it has ended. `undefined`: there is none. */
  readonly endOfRun: (key: TxKey) => Promise<unknown> | undefined;
}

/** The next step, or the answer that ends the drive. */
type Step = Result<Answer> | undefined;

/**
 * Takes one transaction from a request to an answer: a place at the merchant, the row, then what the domain decides, until it answers.
 * A new bet takes this way: {@link takePlace}, {@link run}, {@link #open}, {@link #send}.
 */
export class Drive {
  readonly #asked: Content;
  /** What the next look is about: the request, or the reversal that it counts as a repeat of. */
  #content: Content;
  readonly #progress: Progress;
  readonly #parts: DriveParts;
  readonly #heldPermit = new HeldPermit(undefined);
  /** The drive had a place at its beginning. */
  #hadPlace = false;
  /** The row was open while this request was under way, so the rejection that follows is its answer. Only a later repeat re-opens it. */
  #sawOpen = false;
  /** Whose call this drive has waited for. */
  #waitedFor: TxKey | undefined;
  #pollMs = POLL_FIRST_MS;

  constructor(asked: Content, progress: Progress, parts: DriveParts) {
    this.#asked = asked;
    this.#content = asked;
    this.#progress = progress;
    this.#parts = parts;
  }

  /** Comes first. Waits for a place for at most 2 s; the drive goes on without one. */
  async takePlace(): Promise<void> {
    this.#heldPermit.put(await this.#parts.permits.take(this.#asked.merchantId, this.#placeClass, this.#progress.deadline));
    this.#hadPlace ||= this.#heldPermit.has;
  }

  /** @param opened - called when the row is known. */
  async run(opened: () => void): Promise<Result<Answer>> {
    try {
      const first = await this.#open();
      opened();
      this.#progress.looked();
      if (first === undefined) return refuse("OVERLOADED");
      if ("refusal" in first) return { ok: false, refusal: first.refusal };
      if ("held" in first) return ok(await this.#send(first.held));
      for (let pair = first; ; pair = await this.#look()) {
        const answer = await this.#step(pair);
        if (answer !== undefined) return answer;
      }
    } finally {
      this.#heldPermit.release();
    }
  }

  get #placeClass(): PermitClass {
    return isCredit(this.#asked.action) ? "credit" : "debit";
  }

  /** Writes the row, or reads it. Without a place a credit is still written, for the worker to send; a debit may only be answered from its row. */
  #open(): Promise<TransactionPair | { held: Held } | { refusal: Refusal } | undefined> {
    const { pairs } = this.#parts;
    this.#progress.looking();
    return this.#hadPlace || isCredit(this.#asked.action) ? pairs.open(this.#asked, this.#hadPlace) : pairs.read(this.#asked);
  }

  #look(): Promise<TransactionPair> {
    this.#progress.looking();
    return this.#parts.pairs.mustRead(this.#content);
  }

  #step(pair: TransactionPair): Step | Promise<Step> {
    this.#progress.found(pair.row);
    if (pair.row.status === "pending") this.#sawOpen = true;
    const decision = this.#parts.pairs.decide(pair, this.#content);
    switch (decision.do) {
      case "refuse":
        return { ok: false, refusal: decision.refusal };
      case "answer":
        return ok(decision.answer);
      case "wait":
        return this.#wait(decision.key);
      case "follow":
        return this.#follow(decision.owner);
      case "mark":
        return this.#mark(pair.row);
      case "call":
      case "adopt":
        return this.#mayAnswer(decision) ? ok(answerOf(pair.row)) : this.#call(decision);
    }
  }

  /** Waits for the call of `key`, without holding a place. The caller's time may end first: then the transaction stays pending. */
  async #wait(key: TxKey): Promise<Step> {
    this.#heldPermit.release();
    this.#waitedFor = key;
    const inTime = await this.#untilCallEnds(key);
    this.#pollMs = Math.min(this.#pollMs * 2, POLL_LONGEST_MS);
    return inTime ? undefined : this.#pending();
  }

  /** Another reversal owns the mark: this request counts as a repeat of that one. */
  #follow(owner: Content["txId"]): Step {
    this.#content = { ...this.#content, txId: owner };
    this.#sawOpen = false;
    return undefined;
  }

  async #mark(reversal: Transaction): Promise<Step> {
    await this.#parts.pairs.mark(reversal);
    this.#sawOpen = true;
    return undefined;
  }

  /** Whether a row that could be sent again answers this request as it is: concurrent copies make one call and share its answer. */
  #mayAnswer({ do: what, row }: Decision & { do: "call" | "adopt" }): boolean {
    if (what === "call" && row.status === "failed" && this.#sawOpen) return true;
    // A copy on another replica made the call, and it has ended. (A lease that has run out was a dead process's.)
    return this.#waitedFor?.txId === row.txId && row.leaseUntil === null;
  }

  /** Takes the row over and calls the wallet. Without a place a credit is left to the worker, and a debit is answered from its row. */
  async #call(decision: Decision & { do: "call" | "adopt" }): Promise<Step> {
    const { pairs } = this.#parts;
    const { row } = decision;
    // A drive that gave its place back in order to wait may ask for one again.
    if (!this.#heldPermit.has && this.#hadPlace) await this.takePlace();
    if (this.#heldPermit.has) {
      this.#progress.looking();
      const held = decision.do === "adopt" ? await pairs.adopt(this.#content, row) : await pairs.takeOver(decision);
      return held === undefined ? undefined : ok(await this.#send(held));
    }
    if (!isCredit(this.#content.action)) return row.status === "void" ? refuse("OVERLOADED") : ok(answerOf(row));
    return (await pairs.leaveToWorker(decision, this.#content)) ? this.#pending() : undefined;
  }

  /** Calls the wallet for a row whose lease this process has just taken, and records the answer. */
  #send(held: Held): Promise<Answer> {
    this.#progress.leased(held.row, held.sentAt + this.#parts.leaseMs);
    return this.#parts.attempt.run(held, this.#heldPermit.pass(), this.#progress);
  }

  /**
   * Resolves when the call of `key` may have ended: when its run in this process has, else after a pause. Also when another request joins,
   * for that one needs a look of its own. `false`: the time is up.
   */
  async #untilCallEnds(key: TxKey): Promise<boolean> {
    const leftMs = this.#leftMs();
    if (leftMs <= 0) return false;
    const end = key.txId === this.#asked.txId ? undefined : this.#parts.endOfRun(key);
    await new Promise<void>((resolve) => {
      const cancel = this.#parts.clock.after(end === undefined ? Math.min(this.#pollMs, leftMs) : leftMs, resolve);
      const wake = () => {
        cancel();
        resolve();
      };
      this.#progress.onJoined(wake);
      end?.then(wake, wake);
    });
    return this.#leftMs() > 0;
  }

  #leftMs(): number {
    return this.#progress.deadline - this.#parts.clock.monotonic() - REPLY_RESERVE_MS;
  }

  #pending(): Result<Answer> {
    return ok({ status: "pending", txId: this.#content.txId });
  }
}
