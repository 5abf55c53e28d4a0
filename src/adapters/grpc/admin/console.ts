import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { ShowAlerts } from "../../../app/console/alerts/show-alerts.ts";
import type { SearchTransactions } from "../../../app/console/search-transactions.ts";
import type { ShowPlayer } from "../../../app/console/show-player.ts";
import type { ShowRounds } from "../../../app/console/show-rounds.ts";
import type { ShowTimeline, Timeline } from "../../../app/console/show-timeline.ts";
import type { ShowStuckMoney } from "../../../app/console/stuck-money.ts";
import { type HourOf, PENDING_AGES, type ShowToday, type Today } from "../../../app/console/today.ts";
import type { WalletHealth } from "../../../app/console/wallet-health.ts";
import { walletState } from "../../../app/console/wallet-state.ts";
import type { WalletVerdict } from "../../../app/console/wallet-verdict.ts";
import type { ListedRound } from "../../../app/rounds/rounds.ts";
import type { Settings } from "../../../app/runtime/settings.ts";
import { percentile } from "../../../domain/values/latency-histogram.ts";
import type { ConsoleService, RoundSchema } from "../../../gen/aggregator/admin/v1/console_service_pb.ts";
import type { TimelineSchema, TimelineSlipSchema } from "../../../gen/aggregator/admin/v1/timeline_pb.ts";
import type { TodaySchema } from "../../../gen/aggregator/admin/v1/today_pb.ts";
import type { WalletHealthSchema } from "../../../gen/aggregator/admin/v1/wallet_health_pb.ts";
import type { LoggedTransaction } from "../../../ports/transactions/transaction-reader.ts";
import { type CallEnding, ENDINGS, type WalletSums } from "../../../ports/transactions/wallet-minutes.ts";
import { fromTimestamp, toTimestamp } from "../messages/timestamp.ts";
import { toAttempt } from "../messages/transaction-message.ts";
import { unwrap } from "../server/refusal-error.ts";
import { alertHandlers } from "./alerts.ts";
import { LISTED_MAX, toEntry } from "./audit.ts";
import type { AdminHandlers } from "./service.ts";
import { stuckMoneyHandlers } from "./stuck-money.ts";
import { transactionOf } from "./transactions.ts";

/**
 * Serves aggregator.admin.v1.ConsoleService.
 *
 * @param horizonMs - the time after which a pending transaction is no longer resent.
 */
export function consoleHandlers(
  timeline: ShowTimeline,
  search: SearchTransactions,
  player: ShowPlayer,
  wallets: WalletHealth,
  today: ShowToday,
  stuck: ShowStuckMoney,
  rounds: ShowRounds,
  alerts: ShowAlerts,
  settings: Settings,
  { horizonMs }: { readonly horizonMs: number },
): AdminHandlers<typeof ConsoleService> {
  const toTransaction = transactionOf(settings);
  const toPart = (part: LoggedTransaction) => ({
    transaction: toTransaction(part),
    attemptLog: part.log.map(toAttempt),
    ...(part.transaction.status === "pending" && { horizonAt: toTimestamp(part.transaction.openedAt + horizonMs) }),
  });
  const toTimeline = ({
    transaction,
    related,
    slip,
    entries,
    now,
    resendable,
    notResolvableBecause,
    contradiction,
    round,
  }: Timeline): MessageInitShape<typeof TimelineSchema> => ({
    transaction: toPart(transaction),
    ...(related && { related: toPart(related) }),
    ...(slip && { slip: toSlip(slip) }),
    auditEntries: entries.map((entry) => toEntry(entry, LISTED_MAX)),
    now: toTimestamp(now),
    resendable,
    resolvable: notResolvableBecause === null,
    notResolvableBecause: notResolvableBecause ?? "",
    contradiction,
    roundState: round.state,
    ...(round.state === "ended" && { roundEndedAt: toTimestamp(round.endedAt) }),
  });
  return {
    ...stuckMoneyHandlers(stuck, settings),
    ...alertHandlers(alerts),
    async getTimeline(name, caller) {
      return { timeline: toTimeline(unwrap(await timeline.show({ ...caller, reason: "" }, name))) };
    },
    async listRounds({ olderThanS, ...asked }) {
      const { items, nextCursor } = unwrap(await rounds.list({ ...asked, olderThanMs: olderThanS * 1_000 }));
      return { rounds: items.map(toRound), nextCursor };
    },
    async searchTransactions(wanted, caller) {
      const { hits, more, beginnings } = unwrap(await search.find({ ...caller, reason: "" }, wanted));
      return {
        hits: hits.map((hit) => ({ matched: hit.matched, transaction: toTransaction(hit) })),
        more,
        beginnings: [...beginnings],
      };
    },
    async getPlayer(name, caller) {
      const { merchant, troubles, last, more } = unwrap(await player.show({ ...caller, reason: "" }, name));
      return {
        currency: merchant.currency,
        troubles: troubles.map((one) => ({ kind: one.kind, transaction: toTransaction(one) })),
        ...(last && { lastBalance: toTransaction(last) }),
        more,
      };
    },
    async getWalletHealth({ merchant, ...range }) {
      const { points, total, verdict, stepMs, ...times } = unwrap(await wallets.series(merchant, rangeOf(range)));
      return {
        ...timesOf(times),
        stepMs,
        points: points.map((point) => ({ at: toTimestamp(point.at), health: toHealth(point) })),
        ...(total && { total: toHealth(total) }),
        ...toVerdict(verdict),
      };
    },
    async getToday({ from }) {
      return { today: toToday(unwrap(await today.show(fromTimestamp("from", from)))) };
    },
    async listWalletHealth({ from, to, ...page }) {
      const { items, nextCursor, ...times } = unwrap(await wallets.grid(rangeOf({ from, to }), page));
      return {
        ...timesOf(times),
        rows: items.map(({ merchant, total, verdict }) => ({
          merchant,
          ...(total && { health: toHealth(total) }),
          ...toVerdict(verdict),
        })),
        nextCursor,
      };
    },
  };
}

const toRound = ({ provider, roundId, openedAt, endedAt }: ListedRound): MessageInitShape<typeof RoundSchema> => ({
  provider,
  roundId,
  state: endedAt === null ? "open" : "ended",
  openedAt: toTimestamp(openedAt),
  ...(endedAt !== null && { endedAt: toTimestamp(endedAt) }),
});

function toSlip({
  slip: { slipId, state, bets, dueAt, createdAt },
  rows,
}: NonNullable<Timeline["slip"]>): MessageInitShape<typeof TimelineSlipSchema> {
  const failed = state.status === "failed" ? state : undefined;
  return {
    slipId,
    status: state.status,
    failedTxId: failed === undefined ? "" : (rows[failed.at]?.txId ?? ""),
    failure: failed?.why.kind === "refused" ? failed.why.error : "",
    unfinished: dueAt !== null,
    createdAt: toTimestamp(createdAt),
    bets: rows.map(({ txId, row }, i) => ({
      txId,
      amountMinor: bets[i]?.amountMinor ?? 0n,
      status: row === undefined || row.status === "void" ? "" : row.status,
      reversedBy: row?.reversedBy ?? "",
    })),
  };
}

const rangeOf = ({ from, to }: { readonly from?: Timestamp | undefined; readonly to?: Timestamp | undefined }) => ({
  from: fromTimestamp("from", from),
  to: fromTimestamp("to", to),
});
const timesOf = ({ from, to }: { readonly from: number; readonly to: number }) => ({
  from: toTimestamp(from),
  to: toTimestamp(to),
});

function toVerdict({ state, begin, breakerPermits }: WalletVerdict) {
  const since = begin && { since: toTimestamp(begin.since), orEarlier: begin.orEarlier };
  return {
    verdict: { state, ...since, ...(breakerPermits !== null && { breakerPermits }) },
    ...(since && (state === "failing" || state === "slow") && { trouble: { state, ...since } }),
  };
}

function toHealth(sums: WalletSums): MessageInitShape<typeof WalletHealthSchema> {
  const { calls, durations, permitsHeld, permits, breakerPermits } = sums;
  const count = (ending: CallEnding) => BigInt(calls[ENDINGS.indexOf(ending)] ?? 0);
  const ms = (share: number) => percentile(durations, share);
  const [p50Ms, p95Ms, p99Ms] = [ms(0.5), ms(0.95), ms(0.99)];
  return {
    accepted: count("accepted"),
    rejected: count("rejected"),
    timeout: count("timeout"),
    http5xx: count("http_5xx"),
    unreadable: count("unreadable"),
    unreachable: count("unreachable"),
    ...(p50Ms !== null && p95Ms !== null && p99Ms !== null && { p50Ms, p95Ms, p99Ms }),
    permitsHeld,
    permits,
    ...(breakerPermits !== null && { breakerPermits }),
    state: walletState(sums),
  };
}

const toHour = ({ hour, currency, bets, sums }: HourOf) => ({
  at: toTimestamp(hour),
  currency,
  betCount: BigInt(bets),
  betsMinor: sums.bet,
  winsMinor: sums.win,
  refundsMinor: sums.refund,
  rollbacksMinor: sums.rollback,
});

const toToday = ({ asOf, from, hours, weekBefore, merchants, more }: Today): MessageInitShape<typeof TodaySchema> => ({
  asOf: toTimestamp(asOf),
  from: toTimestamp(from),
  hours: hours.map(toHour),
  weekBefore: weekBefore.map(toHour),
  merchants: merchants.map(({ merchant, bets, players, pending, wallet, verdict, walletCounting, owed }) => ({
    merchant: merchant.code,
    currency: merchant.currency,
    betsPerMinute: bets,
    players,
    pending: pending.map(({ count, sumMinor }, i) => ({
      olderThanS: (PENDING_AGES[i] as number) / 1_000,
      count,
      amountMinor: sumMinor,
    })),
    ...(wallet && { wallet: toHealth(wallet) }),
    walletVerdict: toVerdict(verdict).verdict,
    walletInTrouble: verdict.state === "failing",
    walletCounting,
    ...(owed && {
      owed: { count: owed.count, amountMinor: owed.sumMinor, needsPerson: owed.needsPerson, pending: owed.pending },
    }),
  })),
  more,
});
