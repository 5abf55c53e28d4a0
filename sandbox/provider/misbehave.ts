import { Refused } from "../http/page-server.ts";
import { freshId, type GameSession } from "./game-session.ts";
import type { WalletAnswer } from "./wallet-client.ts";

/** Mistakes that a provider can make. Each resolves to a sentence about its result. */
const MISBEHAVIOURS: Readonly<Record<string, (session: GameSession, smallestBetMinor: number) => Promise<string>>> = {
  /** Sends the last request again. */
  repeat: async (session) => {
    const answer = await session.repeatLast();
    if (answer === undefined) return "Nothing to repeat yet: play a round first.";
    return `Same request, same id. The service answered ${describe(answer)} from its own record: the wallet is not asked again for what is final.`;
  },
  /** Sends the last id with another amount. */
  mismatch: async (session) => {
    const answer = await session.repeatLast({ amount_minor: (session.lastAmountMinor ?? 0) * 2 });
    if (answer === undefined) return "Nothing to repeat yet: play a round first.";
    return `Same id, twice the amount. The service answered ${describe(answer)} without calling the wallet.`;
  },
  lose_reply: async (session) => {
    session.loseNextReply = true;
    return "Armed. On the next bet we hang up before the reply comes, then send the same request again. Watch the wallet: one bet.";
  },
  refund: async (session) => {
    if (session.lastBet === undefined) return "There is no bet to refund yet.";
    const answer = await session.refund(session.lastBet);
    return `Refund of the last bet, under an id of its own: ${describe(answer)}. A second refund of the same bet gets this one's result.`;
  },
  refund_unknown: async (session, smallestBetMinor) => {
    const answer = await session.refundUnknown(smallestBetMinor);
    return `Refund of a bet that was never sent: ${describe(answer)}. ${afterUnknownRefund(answer)}`;
  },
  bet_after_refund: async (session) => {
    const answer = await session.betAfterRefund();
    if (answer === undefined) return "There is no refund yet: refund a bet first.";
    return `The bet of the last refund, sent after it: ${describe(answer)}. ${afterLateBet(answer)}`;
  },
  rollback: async (session) => {
    if (session.lastWin === undefined) return "There is no win to take back yet.";
    return `Rollback of the last win: ${describe(await session.rollback(session.lastWin))}.`;
  },
  win_first: async (session, smallestBetMinor) => {
    const round = freshId("round");
    const win = await session.payWin(round, smallestBetMinor);
    const bet = await session.placeBet(round, smallestBetMinor);
    return `The win came before its bet. Win: ${describe(win.answer)}, bet: ${describe(bet.answer)}. Order must not be relied on, only ids.`;
  },
};

export async function misbehave(session: GameSession, kind: string, smallestBetMinor: number): Promise<string> {
  const act = Object.hasOwn(MISBEHAVIOURS, kind) ? MISBEHAVIOURS[kind] : undefined;
  if (act === undefined) throw new Refused(422, "VALIDATION_ERROR", "There is no such button.");
  if (session.opened.demo)
    throw new Refused(409, "DEMO", "A demo never calls the wallet. Open the game for real money to misbehave.");
  return act(session, smallestBetMinor);
}

function afterUnknownRefund({ status }: WalletAnswer): string {
  if (status === "failed")
    return "The service asked the wallet all the same, and the wallet does not know the bet either: no money moved. The bet can't come any more.";
  if (status === "pending") return "The wallet has not answered yet, so the service sends the refund again.";
  if (status === "success") return "The wallet had taken the bet, and gave it back.";
  return "";
}

function afterLateBet({ status, error }: WalletAnswer): string {
  if (error === "TRANSACTION_REVERSED")
    return "The service did not call the wallet: a bet is never taken after its refund.";
  if (status === "pending") return "Its refund is not over, so the service does not send the bet to the wallet.";
  if (status === "failed") return "The bet had failed before its refund, and keeps that answer.";
  return "";
}

function describe({ status, error, ms }: WalletAnswer): string {
  const word =
    (status === "refused" || status === "lost") && error !== ""
      ? error
      : status === "failed"
        ? `FAILED (${error})`
        : status.toUpperCase();
  return `${word} in ${ms} ms`;
}
