import { ok, type Refusal, type Result, refuse } from "../../domain/errors.ts";
import type { Decision } from "../../domain/transaction/decide.ts";
import {
  type Answer,
  answerOf,
  type Content,
  isCredit,
  type Transaction,
  type TransactionRequest,
} from "../../domain/transaction/transaction.ts";
import { keyText, type TxKey } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Permit, WalletPermits } from "../capacity/wallet-permits.ts";
import type { Attempt } from "./attempt.ts";
import type { Held, Progress } from "./progress.ts";
import type { TransactionPair, TransactionPairs } from "./transaction-pairs.ts";

/** The service answers this long before the caller's deadline, in ms, so that the reply arrives in time. */
export const REPLY_RESERVE_MS = 100;
const POLL_FIRST_MS = 50;
const POLL_LONGEST_MS = 400;

/** At least this many keys are remembered, and at most twice as many. */
const KEYS_KEPT = 10_000;

/** The transactions whose rows this process tried to write or found, so that a repeat is read and not claimed. */
export class RecentKeys {
  #newest = new Set<string>();
  #older = new Set<string>();

  has(key: TxKey): boolean {
    const text = keyText(key);
    return this.#newest.has(text) || this.#older.has(text);
  }

  add(key: TxKey): void {
    if (this.#newest.size === KEYS_KEPT) [this.#older, this.#newest] = [this.#newest, new Set()];
    this.#newest.add(keyText(key));
  }
}

/** The objects and settings that all drives share. */
export interface DriveParts {
  readonly pairs: TransactionPairs;
  readonly attempt: Attempt;
  readonly permits: WalletPermits;
  readonly clock: Clock;
  readonly recent: RecentKeys;
  /**
   * Resolves when this process's run of a transaction has ended. `undefined`: this process has no run of this
   * transaction.
   */
  readonly endOfRun: (key: TxKey) => Promise<unknown> | undefined;
  /** Called with a row that exists, before the request is answered from it. */
  readonly found: (row: Transaction, request: TransactionRequest) => void;
  /** Sends the win of a Play, whose lease this process has. */
  readonly begin: (win: Held, progress: Progress) => void;
}

/** The answer that ends the drive; `undefined`: read the row again and go on. */
type Step = Result<Answer> | undefined;

/** Takes a permit for the request's wallet. Waits at most 2 s. `undefined`: no permit was free in time. */
export const takePermit = async (
  { merchantId, action }: Content,
  { deadline }: Progress,
  { permits }: DriveParts,
): Promise<Permit | undefined> => permits.take(merchantId, isCredit(action) ? "credit" : "debit", deadline);

/**
 * Drives one transaction from a request to an answer for its callers. It writes or reads the row, and does what the
 * domain decides until there is an answer.
 *
 * @param permit - the permit for the wallet, which is used or released; undefined: the drive goes on without a permit.
 * @param opened - called when the row is known.
 * @param held - the row, if its lease is taken already.
 */
export const drive = (
  request: TransactionRequest,
  permit: Permit | undefined,
  progress: Progress,
  parts: DriveParts,
  opened: () => void,
  held?: Held,
): Promise<Result<Answer>> => new Drive(request, permit, progress, parts).run(opened, held);

/** A new bet goes through {@link run}, {@link #open} and {@link #send}. */
class Drive {
  readonly #request: TransactionRequest;
  /**
   * The transaction that the next look at a row (see {@link Progress}) reads: the request's own transaction, or the
   * reversal that the request repeats.
   */
  #content: TransactionRequest;
  readonly #progress: Progress;
  readonly #parts: DriveParts;
  /** The permit that is neither used nor released yet. */
  #permit: Permit | undefined;
  /** Whether the drive got a permit when it began. */
  readonly #hadPermit: boolean;
  /**
   * Whether the row was pending while this request was in progress. Then a rejection that follows is this request's
   * answer. Only a later repeat opens the credit again (docs/specification/transactions.md#tx-rejection-shared).
   */
  #sawOpen = false;
  /** Whether this drive has waited for a call, or has done anything that may lead to one. */
  #hasActed = false;
  /** The transaction whose call this drive has waited for. */
  #waitedFor: TxKey | undefined;
  #pollMs = POLL_FIRST_MS;

  constructor(request: TransactionRequest, permit: Permit | undefined, progress: Progress, parts: DriveParts) {
    this.#request = request;
    this.#content = request;
    this.#permit = permit;
    this.#hadPermit = permit !== undefined;
    this.#progress = progress;
    this.#parts = parts;
  }

  async run(opened: () => void, held?: Held): Promise<Result<Answer>> {
    try {
      const first = held === undefined ? await this.#open() : await this.#progress.look(async () => held, itself);
      opened();
      if (first === undefined) return refuse("OVERLOADED", { cause: "wallet" });
      if ("refusal" in first) return { ok: false, refusal: first.refusal };
      if ("permit" in first) return ok(await this.#send(first));
      if (first.row.status !== "void") this.#parts.found(first.row, this.#request);
      for (let pair = first; ; pair = await this.#look()) {
        const answer = await this.#step(pair);
        if (answer !== undefined) return answer;
      }
    } finally {
      this.#release();
    }
  }

  /**
   * Writes the row, or reads the existing row. Without a permit, a credit is still written, and the worker sends it. A
   * debit without a permit is answered only if its row exists. `undefined`: there is neither a permit nor a row.
   *
   * A repeat of a transaction that this process knows is read first. A claim of its row would wait if another session
   * had locked the row, and new bets would wait with it.
   */
  async #open(): Promise<TransactionPair | Held | { refusal: Refusal } | undefined> {
    const { pairs, recent } = this.#parts;
    const mayWrite = this.#hadPermit || isCredit(this.#request.action);
    if (!mayWrite || recent.has(this.#request)) {
      const pair = await this.#progress.look(() => pairs.read(this.#request), itself);
      if (!mayWrite || pair !== undefined) return pair;
    }
    recent.add(this.#request);
    return this.#progress.look(() => pairs.open(this.#request, this.#permit, this.#progress.span), shownRow);
  }

  #look(): Promise<TransactionPair> {
    return this.#progress.look(() => this.#parts.pairs.mustRead(this.#content), itself);
  }

  /** Says whether the answer is a replay (docs/specification/provider-api.md#prov-replayed). */
  #told(answer: Answer): Answer {
    return answer.status === "pending" || this.#hasActed || this.#sawOpen ? answer : { ...answer, replayed: true };
  }

  #step(pair: TransactionPair): Step | Promise<Step> {
    if (pair.row.status === "pending") this.#sawOpen = true;
    const decision = this.#parts.pairs.decide(pair, this.#content);
    switch (decision.do) {
      case "refuse":
        return { ok: false, refusal: decision.refusal };
      case "answer":
        return ok(this.#told(decision.answer));
      case "wait":
        return this.#wait(decision.key, pair.row);
      case "follow":
        return this.#follow(decision.owner);
      case "mark":
        return this.#mark(pair.row);
      case "call":
      case "adopt":
        return this.#mayAnswer(decision) ? ok(answerOf(pair.row)) : this.#call(decision);
    }
  }

  /**
   * Waits for the end of the call of `key`, without holding a permit. If the caller's time ends first, the answer is
   * pending. For a credit this is a promise, so a credit whose row is not pending gets none.
   */
  async #wait(key: TxKey, row: Transaction): Promise<Step> {
    this.#release();
    this.#hasActed = true;
    this.#waitedFor = key;
    const inTime = await this.#untilCallEnds(key);
    this.#pollMs = Math.min(this.#pollMs * 2, POLL_LONGEST_MS);
    if (inTime) return undefined;
    return isCredit(row.action) && row.status !== "pending" ? refuse("SERVICE_UNAVAILABLE") : this.#pending();
  }

  /** Another reversal has marked the original. This request counts as a repeat of that reversal. */
  #follow(owner: Content["txId"]): Step {
    this.#content = { ...this.#content, txId: owner };
    this.#sawOpen = false;
    return undefined;
  }

  async #mark(reversal: Transaction): Promise<Step> {
    this.#hasActed = true;
    await this.#parts.pairs.mark(reversal, this.#request, this.#progress.span);
    this.#sawOpen = true;
    return undefined;
  }

  /**
   * Whether the request is answered from the row, although the row could be sent again. Concurrent copies of a request
   * make one call and share its answer (docs/specification/transactions.md#tx-copies).
   */
  #mayAnswer({ do: what, row }: Decision & { do: "call" | "adopt" }): boolean {
    if (what === "call" && row.status === "failed" && this.#sawOpen) return true;
    // A copy on another replica made the call, and the call has ended: a dead process would have left an expired lease.
    return this.#waitedFor?.txId === row.txId && row.leaseUntil === null;
  }

  /**
   * Takes the row over and calls the wallet. Without a permit, a credit is left to the worker, and a debit is answered
   * from its row.
   */
  async #call(decision: Decision & { do: "call" | "adopt" }): Promise<Step> {
    this.#hasActed = true;
    const { pairs } = this.#parts;
    const { row } = decision;
    const { span } = this.#progress;
    // A drive that released its permit in order to wait may take another permit.
    if (this.#hadPermit) this.#permit ??= await takePermit(this.#request, this.#progress, this.#parts);
    const permit = this.#permit;
    if (permit !== undefined) {
      const take = () =>
        decision.do === "adopt"
          ? pairs.adopt(this.#content, row, permit, span)
          : pairs.takeOver(decision, this.#content, permit, span);
      const taken = await this.#progress.look(take, shownRow);
      if (taken === undefined) return undefined;
      return "row" in taken ? ok(await this.#send(taken)) : { ok: false, refusal: taken.refusal };
    }
    if (!isCredit(this.#content.action))
      return row.status === "void" ? refuse("OVERLOADED", { cause: "wallet" }) : ok(answerOf(row));
    return (await pairs.leaveToWorker(decision, this.#content, span)) ? this.#pending() : undefined;
  }

  /** Calls the wallet for a row whose lease this process has just taken, and records the answer. */
  #send(held: Held): Promise<Answer> {
    // From here on the permit belongs to the attempt.
    this.#permit = undefined;
    const { attempt, begin } = this.#parts;
    return attempt.run(held, this.#progress, (win) => begin(win, this.#progress));
  }

  #release(): void {
    this.#permit?.release();
    this.#permit = undefined;
  }

  /**
   * Resolves when the call of `key` may have ended. If the call runs in this process, this is the end of its run. If it
   * runs elsewhere, this is the end of a pause. It also resolves when another request joins, because that request needs
   * a new look. `false`: the time is up.
   */
  async #untilCallEnds(key: TxKey): Promise<boolean> {
    const leftMs = this.#leftMs();
    if (leftMs <= 0) return false;
    const end = key.txId === this.#request.txId ? undefined : this.#parts.endOfRun(key);
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

const itself = <Shown>(shown: Shown): Shown => shown;
const shownRow = <Shown extends { readonly row: Transaction }>(
  found: Shown | { refusal: Refusal } | undefined,
): Shown | undefined => (found !== undefined && "row" in found ? found : undefined);
