import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { MoveMoney, MoveRequest } from "../../../app/transaction/move-money.ts";
import type { MoveReply } from "../../../app/transaction/move-reply.ts";
import type { QueryBalance } from "../../../app/transaction/query-balance.ts";
import type { Action } from "../../../domain/transaction/transaction.ts";
import { TransactionStatus } from "../../../gen/aggregator/provider/v1/transaction_status_pb.ts";
import type {
  GetBalanceRequest,
  PayWinRequest,
  PlaceBetRequest,
  RefundBetRequest,
  RollbackWinRequest,
  WalletService,
} from "../../../gen/aggregator/provider/v1/wallet_service_pb.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import { callDeadline } from "../server/caller.ts";
import { guard, unwrap } from "../server/refusal-error.ts";
import type { ProviderKeys } from "./keys.ts";

/** The fields that are the same in all requests to move money. */
type Money = Pick<PlaceBetRequest, "sessionId" | "txId" | "roundId" | "amountMinor" | "currency" | "game">;

const STATUS = {
  success: TransactionStatus.SUCCESS,
  pending: TransactionStatus.PENDING,
  failed: TransactionStatus.FAILED,
} as const satisfies Record<MoveReply["status"], TransactionStatus>;

/**
 * Serves aggregator.provider.v1.WalletService. The use case gets the caller's deadline, and answers before the
 * deadline. If the caller hangs up or the deadline passes, the work goes on.
 */
export class ProviderWallet implements ServiceImpl<typeof WalletService> {
  readonly #keys: ProviderKeys;
  readonly #moveMoney: MoveMoney;
  readonly #queryBalance: QueryBalance;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;

  constructor(
    keys: ProviderKeys,
    moveMoney: MoveMoney,
    queryBalance: QueryBalance,
    clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#keys = keys;
    this.#moveMoney = moveMoney;
    this.#queryBalance = queryBalance;
    this.#clock = clock;
    this.#telemetry = telemetry;
  }

  getBalance({ sessionId, playerRef, game }: GetBalanceRequest, context: HandlerContext) {
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, "GetBalance", async () => {
      const provider = unwrap(await this.#keys.gameProvider(context));
      const { status, balanceMinor, error } = unwrap(
        await this.#queryBalance.query({
          provider,
          sessionId,
          playerRef,
          game,
          deadline,
          traceparent: context.requestHeader.get("traceparent"),
        }),
      );
      return { status: STATUS[status], error, ...withBalance(balanceMinor) };
    });
  }

  placeBet(request: PlaceBetRequest, context: HandlerContext) {
    return this.#move("bet", { playerRef: "", refTxId: "" }, request, context);
  }

  payWin(request: PayWinRequest, context: HandlerContext) {
    const { playerRef, betTxId, settles } = request;
    return this.#move("win", { playerRef, refTxId: "", betTxId, settles }, request, context);
  }

  refundBet(request: RefundBetRequest, context: HandlerContext) {
    const { playerRef, refTxId, unlessSettled } = request;
    return this.#move("refund", { playerRef, refTxId, unlessSettled }, request, context);
  }

  rollbackWin(request: RollbackWinRequest, context: HandlerContext) {
    const { playerRef, refTxId } = request;
    return this.#move("rollback", { playerRef, refTxId }, request, context);
  }

  #move(
    action: Action,
    own: Pick<MoveRequest, "playerRef" | "refTxId" | "betTxId" | "settles" | "unlessSettled">,
    request: Money,
    context: HandlerContext,
  ) {
    const { sessionId, txId, roundId, amountMinor, currency, game } = request;
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, action, async () => {
      const provider = unwrap(await this.#keys.gameProvider(context));
      const moved = await this.#moveMoney.move({
        provider,
        action,
        sessionId,
        ...own,
        txId,
        roundId,
        amountMinor,
        currency,
        game,
        deadline,
        traceparent: context.requestHeader.get("traceparent"),
      });
      return toReply(unwrap(moved));
    });
  }
}

const toReply = ({ status, balanceMinor, error, txId }: MoveReply) => ({
  status: STATUS[status],
  error,
  txId,
  ...withBalance(balanceMinor),
});

const withBalance = (balanceMinor: bigint | null) => (balanceMinor === null ? {} : { balanceMinor });
