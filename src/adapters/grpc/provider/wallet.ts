import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { EndRound } from "../../../app/rounds/end-round.ts";
import type { MoveMoney, MoveRequest } from "../../../app/transaction/move-money.ts";
import type { MoveReply } from "../../../app/transaction/move-reply.ts";
import type { Play, PlayReply } from "../../../app/transaction/play.ts";
import type { ProviderQuestions } from "../../../app/transaction/provider-questions.ts";
import type { QueryBalance } from "../../../app/transaction/query-balance.ts";
import type { ReverseOutcome, ReverseTransaction } from "../../../app/transaction/reverse-transaction.ts";
import type { Action } from "../../../domain/transaction/transaction.ts";
import { type Carried, carriedOf } from "../../../domain/values/carried.ts";
import type { GivenLabels } from "../../../domain/values/labels.ts";
import { TransactionAction } from "../../../gen/aggregator/provider/v1/transaction_record_pb.ts";
import {
  type EndRoundRequest,
  type GetBalanceRequest,
  type GetRoundRequest,
  type GetSessionRequest,
  type GetTransactionRequest,
  ReverseOutcome as Outcome,
  type PayWinRequest,
  type PlaceBetRequest,
  type PlayRequest,
  type RefundBetRequest,
  type ReverseRequest,
  type RollbackWinRequest,
  type WalletService,
} from "../../../gen/aggregator/provider/v1/wallet_service_pb.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Telemetry } from "../../../ports/telemetry.ts";
import { callDeadline } from "../server/caller.ts";
import { guard, unwrap } from "../server/refusal-error.ts";
import type { ProviderKeys } from "./keys.ts";
import { STATUS, withBalance } from "./outcome.ts";
import { roundEndMessage, roundMessage, sessionMessage, transactionMessage } from "./records.ts";

/** The fields that are the same in all requests to move money. */
type Money = Pick<PlaceBetRequest, "sessionId" | "txId" | "amountMinor" | "currency" | "game"> & Carried;

type Questions = Pick<ProviderQuestions, "transaction" | "round" | "session">;

const OUTCOME = {
  refund: Outcome.REFUND,
  rollback: Outcome.ROLLBACK,
  nothing: Outcome.NOTHING,
  marked: Outcome.MARKED,
} as const satisfies Record<ReverseOutcome, Outcome>;

const kindOf = (kind: TransactionAction) =>
  kind === TransactionAction.UNSPECIFIED
    ? null
    : kind === TransactionAction.BET
      ? "bet"
      : kind === TransactionAction.WIN
        ? "win"
        : "other";

/**
 * Serves aggregator.provider.v1.WalletService. The use case gets the caller's deadline, and answers before the
 * deadline. If the caller hangs up or the deadline passes, the work goes on.
 */
export class ProviderWallet implements ServiceImpl<typeof WalletService> {
  readonly #keys: ProviderKeys;
  readonly #moveMoney: MoveMoney;
  readonly #play: Pick<Play, "play">;
  readonly #reverse: Pick<ReverseTransaction, "reverse">;
  readonly #queryBalance: QueryBalance;
  readonly #questions: Questions;
  readonly #ends: Pick<EndRound, "end">;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;

  constructor(
    keys: ProviderKeys,
    moveMoney: MoveMoney,
    play: Pick<Play, "play">,
    reverse: Pick<ReverseTransaction, "reverse">,
    queryBalance: QueryBalance,
    questions: Questions,
    ends: Pick<EndRound, "end">,
    clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#keys = keys;
    this.#moveMoney = moveMoney;
    this.#play = play;
    this.#reverse = reverse;
    this.#queryBalance = queryBalance;
    this.#questions = questions;
    this.#ends = ends;
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
    const { playerRef, roundEnded } = request;
    return this.#move("bet", { playerRef, ...(roundEnded && { roundEnded }), ...labelsOf(request) }, request, context);
  }

  payWin(request: PayWinRequest, context: HandlerContext) {
    const { playerRef, betTxId, settles, roundEnded } = request;
    return this.#move(
      "win",
      { playerRef, betTxId, settles, ...(roundEnded && { roundEnded }), ...labelsOf(request) },
      request,
      context,
    );
  }

  play({ sessionId, roundId, currency, game, bet, win, roundEnded }: PlayRequest, context: HandlerContext) {
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, "Play", async () => {
      const provider = unwrap(await this.#keys.gameProvider(context));
      const traceparent = context.requestHeader.get("traceparent");
      return toPlayReply(
        unwrap(
          await this.#play.play({
            provider,
            sessionId,
            roundId,
            currency,
            game,
            bet,
            win,
            roundEnded,
            deadline,
            traceparent,
          }),
        ),
      );
    });
  }

  refundBet(request: RefundBetRequest, context: HandlerContext) {
    const { playerRef, unlessSettled } = request;
    return this.#move("refund", { playerRef, unlessSettled }, request, context);
  }

  rollbackWin(request: RollbackWinRequest, context: HandlerContext) {
    return this.#move("rollback", { playerRef: request.playerRef }, request, context);
  }

  reverse(request: ReverseRequest, context: HandlerContext) {
    const { sessionId, playerRef, game, txId, refTxId, roundId, currency, unlessSettled, deliver } = request;
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, "Reverse", async () => {
      const provider = unwrap(await this.#keys.gameProvider(context));
      const reversed = await this.#reverse.reverse({
        provider,
        sessionId,
        playerRef,
        game,
        txId,
        refTxId,
        kind: kindOf(request.kind),
        amountMinor: request.amountMinor ?? null,
        currency,
        roundId,
        unlessSettled,
        deliver,
        deadline,
        traceparent: context.requestHeader.get("traceparent"),
      });
      const reply = unwrap(reversed);
      return { ...toReply(reply), outcome: OUTCOME[reply.outcome] };
    });
  }

  endRound({ sessionId, playerRef, roundId }: EndRoundRequest, context: HandlerContext) {
    return guard(this.#telemetry, "EndRound", async () => {
      const provider = unwrap(await this.#keys.gameProvider(context));
      const endedAt = unwrap(await this.#ends.end({ provider, sessionId, playerRef, roundId }));
      return roundEndMessage(endedAt === null ? { state: "unknown" } : { state: "ended", endedAt });
    });
  }

  getTransaction({ sessionId, playerRef, txId }: GetTransactionRequest, context: HandlerContext) {
    return guard(this.#telemetry, "GetTransaction", async () => {
      const provider = unwrap(await this.#keys.gameProvider(context));
      return transactionMessage(unwrap(await this.#questions.transaction({ provider, sessionId, playerRef, txId })));
    });
  }

  getRound({ sessionId, playerRef, roundId, limit, cursor }: GetRoundRequest, context: HandlerContext) {
    return guard(this.#telemetry, "GetRound", async () => {
      const provider = unwrap(await this.#keys.gameProvider(context));
      const question = { provider, sessionId, playerRef, roundId, limit, cursor };
      return roundMessage(unwrap(await this.#questions.round(question)));
    });
  }

  getSession({ sessionId, touch }: GetSessionRequest, context: HandlerContext) {
    return guard(this.#telemetry, "GetSession", async () => {
      const provider = unwrap(await this.#keys.gameProvider(context));
      return sessionMessage(unwrap(await this.#questions.session({ provider, sessionId, touch })));
    });
  }

  #move(
    action: Action,
    own: Pick<MoveRequest, "playerRef" | "betTxId" | "settles" | "unlessSettled" | "roundEnded"> & GivenLabels,
    request: Money,
    context: HandlerContext,
  ) {
    const { sessionId, txId, amountMinor, currency, game } = request;
    const deadline = callDeadline(context, this.#clock);
    return guard(this.#telemetry, action, async () => {
      const provider = unwrap(await this.#keys.gameProvider(context));
      const moved = await this.#moveMoney.move({
        provider,
        action,
        sessionId,
        ...own,
        txId,
        ...carriedOf(request),
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

/** The labels that a request has; an ordinary bet has none. */
function labelsOf({
  kind,
  promoId,
  jackpot,
  jackpotContributionMicros = 0n,
}: Pick<PayWinRequest, "kind" | "promoId" | "jackpot"> &
  Partial<Pick<PlaceBetRequest, "jackpotContributionMicros">>): GivenLabels {
  if (kind === "" && promoId === "" && jackpot === undefined && jackpotContributionMicros === 0n) return {};
  return { kind, promoId, jackpot, jackpotContributionMicros };
}

const toReply = ({ status, balanceMinor, balanceBeforeMinor = null, error, txId, replayed = false }: MoveReply) => ({
  status: STATUS[status],
  error,
  txId,
  replayed,
  ...withBalance(balanceMinor),
  ...(balanceBeforeMinor !== null && { balanceBeforeMinor }),
});

function toPlayReply({ bet, win }: PlayReply) {
  const { txId, ...whole } = toReply(bet);
  if (win === null) return { ...whole, betTxId: txId };
  const { balanceMinor: _, ...money } = whole;
  const paid = toReply(win);
  return {
    ...money,
    betTxId: txId,
    // A free bet has no result of its own.
    replayed: (whole.replayed || txId === "") && paid.replayed,
    ...withBalance(win.balanceMinor),
    winStatus: paid.status,
    winError: paid.error,
    winTxId: paid.txId,
  };
}
