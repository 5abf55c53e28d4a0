import { contradicts, type Settlement, settleOriginal, settleReversal } from "../../domain/transaction/settle.ts";
import { type Answer, answerOf, type Transaction, type WalletAnswer } from "../../domain/transaction/transaction.ts";
import { keyText, type TxKey } from "../../domain/values/identifiers.ts";
import { type WholeMs, wholeMs } from "../../domain/values/whole-ms.ts";
import { type Clock, sleep } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { LogIds, Telemetry } from "../../ports/telemetry.ts";
import type { Span } from "../../ports/tracing.ts";
import {
  type Attempt as AttemptEntry,
  claimedPlay,
  type SettleLine,
} from "../../ports/transactions/transaction-store.ts";
import type { Wallet, WalletReply } from "../../ports/wallet.ts";
import type { WalletPermits } from "../capacity/wallet-permits.ts";
import type { Sequencer } from "../feed/sequencer.ts";
import type { Settings } from "../runtime/settings.ts";
import type { BatchedRows } from "./batched-rows.ts";
import type { Held, Progress, WaitingWin } from "./progress.ts";

/**
 * A call begins at most this long after the statement that took its lease was sent. So the lease ends later than the
 * call.
 */
const CALL_BEGINS_WITHIN_MS = 5_000;
/** A lease is this much longer than the wallet's time-out. */
const LEASE_MARGIN_MS = 7_000;
const SETTLE_PAUSE_MS = 200;
/**
 * The maximum of settles of one reversal. A settle is repeated if the reversed row has changed. The reversed row
 * changes its status once while its reversal is in flight, so two settles are enough. The maximum prevents an endless
 * loop.
 */
const SETTLES_MAX = 4;

export interface LeasePolicy {
  readonly walletTimeoutMs: number;
  /**
   * How much longer than the wallet's time-out a lease is; 7 s by default. The time within which a call may begin
   * shrinks in proportion. Tests that wait for dead leases use a smaller value.
   */
  readonly leaseMarginMs?: number | undefined;
}

export interface AttemptPolicy extends LeasePolicy {
  /** The service stops resending when this much time has passed since a row was opened, in ms. */
  readonly horizonMs: number;
  /** See {@link ReversalPolicy}. */
  readonly quietPeriodMs: number;
  /** See {@link ResendPolicy}. */
  readonly firstDelayMs?: number | undefined;
}

/** The length of a lease, in ms. */
export const leaseMs = ({ walletTimeoutMs, leaseMarginMs = LEASE_MARGIN_MS }: LeasePolicy): WholeMs =>
  wholeMs(walletTimeoutMs + leaseMarginMs);

/** How a call ended, and what is needed to record this. */
interface Ended {
  readonly answered: WalletAnswer;
  readonly attempt: AttemptEntry;
  /** This process's estimate of the database's time. */
  readonly now: number;
  readonly progress: Progress;
}

/** One attempt: the wallet call for a leased row, and the statement that records how the call ended. */
export class Attempt {
  readonly #rows: BatchedRows;
  readonly #wallet: Wallet;
  readonly #permits: WalletPermits;
  readonly #settings: Pick<Settings, "walletTarget">;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #telemetry: Telemetry;
  readonly #policy: AttemptPolicy;
  readonly #feed: Pick<Sequencer, "changed">;
  readonly #contradicted: (key: TxKey) => void;
  readonly #leaseMarginMs: number;
  readonly #callBeginsWithinMs: number;

  /**
   * @param feed - gets the merchant of each row whose state has changed, so that the change gets its number.
   * @param contradicted - called when a late answer contradicts the recorded answer.
   */
  constructor(
    rows: BatchedRows,
    wallet: Wallet,
    permits: WalletPermits,
    settings: Pick<Settings, "walletTarget">,
    clock: Clock,
    random: Random,
    telemetry: Telemetry,
    policy: AttemptPolicy,
    feed: Pick<Sequencer, "changed">,
    contradicted: (key: TxKey) => void,
  ) {
    this.#rows = rows;
    this.#wallet = wallet;
    this.#permits = permits;
    this.#settings = settings;
    this.#clock = clock;
    this.#random = random;
    this.#telemetry = telemetry;
    this.#policy = policy;
    this.#feed = feed;
    this.#contradicted = contradicted;
    this.#leaseMarginMs = policy.leaseMarginMs ?? LEASE_MARGIN_MS;
    this.#callBeginsWithinMs = (CALL_BEGINS_WITHIN_MS * this.#leaseMarginMs) / LEASE_MARGIN_MS;
  }

  /**
   * Calls the wallet and records its answer. Releases the permit when the call has ended. The answer comes from the
   * row, whatever attempt wrote the row last.
   *
   * @param begin - called when the bet of a Play has made its win pending. The win has its lease and the permit.
   */
  async run(held: Held, progress: Progress, begin: (win: Held) => void): Promise<Answer> {
    const { row, permit, win } = held;
    const reply = await this.#call(held, progress.span).catch((cause) => {
      permit.release();
      throw cause;
    });
    const now = row.readAt + (this.#clock.monotonic() - held.sentAt.monotonic);
    const attempt: AttemptEntry = {
      n: row.attempts,
      at: wholeMs(now - reply.durationMs),
      durationMs: wholeMs(reply.durationMs),
      httpStatus: reply.httpStatus,
      result: reply.result,
      requestId: reply.requestId,
      replyStart: reply.replyStart,
      error: reply.answer.kind === "rejected" && row.action !== "bet" ? reply.answer.error : undefined,
    };
    if (win !== undefined && reply.answer.kind === "accepted")
      return this.#settlePlay(held, win, { answered: reply.answer, attempt, now, progress }, begin);
    permit.release();
    return row.refTxId === null
      ? this.#settleOriginal(held, { answered: reply.answer, attempt, now, progress })
      : this.#settleReversal(held, { ...row, txId: row.refTxId }, { answered: reply.answer, attempt, now, progress });
  }

  async #call(
    { row, sentAt, refused }: Held,
    span: Span | undefined,
  ): Promise<WalletReply | (Omit<WalletReply, "requestId"> & { requestId: null })> {
    if (this.#clock.elapsedSince(sentAt) > this.#callBeginsWithinMs) {
      return { answer: { kind: "silent" }, result: "timeout", httpStatus: null, requestId: null, durationMs: 0 };
    }
    if (refused !== undefined)
      return {
        answer: { kind: "rejected", error: refused },
        result: "rejected",
        httpStatus: null,
        requestId: null,
        durationMs: 0,
      };
    const target = this.#settings.walletTarget(row.merchantId);
    const step = span?.begin("wallet call", { merchant: target.merchantCode, txId: row.txId, attempt: row.attempts });
    const reply = await this.#wallet.send(target, row, row.attempts, step);
    const { result, httpStatus, requestId, durationMs } = reply;
    step?.end(reply.answer.kind === "silent", { outcome: result, httpStatus, requestId });
    const ids = step && { tx_id: row.txId, request_id: requestId, trace_id: step.traceId };
    const { merchantId, merchantCode } = target;
    this.#telemetry.walletCall({ merchantId, merchantCode, kind: "money", result, durationMs }, ids);
    if (reply.answer.kind === "silent") this.#permits.silent(row.merchantId);
    else this.#permits.answered(row.merchantId);
    return reply;
  }

  async #settleOriginal({ row }: Held, ended: Ended): Promise<Answer> {
    const { answered, attempt, now, progress } = ended;
    const settlement = settleOriginal(row, answered, now, this.#resend());
    const { change } = settlement;
    const line: SettleLine = { key: row, token: row.leaseToken, change, attempt, span: progress.span };
    const applied = await this.#settle(row, line, ended);
    return this.#conclude(row, ended, settlement, applied);
  }

  /** Records that the wallet has accepted the bet of a Play. The same statement makes the win pending. */
  async #settlePlay(held: Held, win: WaitingWin, ended: Ended, begin: (win: Held) => void): Promise<Answer> {
    const { row, permit } = held;
    const { answered, attempt, now, progress } = ended;
    const settlement = settleOriginal(row, answered, now, this.#resend());
    const token = this.#random.token();
    const { leaseMs } = held;
    const line = { key: row, token: row.leaseToken, change: settlement.change, attempt, span: progress.span };
    const sentAt = this.#clock.moment();
    const applied = await this.#persist(row, ended, () =>
      this.#rows.settlePlay({
        ...line,
        win: { txId: win.txId, seen: win.leaseToken, settles: win.bet.settles, token, leaseMs },
      }),
    );
    if (applied === true) {
      const taken = claimedPlay({ content: win, token, as: "leased", leaseMs }, now);
      begin({ row: taken, sentAt, leaseMs, quiet: true, permit });
    } else permit.release();
    // A reversal has marked the bet or the win, or the lease is lost: only the bet is settled.
    return applied === false ? this.#settleOriginal(held, ended) : this.#conclude(row, ended, settlement, applied);
  }

  async #settleReversal({ row, quiet }: Held, reversedKey: TxKey, ended: Ended): Promise<Answer> {
    const { answered, attempt, now, progress } = ended;
    for (let settles = 0; settles < SETTLES_MAX; settles++) {
      const reversed = await this.#persist(row, ended, () => this.#rows.read(reversedKey));
      if (reversed === undefined) return answerOf({ ...row, status: "pending" });
      const settlement = settleReversal(row, reversed, answered, quiet, now, this.#resend());
      const line: SettleLine = {
        key: row,
        token: row.leaseToken,
        change: settlement.change,
        attempt,
        reversed: { txId: reversed.txId, seen: reversed.status, change: settlement.reversed },
        span: progress.span,
      };
      const applied = await this.#settle(row, line, ended);
      if (applied === undefined || applied) return this.#conclude(row, ended, settlement, applied);
      // Either the lease was lost, or the reversed row changed between its read and the statement. In the second case
      // settle again.
      const current = await this.#persist(row, ended, () => this.#rows.read(row));
      if (
        current === undefined ||
        current.leaseToken !== row.leaseToken ||
        current.leaseUntil === null ||
        current.status !== "pending"
      ) {
        return this.#late(row, ended, current);
      }
    }
    // The lease will expire, and the worker takes the row over, as after a crash.
    this.#telemetry.error(
      `settling ${keyText(row)}`,
      new Error(`the reversed row changed ${SETTLES_MAX} times during the settle`),
      idsOf(row, ended),
    );
    return answerOf({ ...row, status: "pending" });
  }

  #settle(row: Transaction, line: SettleLine, ended: Ended): Promise<boolean | undefined> {
    return this.#persist(row, ended, () => this.#rows.settle(line));
  }

  /**
   * The answer after a settle. If the settle came too late (`applied` is false), the answer comes from the row, never
   * from this attempt's wallet reply. If the result of the settle is unknown (undefined), the answer is pending.
   */
  async #conclude(
    row: Transaction,
    ended: Ended,
    settlement: Settlement,
    applied: boolean | undefined,
  ): Promise<Answer> {
    if (applied === undefined) return answerOf({ ...row, status: "pending" });
    if (!applied) {
      return this.#late(row, ended, await this.#persist(row, ended, () => this.#rows.read(row)));
    }
    this.#feed.changed(row.merchantId);
    for (const alert of settlement.alerts) {
      const fields = {
        merchant_id: row.merchantId,
        tx_id: row.txId,
        ref_tx_id: row.refTxId,
        amount_minor: row.amountMinor,
        currency: row.currency,
      };
      this.#telemetry.alert(alert, fields, idsOf(row, ended));
    }
    return answerOf({ ...row, ...settlement.change.state });
  }

  /**
   * The answer if another attempt has taken the row over. The result that the other attempt recorded is final. If the
   * wallet gave the two attempts opposite answers, the alert `wallet_contradicts` is raised
   * (docs/specification/transactions.md#tx-contradiction).
   */
  #late(row: Transaction, ended: Ended, current: Transaction | undefined): Answer {
    const { answered } = ended;
    if (current !== undefined && contradicts(answered, current)) {
      const answer = answered.kind === "rejected" ? answered.error : answered.kind;
      const fields = { merchant_id: row.merchantId, tx_id: row.txId, recorded: current.status, answer };
      this.#telemetry.alert("wallet_contradicts", fields, idsOf(row, ended));
      this.#contradicted(row);
    }
    return answerOf(current ?? { ...row, status: "pending" });
  }

  /**
   * Repeats a statement while the database fails and the lease lasts. The wallet's answer is known, and the token makes
   * a repeated statement harmless. `undefined`: the lease has expired, and the row stays as a crash would have left it.
   */
  async #persist<T>(row: Transaction, ended: Ended, statement: () => Promise<T>): Promise<T | undefined> {
    const until = this.#clock.monotonic() + this.#leaseMarginMs;
    const send = async (): Promise<T> => {
      for (let pause = SETTLE_PAUSE_MS; ; pause *= 2) {
        try {
          return await statement();
        } catch (cause) {
          this.#telemetry.error(`recording the wallet's answer to ${keyText(row)}`, cause, idsOf(row, ended));
          if (this.#clock.monotonic() + pause >= until) throw cause;
          await sleep(this.#clock, pause);
        }
      }
    };
    // All repeats are one look, because a repeat may return the result of the first try.
    return ended.progress.look(send).catch(() => undefined);
  }

  #resend() {
    const { horizonMs, firstDelayMs, quietPeriodMs } = this.#policy;
    return { horizonMs, firstDelayMs, quietPeriodMs, fraction: this.#random.fraction() };
  }
}

const idsOf = (row: Transaction, { attempt, progress }: Ended): LogIds => ({
  tx_id: row.txId,
  request_id: attempt.requestId ?? undefined,
  trace_id: progress.span?.traceId,
});
