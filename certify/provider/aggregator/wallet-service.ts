/** aggregator.provider.v1.WalletService with the service's own checks, messages and statuses. */
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import type { ErrorCode } from "../../../src/domain/errors.ts";
import { moveFaults, playerFaults } from "../../../src/domain/transaction/request-faults.ts";
import { isGameCode } from "../../../src/domain/values/identifiers.ts";
import { isAmount, isCurrency } from "../../../src/domain/values/money.ts";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { ReverseOutcome, type WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { Ledger } from "./ledger.ts";
import { questions } from "./questions.ts";
import { type Refusal, refusalError } from "./refusal.ts";
import type { Answer, Call, Method, Session, Step } from "./session.ts";

/** The fields of all requests. A field that an rpc does not have is empty. */
interface Request {
  readonly sessionId: string;
  readonly playerRef?: string;
  readonly txId?: string;
  readonly refTxId?: string;
  readonly roundId?: string;
  readonly amountMinor?: bigint;
  readonly currency?: string;
  readonly roundEnded?: boolean;
  readonly game: string;
}

/** The functions of the surrounding server. */
export interface Surroundings {
  readonly provider: string;
  readonly key: string;
  readonly sessions: () => Iterable<Session>;
  /** Milliseconds since the pass began. */
  readonly now: () => number;
  /** Called for every call, even without a valid session or key. */
  readonly onCall: (call: Call) => void;
  readonly onAnswer: (call: Call) => void;
  /** Closes the connection of this call without a reply. */
  readonly cut: (context: HandlerContext) => void;
  /** Closes all connections and does not listen for this time. */
  readonly restart: (awayMs: number) => Promise<void>;
}

/** A caller without a deadline, or with a longer one, gets "deadline exceeded" after this time. */
const EXCEEDED_AFTER_MS = 12_000;

export function walletService(around: Surroundings): ServiceImpl<typeof WalletService> {
  const ledger = new Ledger(around.provider);
  const handle = (method: Method) => (request: Request, context: HandlerContext) =>
    answerCall(around, ledger, method, request, context);
  return {
    getBalance: async (request, context) => {
      const { status, error, balanceMinor } = await handle("GetBalance")(request, context);
      return { status, error, ...(balanceMinor !== undefined && { balanceMinor }) };
    },
    placeBet: handle("PlaceBet"),
    payWin: handle("PayWin"),
    play: async ({ bet, win, ...common }, context) => {
      const { txId: betTxId = "", ...taken } = await handle("PlaceBet")({ ...common, ...bet }, context);
      if (taken.status !== TransactionStatus.SUCCESS || win?.amountMinor === 0n) return { ...taken, betTxId };
      const paid = await handle("PayWin")({ ...common, ...win }, context);
      const { balanceMinor: _, ...known } = taken;
      return {
        ...known,
        betTxId,
        winStatus: paid.status,
        winError: paid.error,
        winTxId: paid.txId,
        ...(paid.balanceMinor !== undefined && { balanceMinor: paid.balanceMinor }),
      };
    },
    refundBet: handle("RefundBet"),
    rollbackWin: handle("RollbackWin"),
    reverse: async (request, context) => {
      const original = ledger.row(request.refTxId);
      if (original === undefined) {
        ledger.mark(request.refTxId, request.txId);
        return { status: TransactionStatus.SUCCESS, outcome: ReverseOutcome.MARKED };
      }
      const { method, amountMinor, currency, roundId, game } = original.first;
      const isBet = method === "PlaceBet";
      if (isBet && original.status === "failed")
        return { status: TransactionStatus.SUCCESS, outcome: ReverseOutcome.NOTHING };
      const known = { ...request, amountMinor, currency, roundId, game };
      const reply = await handle(isBet ? "RefundBet" : "RollbackWin")(known, context);
      return { ...reply, outcome: isBet ? ReverseOutcome.REFUND : ReverseOutcome.ROLLBACK };
    },
    ...questions(around, ledger),
  };
}

async function answerCall(
  around: Surroundings,
  ledger: Ledger,
  method: Method,
  request: Request,
  context: HandlerContext,
) {
  const session = sessionOf(around.sessions(), request);
  const call: Call = {
    method,
    at: around.now(),
    session,
    sessionId: request.sessionId,
    playerRef: request.playerRef ?? "",
    txId: request.txId ?? "",
    refTxId: request.refTxId ?? "",
    roundId: request.roundId ?? "",
    amountMinor: request.amountMinor ?? 0n,
    currency: request.currency ?? "",
    game: request.game,
    deadlineMs: context.timeoutMs(),
  };
  around.onCall(call);
  const end = (answer: Answer): Answer => {
    call.answer = context.signal.aborted && answer.kind !== "none" ? HUNG_UP : answer;
    call.answeredAt = around.now();
    around.onAnswer(call);
    return answer;
  };
  const refuse = (refusal: Refusal, isPlanned = false): ConnectError => {
    const { code, faults, field = faults?.map((fault) => fault.field).join(", ") } = refusal;
    end({ kind: "refused", code, field, isPlanned });
    return refusalError(refusal);
  };
  if (context.requestHeader.get("authorization") !== `Bearer ${around.key}`) throw refuse({ code: "INVALID_API_KEY" });
  const fault = faultOf(call);
  if (fault !== undefined) throw refuse(fault);
  if (session === undefined)
    throw refuse({ code: "SESSION_NOT_FOUND", field: call.sessionId === "" ? "player_ref" : "session_id" });
  if (session.demo) throw refuse({ code: "DEMO_SESSION", field: "session_id" });
  const { balanceMinor } = session.player;
  const success: Answer = { kind: "success", balanceMinor, balanceBeforeMinor: balanceMinor, txId: "" };
  if (method === "GetBalance") return messageOf(end(success));
  const money = moneyFault(call, session);
  if (money !== undefined) throw refuse(money);
  const known = ledger.known(call);
  if (known !== undefined && "refusal" in known) throw refuse(known.refusal);
  if (known !== undefined) return messageOf(end(known.answer), known.answer.kind !== "pending");
  if (method === "PlaceBet" && ledger.endOf(call.roundId) !== undefined)
    throw refuse({ code: "ROUND_ENDED", field: "round_id" });
  if (call.amountMinor === 0n) {
    if (request.roundEnded === true) ledger.endRound(call.roundId);
    return messageOf(end(success));
  }
  const step = session.nextStep(method);
  if (step?.do === "refuse") throw refuse(codeOnly(step.code), true);
  if (step?.do === "pending") return messageOf(end(ledger.leaveOpen(call)));
  if (step?.do === "fail") return messageOf(end(ledger.fail(call, step.error)));
  const replayed = ledger.isReversed(call);
  const answer = ledger.apply(call);
  if (answer.kind === "success" && request.roundEnded === true) ledger.endRound(call.roundId);
  return step === undefined ? messageOf(end(answer), replayed) : withoutReply(around, step, context, end);
}

/** The transaction is applied, and the caller gets no result. */
async function withoutReply(
  around: Surroundings,
  step: Step,
  context: HandlerContext,
  end: (answer: Answer) => Answer,
): Promise<never> {
  if (step.do === "exceed") {
    await sleep(Math.min(context.timeoutMs() ?? EXCEEDED_AFTER_MS, EXCEEDED_AFTER_MS), undefined, {
      signal: context.signal,
    }).catch(() => {});
    end({ kind: "none", why: "deadline exceeded" });
    throw new ConnectError("deadline exceeded", Code.DeadlineExceeded);
  }
  end({ kind: "none", why: "connection cut" });
  if (step.do === "restart") await around.restart(step.awayMs);
  else around.cut(context);
  throw new ConnectError("the connection was cut", Code.Unavailable);
}

const HUNG_UP: Answer = { kind: "none", why: "the provider hung up" };
const codeOnly = (code: ErrorCode): Refusal => ({ code });

function sessionOf(sessions: Iterable<Session>, { sessionId, playerRef = "" }: Request): Session | undefined {
  const all = [...sessions];
  // For a player_ref the player's newest session is used, because the calls of a case belong to this session.
  return sessionId === ""
    ? all.findLast(({ player, demo }) => player.ref === playerRef && !demo)
    : all.find(({ id }) => id === sessionId);
}

/** Checks the fields in the order of docs/specification/provider-api.md#prov-order-of-checks. */
function faultOf(call: Call): Refusal | undefined {
  const { method, game } = call;
  const faults = method === "GetBalance" ? playerFaults(call) : moveFaults({ ...call, action: ACTIONS[method] });
  if (faults.length > 0) return { code: "VALIDATION_ERROR", faults };
  return game === "" || isGameCode(game) ? undefined : { code: "GAME_NOT_FOUND", field: "game" };
}

const ACTIONS = { PlaceBet: "bet", PayWin: "win", RefundBet: "refund", RollbackWin: "rollback" } as const;

function moneyFault({ amountMinor, currency }: Call, session: Session): Refusal | undefined {
  if (isCurrency(session.currency) && !isAmount(amountMinor, session.currency))
    return { code: "INVALID_AMOUNT", field: "amount_minor" };
  return currency === session.currency ? undefined : { code: "CURRENCY_NOT_ENABLED", field: "currency" };
}

function messageOf(answer: Answer, replayed = false) {
  const txId = "txId" in answer ? answer.txId : "";
  if (answer.kind === "success") {
    const { balanceMinor, balanceBeforeMinor } = answer;
    return { status: TransactionStatus.SUCCESS, error: "", txId, replayed, balanceMinor, balanceBeforeMinor };
  }
  if (answer.kind === "failed") return { status: TransactionStatus.FAILED, error: answer.error, txId, replayed };
  return { status: TransactionStatus.PENDING, error: "", txId, replayed };
}
