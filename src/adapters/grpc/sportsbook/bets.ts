import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { PlaceBetslip } from "../../../app/sportsbook/place-betslip.ts";
import type { MoveMoney } from "../../../app/transaction/move-money.ts";
import type { MoveReply } from "../../../app/transaction/move-reply.ts";
import type { QueryBalance } from "../../../app/transaction/query-balance.ts";
import { SPORTSBOOK_GAME } from "../../../domain/catalog/provider.ts";
import { type Result, refuse } from "../../../domain/errors.ts";
import { type BetReport, isSlipRefundId, type SlipReport, slipRefundFault } from "../../../domain/transaction/betslip.ts";
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
import { callDeadline } from "../server/call-deadline.ts";
import { guard, unwrap } from "../server/refusal-error.ts";

const STATUS = {
  success: TransactionStatus.SUCCESS,
  pending: TransactionStatus.PENDING,
  failed: TransactionStatus.FAILED,
} as const satisfies Record<MoveReply["status"], TransactionStatus>;

/** The use cases that aggregator.sportsbook.v1.BetService is served by. */
export interface Betting {
  readonly placeBetslip: PlaceBetslip;
  readonly moveMoney: MoveMoney;
  readonly queryBalance: QueryBalance;
}

/**
 * aggregator.sportsbook.v1.BetService. A caller that hangs up, or whose deadline passes, ends nothing here: the use case is told the
 * deadline, answers before it, and finishes what it began.
 */
export class SportsbookBetHandlers implements ServiceImpl<typeof BetService> {
  readonly #keys: ProviderKeys;
  readonly #betting: Betting;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;

  constructor(keys: ProviderKeys, betting: Betting, clock: Clock, telemetry: Telemetry) {
    this.#keys = keys;
    this.#betting = betting;
    this.#clock = clock;
    this.#telemetry = telemetry;
  }

  getBalance({ sessionId, playerRef }: GetBalanceRequest, context: HandlerContext) {
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, "GetBalance", async () => {
      const provider = unwrap(await this.#keys.sportsbook(context));
      const asked = { provider, sessionId, playerRef, game: SPORTSBOOK_GAME, deadline };
      const { status, balanceMinor, error } = unwrap(await this.#betting.queryBalance.query(asked));
      return { status: STATUS[status], error, ...known(balanceMinor) };
    });
  }

  placeBetslip({ sessionId, slipId, bets, currency }: PlaceBetslipRequest, context: HandlerContext) {
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, "PlaceBetslip", async () => {
      const provider = unwrap(await this.#keys.sportsbook(context));
      const asked = bets.map(({ txId, roundId, amountMinor }) => ({ txId, roundId, amountMinor }));
      return toSlip(unwrap(await this.#betting.placeBetslip.place({ provider, sessionId, slipId, bets: asked, currency, deadline })));
    });
  }

  payWin(request: PayWinRequest, context: HandlerContext) {
    return this.#move("win", { ...request, refTxId: "" }, context);
  }

  refundBet(request: RefundBetRequest, context: HandlerContext) {
    return this.#move("refund", request, context);
  }

  #move(action: "win" | "refund", request: Omit<RefundBetRequest, "$typeName" | "$unknown">, context: HandlerContext) {
    const { sessionId, playerRef, txId, refTxId, roundId, amountMinor, currency } = request;
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, action, async () => {
      const provider = unwrap(await this.#keys.sportsbook(context));
      const asked = { provider, action, sessionId, playerRef, txId, refTxId, roundId, amountMinor, currency, game: SPORTSBOOK_GAME, deadline };
      // Nor may one be named: the refund of a refund that isn't there yet would take its id.
      const reserved = Object.entries({ tx_id: txId, ref_tx_id: refTxId }).filter(([, id]) => isSlipRefundId(id));
      const moved: Result<MoveReply> =
        reserved.length > 0
          ? refuse("VALIDATION_ERROR", { details: reserved.map(([field]) => slipRefundFault(field)) })
          : await this.#betting.moveMoney.move(asked);
      const { status, error, balanceMinor, txId: wireId } = unwrap(moved);
      return { status: STATUS[status], error, txId: wireId, ...known(balanceMinor) };
    });
  }
}

const toSlip = ({ status, balanceMinor, bets }: SlipReport) => ({
  status: STATUS[status],
  accepted: status === "success",
  ...known(balanceMinor),
  bets: bets.map(toBet),
});

const toBet = ({ txId, status, error, refund }: BetReport) => ({
  txId,
  status: STATUS[status],
  error,
  ...(refund === null ? {} : { refundTxId: refund.txId, refundStatus: STATUS[refund.status] }),
});

const known = (balanceMinor: bigint | null) => (balanceMinor === null ? {} : { balanceMinor });
