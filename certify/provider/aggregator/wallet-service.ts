/** aggregator.provider.v1.WalletService with the service's own checks, messages and statuses. */
import { setTimeout as sleep } from "node:timers/promises";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import type { ErrorCode } from "../../../src/domain/errors.ts";
import { moveFaults, playerFaults } from "../../../src/domain/transaction/request-faults.ts";
import { isGameCode, isRoundId } from "../../../src/domain/values/identifiers.ts";
import { readLabels } from "../../../src/domain/values/labels.ts";
import { isAmount, isCurrency } from "../../../src/domain/values/money.ts";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import type { EndRoundRequest } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import {
  ReverseOutcome,
  RoundState,
  type WalletService,
} from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { Ledger } from "./ledger.ts";
import { questions } from "./questions.ts";
import { type Refusal, refusalError } from "./refusal.ts";
import {
  type Answer,
  type Call,
  type Further,
  type Method,
  NOTHING_FURTHER,
  type Session,
  type Step,
} from "./session.ts";

/** The fields of all requests. A field that an rpc does not have is empty. */
interface Request {
  readonly sessionId: string;
  readonly playerRef?: string;
  readonly txId?: string;
  readonly refTxId?: string;
  readonly roundId?: string;
  readonly amountMinor?: bigint;
  readonly currency?: string;
  readonly game?: string;
  readonly betTxId?: string;
  readonly settles?: boolean;
  readonly unlessSettled?: boolean;
  readonly roundEnded?: boolean;
  readonly kind?: string;
  readonly promoId?: string;
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
  const handle =
    (method: Method, via: Further["via"] = "") =>
    (request: Request, context: HandlerContext) =>
      answerCall(around, ledger, method, via, request, context);
  return {
    getBalance: async (request, context) => {
      const { status, error, balanceMinor } = await handle("GetBalance")(request, context);
      return { status, error, ...(balanceMinor !== undefined && { balanceMinor }) };
    },
    placeBet: handle("PlaceBet"),
    payWin: handle("PayWin"),
    play: async ({ bet, win, roundEnded, ...common }, context) => {
      const isLast = { roundEnded: roundEnded && win?.amountMinor === 0n };
      const taken = await handle("PlaceBet", "Play")({ ...common, ...bet, ...isLast }, context);
      const { txId: betTxId = "", ...known } = taken;
      if (taken.status !== TransactionStatus.SUCCESS || win?.amountMinor === 0n) return { ...known, betTxId };
      const paid = await handle("PayWin", "Play")({ ...common, ...win, roundEnded }, context);
      const { balanceMinor: _, ...before } = known;
      return {
        ...before,
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
      const original = originalOf(around.sessions(), request.refTxId);
      const row = ledger.row(request.refTxId);
      const isWin = original?.method === "PayWin";
      const content = {
        amountMinor: original?.amountMinor ?? 0n,
        currency: original?.currency ?? sessionOf(around.sessions(), request)?.currency ?? "",
        roundId: original?.roundId ?? "unknown",
        game: original?.game ?? "",
      };
      const reply = await handle(isWin ? "RollbackWin" : "RefundBet", "Reverse")(
        { ...request, ...content, kind: "" },
        context,
      );
      if (row === undefined) return { ...reply, outcome: ReverseOutcome.MARKED };
      if (!isWin && row.status === "failed") return { ...reply, outcome: ReverseOutcome.NOTHING };
      return { ...reply, outcome: isWin ? ReverseOutcome.ROLLBACK : ReverseOutcome.REFUND };
    },
    endRound: async (request, context) => {
      const session = endedIn(around.sessions(), request);
      await handle("EndRound")({ ...request, sessionId: session?.id ?? request.sessionId }, context);
      return { roundState: RoundState.ENDED, endedAt: timestampFromMs(ledger.endRound(request.roundId)) };
    },
    ...questions(around, ledger),
  };
}

/** The first call with this id, which need not be recorded. */
const originalOf = (sessions: Iterable<Session>, txId: string): Call | undefined =>
  [...sessions].flatMap(({ calls }) => calls).find((call) => call.txId === txId);

/** An end without a session or player belongs to the session that has played the round. */
const endedIn = (
  sessions: Iterable<Session>,
  { sessionId, playerRef, roundId }: EndRoundRequest,
): Session | undefined =>
  sessionId !== "" || playerRef !== ""
    ? sessionOf(sessions, { sessionId, playerRef })
    : [...sessions].find(({ calls }) => calls.some((call) => call.roundId === roundId));

async function answerCall(
  around: Surroundings,
  ledger: Ledger,
  method: Method,
  via: Further["via"],
  request: Request,
  context: HandlerContext,
) {
  const { betTxId, settles, unlessSettled, roundEnded, kind, promoId } = { ...NOTHING_FURTHER, ...request };
  const session = sessionOf(around.sessions(), request);
  const call: Call = {
    method,
    at: around.now(),
    session,
    sessionId: request.sessionId,
    playerRef: request.playerRef ?? "",
    // A round has one end.
    txId: method === "EndRound" ? `end of ${request.roundId}` : (request.txId ?? ""),
    refTxId: request.refTxId ?? "",
    roundId: request.roundId ?? "",
    amountMinor: request.amountMinor ?? 0n,
    currency: request.currency ?? "",
    game: request.game ?? "",
    further: { via, betTxId, settles, unlessSettled, roundEnded, kind, promoId },
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
  if (method !== "EndRound") {
    const money = via === "Reverse" ? undefined : moneyFault(call, session);
    if (money !== undefined) throw refuse(money);
    const known = ledger.known(call);
    if (known !== undefined && "refusal" in known) throw refuse(known.refusal);
    if (known !== undefined) return messageOf(end(known.answer), known.answer.kind !== "pending");
    const unsettled = ledger.row(call.txId) === undefined ? ledger.unsettled(call) : undefined;
    if (unsettled !== undefined) throw refuse(unsettled);
    if (method === "PlaceBet" && ledger.endOf(call.roundId) !== undefined && kind !== "adjustment")
      throw refuse({ code: "ROUND_ENDED", field: "round_id" });
    if (call.amountMinor === 0n && via !== "Reverse") {
      ledger.settle(call);
      if (roundEnded) ledger.endRound(call.roundId);
      return messageOf(end(success));
    }
  }
  const step = session.nextStep(method);
  // The win of a Play is stored with its bet, so the service delivers it.
  if (step?.do === "refuse" && method === "PayWin" && via === "Play") return messageOf(end(ledger.leaveOpen(call)));
  if (step?.do === "refuse") throw refuse(codeOnly(step.code), true);
  if (step?.do === "pending") return messageOf(end(ledger.leaveOpen(call)));
  if (step?.do === "fail") return messageOf(end(ledger.fail(call, step.error)));
  const replayed = ledger.isReversed(call);
  const answer = applied(ledger, call) ?? success;
  if (answer.kind === "success" && roundEnded) ledger.endRound(call.roundId);
  return step === undefined ? messageOf(end(answer), replayed) : withoutReply(around, step, context, end);
}

/** Applies the call. Undefined: it succeeds without a transaction. */
function applied(ledger: Ledger, call: Call): Answer | undefined {
  if (call.method === "EndRound") return void ledger.endRound(call.roundId);
  const original = ledger.row(call.refTxId);
  if (call.further.via === "Reverse" && original === undefined) return void ledger.mark(call.refTxId, call.txId);
  if (call.further.via === "Reverse" && call.method === "RefundBet" && original?.status === "failed") return undefined;
  ledger.settle(call);
  return ledger.apply(call);
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

function sessionOf(
  sessions: Iterable<Session>,
  { sessionId, playerRef = "" }: Pick<Request, "sessionId" | "playerRef">,
): Session | undefined {
  const all = [...sessions];
  // For a player_ref the player's newest session is used, because the calls of a case belong to this session.
  return sessionId === ""
    ? all.findLast(({ player, demo }) => player.ref === playerRef && !demo)
    : all.find(({ id }) => id === sessionId);
}

/** Checks the fields in the order of docs/specification/provider-api.md#prov-order-of-checks. */
function faultOf(call: Call): Refusal | undefined {
  const { method, game, roundId } = call;
  if (method === "EndRound")
    return isRoundId(roundId)
      ? undefined
      : { code: "VALIDATION_ERROR", faults: [{ field: "round_id", rule: "1..128 bytes" }] };
  const faults = method === "GetBalance" ? playerFaults(call) : moveFaults(contentOf(call, ACTIONS[method]));
  const labels = method === "PlaceBet" ? readLabels("bet", call.further).faults : [];
  if (labels.length > 0) return { code: "VALIDATION_ERROR", faults: labels };
  if (faults.length > 0) return { code: "VALIDATION_ERROR", faults };
  return game === "" || isGameCode(game) ? undefined : { code: "GAME_NOT_FOUND", field: "game" };
}

/** The fields that the service checks. A prize of a promotion needs no round. */
const contentOf = ({ further, ...call }: Call, action: (typeof ACTIONS)[keyof typeof ACTIONS]) => ({
  ...call,
  roundId: action === "win" && call.roundId === "" ? further.promoId : call.roundId,
  betTxId: further.betTxId,
  settles: further.settles,
  action,
});

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
