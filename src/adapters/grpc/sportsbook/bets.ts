import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { PlaceBetslip } from "../../../app/sportsbook/place-betslip.ts";
import type { MoveMoney } from "../../../app/transaction/move-money.ts";
import type { MoveReply } from "../../../app/transaction/move-reply.ts";
import type { QueryBalance } from "../../../app/transaction/query-balance.ts";
import { SPORTSBOOK_GAME } from "../../../domain/catalog/provider.ts";
import {
  type BetReport,
  isSlipRefundId,
  type SlipReport,
  slipRefundFault,
} from "../../../domain/transaction/betslip.ts";
import { carriedOf } from "../../../domain/values/carried.ts";
import type {
  BetService,
  GetBalanceRequest,
  PayWinRequest,
  PlaceBetslipRequest,
  RefundBetRequest,
} from "../../../gen/aggregator/sportsbook/v1/bet_service_pb.ts";
import { TransactionStatus } from "../../../gen/aggregator/sportsbook/v1/transaction_status_pb.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import type { ProviderKeys } from "../provider/keys.ts";
import { callDeadline } from "../server/caller.ts";
import { guard, unwrap } from "../server/refusal-error.ts";

const STATUS = {
  success: TransactionStatus.SUCCESS,
  pending: TransactionStatus.PENDING,
  failed: TransactionStatus.FAILED,
} as const satisfies Record<MoveReply["status"], TransactionStatus>;

/**
 * Serves aggregator.sportsbook.v1.BetService. The use case gets the caller's deadline, and answers before the deadline.
 * If the caller hangs up or the deadline passes, the work goes on.
 */
export class SportsbookBetHandlers implements ServiceImpl<typeof BetService> {
  readonly #keys: ProviderKeys;
  readonly #placeBetslip: PlaceBetslip;
  readonly #moveMoney: MoveMoney;
  readonly #queryBalance: QueryBalance;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;

  constructor(
    keys: ProviderKeys,
    placeBetslip: PlaceBetslip,
    moveMoney: MoveMoney,
    queryBalance: QueryBalance,
    clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#keys = keys;
    this.#placeBetslip = placeBetslip;
    this.#moveMoney = moveMoney;
    this.#queryBalance = queryBalance;
    this.#clock = clock;
    this.#telemetry = telemetry;
  }

  getBalance({ sessionId, playerRef }: GetBalanceRequest, context: HandlerContext) {
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, "GetBalance", async () => {
      const provider = unwrap(await this.#keys.sportsbook(context));
      const traceparent = context.requestHeader.get("traceparent");
      const query = { provider, sessionId, playerRef, game: SPORTSBOOK_GAME, deadline, traceparent };
      const { status, balanceMinor, error } = unwrap(await this.#queryBalance.query(query));
      return { status: STATUS[status], error, ...withBalance(balanceMinor) };
    });
  }

  placeBetslip({ sessionId, slipId, bets, currency }: PlaceBetslipRequest, context: HandlerContext) {
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, "PlaceBetslip", async () => {
      const provider = unwrap(await this.#keys.sportsbook(context));
      const slipBets = bets.map(({ txId, roundId, amountMinor }) => ({ txId, roundId, amountMinor }));
      const traceparent = context.requestHeader.get("traceparent");
      const slip = { provider, sessionId, slipId, bets: slipBets, currency, deadline, traceparent };
      return toSlip(unwrap(await this.#placeBetslip.place(slip)));
    });
  }

  payWin(request: PayWinRequest, context: HandlerContext) {
    return this.#move("win", { ...request, refTxId: "" }, context);
  }

  refundBet(request: RefundBetRequest, context: HandlerContext) {
    return this.#move("refund", request, context);
  }

  #move(action: "win" | "refund", request: Omit<RefundBetRequest, "$typeName" | "$unknown">, context: HandlerContext) {
    const { sessionId, playerRef, txId, refTxId, amountMinor, currency } = request;
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, action, async () => {
      const provider = unwrap(await this.#keys.sportsbook(context));
      const ids = { sessionId, playerRef, txId, ...carriedOf(request) };
      const traceparent = context.requestHeader.get("traceparent");
      const move = { provider, action, ...ids, amountMinor, currency, game: SPORTSBOOK_GAME, deadline, traceparent };
      // The ids of a slip's own refunds are reserved in `ref_tx_id`, too. Otherwise a refund of a refund that does not
      // exist yet would use up that refund's id.
      const reserved = Object.entries({ tx_id: txId, ref_tx_id: refTxId }).filter(([, id]) => isSlipRefundId(id));
      const faults = reserved.map(([field]) => slipRefundFault(field));
      const { status, error, balanceMinor, txId: wireId } = unwrap(await this.#moveMoney.move({ ...move, faults }));
      return { status: STATUS[status], error, txId: wireId, ...withBalance(balanceMinor) };
    });
  }
}

const toSlip = ({ status, balanceMinor, bets }: SlipReport) => ({
  status: STATUS[status],
  accepted: status === "success",
  ...withBalance(balanceMinor),
  bets: bets.map(toBet),
});

const toBet = ({ txId, status, error, refund }: BetReport) => ({
  txId,
  status: STATUS[status],
  error,
  ...(refund === null ? {} : { refundTxId: refund.txId, refundStatus: STATUS[refund.status] }),
});

const withBalance = (balanceMinor: bigint | null) => (balanceMinor === null ? {} : { balanceMinor });
