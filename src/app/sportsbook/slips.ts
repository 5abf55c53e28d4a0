import { ok, type Result } from "../../domain/errors.ts";
import {
  failedAt,
  failureOf,
  isSent,
  refundIdOf,
  type SlipBet,
  toRefund,
  type Verdict,
} from "../../domain/transaction/betslip.ts";
import { firstDifference } from "../../domain/transaction/idempotency.ts";
import { SLIP_STUCK_AFTER_MS } from "../../domain/transaction/stuck.ts";
import {
  type Action,
  type Answer,
  answerOf,
  type Content,
  type GameRef,
} from "../../domain/transaction/transaction.ts";
import { type TxId, wireTxId } from "../../domain/values/identifiers.ts";
import type { WholeMs } from "../../domain/values/whole-ms.ts";
import { type Clock, type Moment, sleep } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { Span } from "../../ports/tracing.ts";
import type { LeasedSlip, NewSlip, Opened, Slip, SlipKey, SlipStore } from "../../ports/transactions/slip-store.ts";
import { type LeasePolicy, leaseMs } from "../transaction/attempt.ts";
import { REPLY_RESERVE_MS } from "../transaction/drive.ts";
import type { Transact } from "../transaction/transact.ts";

/**
 * If a slip is older than this when it is taken over, it sends no further bet, because odds change. It fails, and its
 * bets are refunded.
 */
const SEND_WITHIN_MS = 60_000;
const POLL_FIRST_MS = 50;
const POLL_LONGEST_MS = 400;

const keyOf = ({ merchantId, slipId }: SlipKey): string => `${merchantId}/${slipId}`;

/**
 * Drives slips to their end: bet after bet, then the final status, then the refunds. Each bet and refund is a run of
 * {@link Transact}, which may be repeated safely. The slip's lease only prevents that two processes do the same work.
 */
export class Slips {
  readonly #running = new Map<string, Promise<void>>();
  #takenUp = 0;
  readonly #store: SlipStore;
  readonly #transact: Transact;
  readonly #game: () => GameRef;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #telemetry: Telemetry;
  readonly #leaseMs: WholeMs;

  /** @param game - the sportsbook's game. */
  constructor(
    store: SlipStore,
    transact: Transact,
    game: () => GameRef,
    clock: Clock,
    random: Random,
    telemetry: Telemetry,
    policy: LeasePolicy,
  ) {
    this.#store = store;
    this.#transact = transact;
    this.#game = game;
    this.#clock = clock;
    this.#random = random;
    this.#telemetry = telemetry;
    this.#leaseMs = leaseMs(policy);
  }

  /** The number of slips that this process drives. A stop waits until it is 0. */
  get active(): number {
    return this.#running.size;
  }

  /** Whether this process drives the slip. */
  drives(key: SlipKey): boolean {
    return this.#running.has(keyOf(key));
  }

  /** The number of these slips that this process took over from another process. */
  get takenUp(): number {
    return this.#takenUp;
  }

  /**
   * Stores a slip. When this resolves, a new slip is already in progress. Throws StoreUnavailable.
   *
   * @param span - the request's span. It gets the steps of a new slip's bets and refunds.
   */
  async open(slip: NewSlip, span?: Span): Promise<Opened> {
    const since = this.#clock.moment();
    const opened = await this.#store.open(slip, this.#random.token(), this.#leaseMs);
    if (opened.is === "new") this.#start(new SlipLease(opened.slip, since, span), true);
    return opened;
  }

  read(key: SlipKey): Promise<Slip | undefined> {
    return this.#store.read(key);
  }

  /**
   * Waits until the slip has ended, whatever process drives it. `undefined`: `REPLY_RESERVE_MS` before `deadline`
   * (Clock.monotonic()) the slip is still running.
   */
  async follow(key: SlipKey, deadline: number): Promise<Slip | undefined> {
    const leftMs = () => deadline - this.#clock.monotonic() - REPLY_RESERVE_MS;
    for (let pause = POLL_FIRST_MS; leftMs() > 0; ) {
      const here = this.#running.get(keyOf(key));
      if (here !== undefined) await this.#waitFor(here, leftMs());
      const slip = await this.#store.read(key);
      if (slip === undefined) throw new Error(`slip ${keyOf(key)} was there and is gone`);
      if (slip.dueAt === null) return slip;
      if (slip.dueAt <= slip.readAt) await this.takeUp(slip);
      if (this.#running.has(keyOf(key))) continue;
      await sleep(this.#clock, Math.min(pause, Math.max(0, leftMs())));
      pause = Math.min(pause * 2, POLL_LONGEST_MS);
    }
    return undefined;
  }

  /**
   * Takes over the lease of a slip that no process drives, and drives the slip. If another process was faster, this
   * does nothing.
   */
  async takeUp(seen: LeasedSlip): Promise<void> {
    if (this.drives(seen)) return;
    const since = this.#clock.moment();
    const slip = await this.#store.take(seen, this.#random.token(), this.#leaseMs);
    if (slip === undefined) return;
    const { merchantId, slipId, createdAt, readAt } = slip;
    // Bets of this slip may be debited and not refunded yet.
    if (readAt - createdAt > SLIP_STUCK_AFTER_MS)
      this.#telemetry.alert("slip_stuck", { merchant_id: merchantId, slip_id: slipId });
    this.#start(new SlipLease(slip, since), false);
  }

  /** Resolves when the run is over, or after `leftMs`. */
  #waitFor(run: Promise<void>, leftMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(leftMs, resolve);
      void run.then(() => {
        cancel();
        resolve();
      });
    });
  }

  #start(lease: SlipLease, sole: boolean): void {
    const key = keyOf(lease.slip);
    if (!sole) this.#takenUp += 1;
    const run = this.#drive(lease, sole)
      // After an error the slip's lease expires, and a worker takes the slip over, as after a crash.
      .catch((cause) => this.#telemetry.error(`slip ${key}`, cause))
      .finally(() => {
        if (this.#running.get(key) === run) this.#running.delete(key);
        if (!sole) this.#takenUp -= 1;
      });
    this.#running.set(key, run);
  }

  /** @param sole - whether this process opened the slip, so that no other process has driven it. */
  async #drive(lease: SlipLease, sole: boolean): Promise<void> {
    const { slip } = lease;
    const state = slip.state.status === "running" ? await this.#decide(lease, sole) : slip.state;
    if (state?.status !== "failed" || !state.refunding) return;
    if (await this.#refundAll(lease, toRefund(slip.bets, state))) await this.#store.finish(slip, slip.leaseToken);
  }

  /**
   * Sends bet after bet. When this resolves, the final status is durable. `undefined`: another process has the slip
   * now.
   */
  async #decide(lease: SlipLease, sole: boolean): Promise<Verdict | undefined> {
    const { slip } = lease;
    const refundedAt = sole ? undefined : await this.#refundedAt(slip);
    if (refundedAt !== undefined) return this.#record(lease, failedAt(slip.bets, refundedAt, { kind: "silent" }));
    const stale = !sole && slip.readAt - slip.createdAt > SEND_WITHIN_MS;
    for (const [at, bet] of slip.bets.entries()) {
      // Only a process that has had the slip from the beginning may refuse a free bet. Another process may have
      // accepted the free bet and sent the next bet.
      if (!isSent(bet) && !sole) continue;
      if (!(await this.#renew(lease))) return undefined;
      const content = this.#content(slip, bet, "bet");
      const outcome = await (!isSent(bet)
        ? this.#checkFreeBet(content)
        : sole
          ? this.#run(content, lease.span)
          : this.#resume(content, stale));
      const why = failureOf(outcome, sole);
      if (why === undefined) continue;
      return this.#record(lease, failedAt(slip.bets, at, why));
    }
    return this.#record(lease, { status: "accepted" });
  }

  /**
   * The position of the last bet that was sent, if the slip's own refund has reversed any of its bets. Such a slip has
   * failed before, so it must fail for ever, whatever its stored status says. Otherwise a returned stake would count as
   * debited. `undefined`: the slip has refunded no bet.
   */
  async #refundedAt(slip: Slip): Promise<number | undefined> {
    const game = this.#game();
    const rows = await Promise.all(slip.bets.map((bet) => this.#transact.read(this.#content(slip, bet, "bet"))));
    const isRefunded = rows.some(
      (row, i) => row?.reversedBy === wireTxId(game.provider, refundIdOf((slip.bets[i] as SlipBet).txId)),
    );
    return isRefunded ? rows.findLastIndex((row) => row !== undefined) : undefined;
  }

  /**
   * A free bet is never sent to the wallet. It makes the slip fail if its id belongs to another transaction, or if a
   * refund of this bet came first.
   */
  async #checkFreeBet(content: Content): Promise<Result<Answer>> {
    const refusal = await this.#transact.refusalOfZero(content);
    return refusal === undefined
      ? ok({ status: "success", txId: content.txId, balanceMinor: null })
      : { ok: false, refusal };
  }

  /**
   * Refunds these bets at the same time, except the last one: it follows when the others have been answered. So the
   * wallet's last reply for the slip is known, and with it the player's balance. `false`: not all refunds are durable.
   */
  async #refundAll(lease: SlipLease, bets: readonly SlipBet[]): Promise<boolean> {
    const last = bets.at(-1);
    if (last === undefined) return true;
    const others = await Promise.allSettled(bets.slice(0, -1).map((bet) => this.#refund(lease, bet)));
    const durable = [await this.#refund(lease, last)];
    for (const other of others) {
      if (other.status === "rejected") throw other.reason;
      durable.push(other.value);
    }
    return durable.every((one) => one);
  }

  /**
   * Refunds a bet. `true`: the refund is durable, answered or not, or there is nothing to refund. `false`: the refund
   * is not durable yet, so the slip has not ended.
   */
  async #refund({ slip, span }: SlipLease, bet: SlipBet): Promise<boolean> {
    const refunded = await this.#run(this.#content(slip, bet, "refund"), span);
    if (refunded.ok) return true;
    if (refunded.refusal.code === "SERVICE_UNAVAILABLE") return false;
    this.#telemetry.error(`refund of ${slip.merchantId}/${bet.txId}`, new Error(refunded.refusal.code));
    const content = this.#content(slip, bet, "bet");
    const row = await this.#transact.read(content);
    const taken =
      row !== undefined &&
      (row.status === "success" || row.status === "pending") &&
      firstDifference(row, content) === undefined;
    // There is nothing to refund in two cases. Another transaction has the bet's id, so this bet was never sent. Or
    // another refund already returns the bet's amount.
    if (!taken || row.reversedBy !== null) return true;
    this.#telemetry.alert("slip_stuck", { merchant_id: slip.merchantId, slip_id: slip.slipId, tx_id: content.txId });
    return false;
  }

  async #run(content: Content, span?: Span): Promise<Result<Answer>> {
    // This is long enough to wait for a call that a dead process began, and then for a call of this process.
    const outcome = await this.#transact.run(content, this.#clock.monotonic() + 2 * this.#leaseMs, span);
    this.#telemetry.transaction(content.action, outcome.ok ? outcome.value.status : "refused");
    return outcome;
  }

  /**
   * Goes on with a bet of a slip that this process took over. A debited bet counts as debited even if the sportsbook
   * has refunded it since. The earlier process may have gone on to the next bet, or may still do so.
   */
  async #resume(content: Content, stale: boolean): Promise<Result<Answer>> {
    const row = await this.#transact.read(content);
    // Another transaction has this id, so its row has no information about this bet. The run refuses the bet without a
    // wallet call.
    if (row !== undefined && row.status !== "void" && firstDifference(row, content) !== undefined)
      return this.#run(content);
    const known = answerOf(row ?? { ...content, status: "void" });
    return known.status === "success" || stale ? ok(known) : this.#run(content);
  }

  #content(slip: Slip, bet: SlipBet, action: Action & ("bet" | "refund")): Content {
    const game = this.#game();
    const betId = wireTxId(game.provider, bet.txId);
    const ids: { txId: TxId; refTxId: TxId | null } =
      action === "bet"
        ? { txId: betId, refTxId: null }
        : { txId: wireTxId(game.provider, refundIdOf(bet.txId)), refTxId: betId };
    const { merchantId, playerId, currency } = slip;
    return { merchantId, ...ids, action, playerId, roundId: bet.roundId, amountMinor: bet.amountMinor, currency, game };
  }

  /** Renews the lease if a third of it has passed. `false`: another process has the lease, or has ended the slip. */
  async #renew(lease: SlipLease): Promise<boolean> {
    const since = this.#clock.moment();
    if (this.#clock.elapsedSince(lease.since) < this.#leaseMs / 3) return true;
    const renewed = await this.#store.renew(lease.slip, lease.slip.leaseToken, this.#leaseMs);
    if (renewed) lease.since = since;
    return renewed;
  }

  /** Records the final status. `undefined`: another process has the lease. */
  async #record({ slip }: SlipLease, verdict: Verdict): Promise<Verdict | undefined> {
    return (await this.#store.decide(slip, slip.leaseToken, verdict, this.#leaseMs)) ? verdict : undefined;
  }
}

/**
 * A slip whose lease this process holds. `since`: when the statement that took or renewed the lease was sent. `span`: of the request that opened the slip. A slip that was taken over has none.
 */
class SlipLease {
  readonly slip: Slip;
  readonly span: Span | undefined;
  since: Moment;

  constructor(slip: Slip, since: Moment, span?: Span) {
    this.slip = slip;
    this.since = since;
    this.span = span;
  }
}
