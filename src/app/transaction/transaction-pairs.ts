import type { Refusal } from "../../domain/errors.ts";
import { type Decision, decideOriginal, decideReversal } from "../../domain/transaction/decide.ts";
import { referenceMismatch, releasedInMs, sealedRefusal, unseenOriginal } from "../../domain/transaction/reversal.ts";
import { betRefusal, playRefusal, settledRefusal, unpayable } from "../../domain/transaction/settlement.ts";
import {
  type BetRef,
  type Content,
  isOfPlay,
  isReversal,
  isWaiting,
  NEVER,
  quietInMs,
  type Transaction,
  type TransactionRequest,
  type WinOfPlay,
} from "../../domain/transaction/transaction.ts";
import { keyText, type TxKey } from "../../domain/values/identifiers.ts";
import { type WholeMs, wholeMs } from "../../domain/values/whole-ms.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { Span } from "../../ports/tracing.ts";
import { type Claimed, type ClaimLine, RoundOver } from "../../ports/transactions/transaction-store.ts";
import type { Permit } from "../capacity/wallet-permits.ts";
import { type LeasePolicy, leaseMs } from "./attempt.ts";
import type { BatchedRows } from "./batched-rows.ts";
import type { Held, WaitingWin } from "./progress.ts";

const NO_LEASE = wholeMs(0);
const NOW = wholeMs(0);

/** A row and its related row: an original's reversal, or the row that a reversal reverses. */
export interface TransactionPair {
  readonly row: Transaction;
  readonly other: Transaction | undefined;
  /** The row of the bet that the request names. It is read only if `row` is void. */
  readonly bet?: Transaction | undefined;
  /** The row with the id of the win of the request's Play. */
  readonly won?: Transaction | undefined;
}

/** The transaction that a request or the worker looks at. */
type Looked = TxKey & Pick<TransactionRequest, "bet" | "win">;

export interface ReversalTiming extends LeasePolicy {
  /** For how long after an unanswered attempt a late copy of this attempt may still reach the wallet, in ms. */
  readonly quietPeriodMs: number;
}

/** Reads a row together with its related row, decides by both, and sends the statements that the decisions need. */
export class TransactionPairs {
  readonly #rows: BatchedRows;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #policy: ReversalTiming;

  constructor(rows: BatchedRows, clock: Clock, random: Random, policy: ReversalTiming) {
    this.#rows = rows;
    this.#clock = clock;
    this.#random = random;
    this.#policy = policy;
  }

  /** Reads a row that is known to exist. */
  async mustRead(key: Looked): Promise<TransactionPair> {
    const pair = await this.read(key);
    if (pair === undefined) throw new Error(`${keyText(key)} has existed and is gone`);
    return pair;
  }

  /**
   * Reads a row and its related row. `undefined`: there is no row, or there is only a void reversal whose original has
   * no row. Such a reversal counts as no row.
   */
  async read(key: Looked): Promise<TransactionPair | undefined> {
    const row = await this.#rows.read(key);
    const pair = row && (await this.#tied(row, key));
    return pair?.row.status === "void" && isReversal(pair.row.action) && pair.other === undefined ? undefined : pair;
  }

  async #tied(row: Transaction, { bet: named, win }: Pick<Looked, "bet" | "win"> = {}): Promise<TransactionPair> {
    const read = async (txId: TxKey["txId"] | null | undefined) =>
      txId == null ? undefined : this.#rows.read({ merchantId: row.merchantId, txId });
    const [other, bet, won] = await Promise.all([
      read(isReversal(row.action) ? row.refTxId : row.reversedBy),
      row.status === "void" ? read(named?.txId) : undefined,
      read(win?.txId),
    ]);
    // A refusal because of the bet is true only if the row was still void when the bet was read.
    const now = row.status === "void" && named !== undefined ? await this.#rows.read(row) : undefined;
    if (now !== undefined && now.status !== "void") return this.#tied(now, { ...(win && { win }) });
    return { row, other, bet, won };
  }

  /** @param request - the request's content; null when the resend worker decides. */
  decide({ row, other, bet, won }: TransactionPair, request: TransactionRequest | null): Decision {
    if (!isReversal(row.action) || bet !== undefined) {
      const decision = decideOriginal(row, request, other, this.#policy.quietPeriodMs, bet);
      if (request?.win === undefined || row.status === "void" || decision.do === "refuse") return decision;
      const refusal = playRefusal(row, request.win, won);
      return refusal === undefined ? decision : { do: "refuse", refusal };
    }
    if (other === undefined) throw new Error(`${keyText(row)} reverses a row that is not there`);
    return decideReversal(row, request, other, this.#policy.quietPeriodMs);
  }

  /** See the domain's {@link quietInMs}. */
  quietInMs(row: Transaction | undefined): WholeMs | undefined {
    return row && quietInMs(row, this.#policy.quietPeriodMs);
  }

  /** See the domain's {@link releasedInMs}. */
  releasedInMs(reversal: Transaction | undefined): WholeMs | undefined {
    return releasedInMs(reversal, this.#policy.quietPeriodMs);
  }

  /**
   * Writes the row unless it exists. A new bet or win is leased if there is a permit for its call. Else the result is
   * the row as it is.
   *
   * @param permit - undefined: a new credit is left to the worker.
   * @param span - gets the statements as steps. This also applies to the methods below.
   */
  async open(
    request: TransactionRequest,
    permit: Permit | undefined,
    span: Span | undefined,
  ): Promise<TransactionPair | Held | { refusal: Refusal }> {
    if (isReversal(request.action)) return this.#openReversal(request, span);
    if (request.bet !== undefined) return this.#openForBet(request, request.bet, span);
    if (request.win !== undefined) return this.#openPlay(request, request.win, permit, span);
    const sentAt = this.#clock.moment();
    const claimed = await unlessOver(
      this.#rows.claim({
        content: request,
        token: this.#random.token(),
        as: permit === undefined ? "due" : "leased",
        leaseMs: this.#leaseMs(),
        ...(request.unlessEnded && { unlessEnded: true }),
        span,
      }),
    );
    if ("refusal" in claimed) return claimed;
    const { mine, row } = claimed;
    return mine && permit !== undefined
      ? { row, sentAt, leaseMs: this.#leaseMs(), quiet: true, permit }
      : this.#tied(row);
  }

  /**
   * A win that names its bet is void at first. It becomes pending when its adoption has checked the bet, and has marked
   * the bet if the win settles it.
   */
  async #openForBet(
    request: Content,
    named: BetRef,
    span: Span | undefined,
  ): Promise<TransactionPair | { refusal: Refusal }> {
    const [existing, bet] = await Promise.all([
      this.#rows.read(request),
      this.#rows.read({ merchantId: request.merchantId, txId: named.txId }),
    ]);
    if (existing !== undefined) return this.#tied(existing, request);
    const refusal = betRefusal(request, bet);
    if (refusal !== undefined) {
      const paid = await this.#rows.read(request);
      return paid === undefined ? { refusal } : this.#tied(paid, request);
    }
    const { mine, row } = await this.#rows.claim({ ...this.#voidLine(request), span });
    return mine ? { row, other: undefined, bet } : this.#tied(row, request);
  }

  /** Writes the bet and the win of a Play. The bet is leased, and the win waits for it. */
  async #openPlay(
    request: TransactionRequest,
    win: WinOfPlay,
    permit: Permit | undefined,
    span: Span | undefined,
  ): Promise<TransactionPair | Held | { refusal: Refusal }> {
    if (permit === undefined) throw new Error("a new bet has a permit");
    const sentAt = this.#clock.moment();
    const leaseMs = this.#leaseMs();
    const token = this.#random.token();
    // The round of the win is checked, too, so that a refused Play stores nothing.
    const unlessEnded = request.unlessEnded && { unlessEnded: true };
    const claimed = await unlessOver(
      this.#rows.claimPlay({
        bet: { content: request, token, as: "leased", leaseMs, playWin: win.txId, ...unlessEnded, span },
        win: { ...this.#voidLine(win), ...unlessEnded },
      }),
    );
    if ("refusal" in claimed) return claimed;
    const { bet, win: won } = claimed;
    if (!bet.mine) return this.#tied(bet.row, request);
    const waits = won?.mine
      ? { win: { ...win, leaseToken: won.row.leaseToken } }
      : await this.#waitFor(win, won?.row, span);
    return { row: bet.row, sentAt, leaseMs, quiet: true, permit, ...waits };
  }

  /** Makes the win of a Play wait for its bet, or says why it can never be paid. */
  async #waitFor(
    win: WinOfPlay,
    found: Transaction | undefined,
    span: Span | undefined,
  ): Promise<Pick<Held, "win" | "refused">> {
    let won = found;
    while (won === undefined || (won.status === "void" && !isOfPlay(won) && won.reversedBy === null)) {
      const line = { ...this.#voidLine(win), span };
      won =
        won === undefined
          ? (await this.#rows.claimWin(line)).row
          : ((await this.#rows.wait({ ...line, seen: won.leaseToken })) ?? (await this.#rows.read(win)));
    }
    const refused = unpayable(win, won);
    if (refused !== undefined) return { refused };
    // The row may have the labels of an earlier Play.
    return { win: { ...(won.bet === undefined ? win : { ...won, bet: won.bet }), leaseToken: won.leaseToken } };
  }

  /**
   * A reversal is void at first. It becomes pending when it has marked its original. If the original has no row, a void
   * row is written for it in the same statement.
   */
  async #openReversal(
    request: TransactionRequest,
    span: Span | undefined,
  ): Promise<TransactionPair | { refusal: Refusal }> {
    const original = unseenOriginal(request);
    const [existing, reversed] = await Promise.all([this.#rows.read(request), this.#rows.read(original)]);
    if (existing !== undefined) {
      const pair = await this.#tied(existing);
      if (pair.other !== undefined || !isReversal(existing.action)) return pair;
      // Both rows should have been written in one statement, but the database refused the original's row. Write that
      // row now.
      return {
        row: existing,
        other: (await this.#rows.claim({ ...this.#voidLine(unseenOriginal(existing)), span })).row,
      };
    }
    const sealed = sealedRefusal(reversed);
    if (sealed !== undefined) return { refusal: sealed };
    const field = reversed === undefined ? undefined : referenceMismatch(request, reversed);
    if (field !== undefined) return { refusal: { code: "TRANSACTION_MISMATCH", field } };
    const settled = reversed?.reversedBy === null ? settledRefusal(request, reversed) : undefined;
    if (settled !== undefined) return { refusal: settled };
    const { mine, row, other } = await this.#claimVoid(
      { ...this.#voidLine(request), span },
      this.#voidLine(original),
      reversed,
    );
    // Another replica wrote this reversal first, and it may be pending by now. Then the original that was read before
    // is outdated.
    return mine ? { row, other } : this.#tied(row);
  }

  #voidLine(content: Content): ClaimLine & { readonly as: "void" } {
    return { content, token: this.#random.token(), as: "void", leaseMs: NO_LEASE };
  }

  /** Writes a void row for a reversal. If the original has no row, this also writes a void row for the original. */
  async #claimVoid(
    own: ClaimLine,
    original: ClaimLine,
    reversed: Transaction | undefined,
  ): Promise<Claimed & { other: Transaction }> {
    if (reversed !== undefined) return { ...(await this.#rows.claim(own)), other: reversed };
    const [claimed, unseen] = await this.#rows.claimBoth([own, original]);
    return { ...claimed, other: unseen.row };
  }

  /** Writes the request's content into a void row, and leases the row. `undefined`: another request was faster. */
  async adopt(
    content: TransactionRequest,
    row: Transaction,
    permit: Permit,
    span: Span | undefined,
  ): Promise<Held | { refusal: Refusal } | undefined> {
    const { win } = content;
    const waits = win && (await this.#waitFor(win, await this.#rows.read(win), span));
    const sentAt = this.#clock.moment();
    const taken = await unlessOver(
      this.#rows.adopt({
        content,
        ...(content.unlessEnded && { unlessEnded: true }),
        seen: row.leaseToken,
        token: this.#random.token(),
        as: "leased",
        leaseMs: this.#leaseMs(),
        playWin: win?.txId,
        span,
      }),
    );
    if (taken !== undefined && "refusal" in taken) return taken;
    return taken && { row: taken, sentAt, leaseMs: this.#leaseMs(), quiet: true, permit, ...waits };
  }

  /**
   * Leases a row for a further attempt. `undefined`: another attempt was faster.
   *
   * @param request - the request that needs the attempt; null: the worker does.
   */
  async takeOver(
    { row, quiet }: { row: Transaction; quiet: boolean },
    request: TransactionRequest | null,
    permit: Permit,
    span: Span | undefined,
  ): Promise<Held | undefined> {
    const win = row.playWin === null ? undefined : await this.#waitingWin(row, row.playWin, request, span);
    const sentAt = this.#clock.moment();
    const taken = await this.#rows.takeOver({
      key: row,
      seen: row,
      token: this.#random.token(),
      leaseMs: this.#leaseMs(),
      span,
    });
    return taken && { row: taken, sentAt, leaseMs: this.#leaseMs(), quiet, permit, win };
  }

  /** The win that waits for this bet. Its row may be missing if its Play was interrupted. */
  async #waitingWin(
    bet: Transaction,
    txId: Content["txId"],
    request: TransactionRequest | null,
    span: Span | undefined,
  ): Promise<WaitingWin | undefined> {
    const won = await this.#rows.read({ merchantId: bet.merchantId, txId });
    if (won !== undefined && isWaiting(won) && won.bet?.txId === bet.txId) return { ...won, bet: won.bet };
    return request?.win?.txId === txId ? (await this.#waitFor(request.win, won, span)).win : undefined;
  }

  /** Tries to mark the original for a void reversal. The next read shows which reversal has set the mark. */
  async mark(
    reversal: Transaction,
    { unlessSettled = false, deliver = false }: TransactionRequest,
    span: Span | undefined,
  ): Promise<void> {
    const { leaseToken: seen, refTxId: reversed } = reversal;
    if (reversed === null) throw new Error("only a reversal is marked");
    await this.#rows.mark({ key: reversal, seen, reversed, unlessSettled, deliver, span });
  }

  /**
   * Seals an id under which nothing has come. `false`: its row is or became a transaction, or has a mark.
   *
   * @param original - the content of the void row. It has no meaning.
   * @param by - the id of the request that reverses it.
   */
  async seal(original: Content, by: Content["txId"], span: Span | undefined): Promise<boolean> {
    const { row } = await this.#rows.claim({ ...this.#voidLine(original), span });
    if (row.status !== "void" || row.reversedBy !== null) return false;
    return this.#rows.seal({ key: row, seen: row.leaseToken, by, span });
  }

  /** Makes a credit pending and due, so that the worker sends it. `false`: its row has changed since it was read. */
  async leaveToWorker(
    { do: what, row }: Decision & { do: "call" | "adopt" },
    content: Content,
    span: Span | undefined,
  ): Promise<boolean> {
    if (what === "adopt") {
      const token = this.#random.token();
      const adopted = await this.#rows.adopt({
        content,
        seen: row.leaseToken,
        token,
        as: "due",
        leaseMs: NO_LEASE,
        span,
      });
      return adopted !== undefined;
    }
    // A pending credit already has a due time, unless it is past its horizon.
    return (
      (row.status === "pending" && row.nextAt !== NEVER) ||
      this.#rows.schedule({ key: row, seen: row, inMs: NOW, span })
    );
  }

  #leaseMs(): WholeMs {
    return leaseMs(this.#policy);
  }
}

/** The refusal of a bet if the store found that its round has ended. This is an answer, so it is no error here. */
const unlessOver = <T>(answered: Promise<T>): Promise<T | { refusal: Refusal }> =>
  answered.catch((cause: unknown) => {
    if (!(cause instanceof RoundOver)) throw cause;
    return { refusal: { code: "ROUND_ENDED", field: "round_id" } };
  });
