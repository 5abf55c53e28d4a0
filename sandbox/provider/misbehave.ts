import { Refused } from "../http/page-server.ts";
import { freshId, type Seat } from "./seat.ts";
import type { WalletAnswer } from "./wallet-client.ts";

/** What providers do on bad days. Each answers a sentence about what came of it. */
const MISBEHAVIOURS: Readonly<Record<string, (seat: Seat, smallestBetMinor: number) => Promise<string>>> = {
  /** The same request once more. */
  repeat: async (seat) => {
    const answer = await seat.repeatLast();
    if (answer === undefined) return "Nothing to repeat yet: play a round first.";
    return `Same request, same id. The service answered ${said(answer)} from its own record: the wallet is not asked again for what is final.`;
  },
  /** The same id with another amount. */
  mismatch: async (seat) => {
    const answer = await seat.repeatLast({ amount_minor: (seat.lastAmountMinor ?? 0) * 2 });
    if (answer === undefined) return "Nothing to repeat yet: play a round first.";
    return `Same id, twice the amount. The service answered ${said(answer)} without calling the wallet.`;
  },
  lose_reply: async (seat) => {
    seat.loseNextReply = true;
    return "Armed. On the next bet we hang up before the reply comes, then send the same request again. Watch the wallet: one bet.";
  },
  refund: async (seat) => {
    if (seat.lastBet === undefined) return "There is no bet to refund yet.";
    const answer = await seat.refund(seat.lastBet);
    return `Refund of the last bet, under an id of its own: ${said(answer)}. A second refund of the same bet gets this one's result.`;
  },
  rollback: async (seat) => {
    if (seat.lastWin === undefined) return "There is no win to take back yet.";
    return `Rollback of the last win: ${said(await seat.rollback(seat.lastWin))}.`;
  },
  win_first: async (seat, smallestBetMinor) => {
    const round = freshId("round");
    const win = await seat.payWin(round, smallestBetMinor);
    const bet = await seat.placeBet(round, smallestBetMinor);
    return `The win came before its bet. Win: ${said(win.answer)}, bet: ${said(bet.answer)}. Order must not be relied on, only ids.`;
  },
};

export async function misbehave(seat: Seat, kind: string, smallestBetMinor: number): Promise<string> {
  const act = Object.hasOwn(MISBEHAVIOURS, kind) ? MISBEHAVIOURS[kind] : undefined;
  if (act === undefined) throw new Refused(422, "VALIDATION_ERROR", "There is no such button.");
  if (seat.opened.demo) throw new Refused(409, "DEMO", "A demo never calls the wallet. Open the game for real money to misbehave.");
  return act(seat, smallestBetMinor);
}

function said({ status, error, ms }: WalletAnswer): string {
  const word = status === "refused" ? error : status === "failed" ? `FAILED (${error})` : status.toUpperCase();
  return `${word} in ${ms} ms`;
}
