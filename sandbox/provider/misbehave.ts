import { Refused } from "../http/page-server.ts";
import { freshId, type GameSession } from "./game-session.ts";
import type { WalletAnswer } from "./wallet-client.ts";
import type { Words } from "./words/en.ts";
import { wordsOf } from "./words/words.ts";

/** The buttons of Backstage. */
export type Misbehaviour = keyof Words["backstage"]["buttons"];

type Messages = Words["backstage"]["messages"];

/** Mistakes that a provider can make. Each function makes one mistake and resolves to a sentence about its result. */
const MISBEHAVIOURS: Readonly<
  Record<Misbehaviour, (session: GameSession, words: Messages, smallestBetMinor: number) => Promise<string>>
> = {
  repeat: async (session, words) => {
    const answer = await session.repeatLast();
    return answer === undefined ? words.nothingToRepeat : words.repeat(describe(words, answer));
  },
  lose_reply: async (session, words) => {
    session.loseNextReply = true;
    return words.armed;
  },
  refund: async (session, words) => {
    if (session.lastBet === undefined) return words.noBet;
    return words.refund(describe(words, await session.refund(session.lastBet)));
  },
  refund_unknown: async (session, words, smallestBetMinor) => {
    const answer = await session.refundUnknown(smallestBetMinor);
    const why = {
      failed: words.refundUnknownFailed,
      pending: words.refundUnknownPending,
      success: words.refundUnknownSuccess,
      refused: "",
      lost: "",
    }[answer.status];
    return `${words.refundUnknown(describe(words, answer))} ${why}`;
  },
  bet_after_refund: async (session, words) => {
    const answer = await session.betAfterRefund();
    if (answer === undefined) return words.noRefund;
    const why =
      answer.error === "TRANSACTION_REVERSED"
        ? words.lateBetReversed
        : answer.status === "pending"
          ? words.lateBetPending
          : answer.status === "failed"
            ? words.lateBetFailed
            : "";
    return `${words.lateBet(describe(words, answer))} ${why}`;
  },
  rollback: async (session, words) => {
    if (session.lastWin === undefined) return words.noWin;
    return words.rollback(describe(words, await session.rollback(session.lastWin)));
  },
  win_first: async (session, words, smallestBetMinor) => {
    const round = freshId("round");
    const win = await session.payWin(round, smallestBetMinor);
    const bet = await session.placeBet(round, smallestBetMinor);
    await session.endRound(round);
    return words.winFirst(describe(words, win.answer), describe(words, bet.answer));
  },
  mismatch: async (session, words, smallestBetMinor) => {
    // The last request may be the win of 0 that ends a lost round. Twice 0 is the same content.
    const answer = await session.repeatLast({ amount_minor: (session.lastAmountMinor || smallestBetMinor) * 2 });
    return answer === undefined ? words.nothingToRepeat : words.mismatch(describe(words, answer));
  },
  jackpot: async (session, words) => {
    session.jackpotNext = true;
    return words.jackpotArmed;
  },
  leave_open: async (session, words) => {
    session.leaveNextOpen = true;
    return words.leaveOpenArmed;
  },
  end_round: async (session, words) => {
    const round = session.openRound;
    const answer = round === undefined ? undefined : await session.endRound(round);
    if (round === undefined || answer === undefined) return words.noOpenRound;
    session.openRound = undefined;
    return words.endRound(round, describe(words, answer));
  },
};

/** All buttons, in their order. */
const MISTAKES = Object.keys(MISBEHAVIOURS) as Misbehaviour[];
const OF_SLOTS: ReadonlySet<Misbehaviour> = new Set(["jackpot", "leave_open", "end_round"]);

/** The buttons of a game of this type. A table has no jackpot, and its provider ends no rounds. */
export const mistakesOf = (type: string): Misbehaviour[] =>
  MISTAKES.filter((kind) => type === "slot" || !OF_SLOTS.has(kind));

/** Makes a mistake. Resolves to a sentence about its result, in the session's language. */
export async function misbehave(session: GameSession, kind: string, smallestBetMinor: number): Promise<string> {
  if (!Object.hasOwn(MISBEHAVIOURS, kind)) throw new Refused(422, "VALIDATION_ERROR", "There is no such button.");
  if (session.opened.demo)
    throw new Refused(409, "DEMO", "A demo never calls the wallet. Open the game for real money to misbehave.");
  const { messages } = wordsOf(session.opened.language).backstage;
  return MISBEHAVIOURS[kind as Misbehaviour](session, messages, smallestBetMinor);
}

/** An answer as text: its status or code, and its time. */
function describe(words: Messages, { status, error, ms }: WalletAnswer): string {
  const word =
    (status === "refused" || status === "lost") && error !== ""
      ? error
      : status === "failed"
        ? `FAILED (${error})`
        : status.toUpperCase();
  return words.answer(word, ms);
}
