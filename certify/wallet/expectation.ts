/** What a reply should have been: a value with a sentence. */
import type { Reply } from "./calls/reply.ts";

/** Minor units as text of the merchant's currency. */
type Money = (minor: bigint) => string;

export interface Expectation {
  readonly sentence: (money: Money) => string;
  readonly isMet: (reply: Reply) => boolean;
}

/** Applied; with a balance in minor units: and this is the balance that it tells. */
export const accepted = (balance?: bigint): Expectation => ({
  sentence: (money) =>
    balance === undefined ? "`ok` true: it is applied" : `\`ok\` true, and the balance ${money(balance)}`,
  isMet: ({ meaning }) => meaning.kind === "accepted" && (balance === undefined || meaning.balance === balance),
});

/** Rejected, with one of these codes when any are given. */
export const rejected = (...codes: readonly string[]): Expectation => ({
  sentence: () => `\`ok\` false${codes.length === 0 ? "" : `, and the error ${codes.join(" or ")}`}`,
  isMet: ({ meaning }) => meaning.kind === "rejected" && (codes.length === 0 || codes.includes(meaning.error)),
});

/** Answered in one way or the other. */
export const answered: Expectation = {
  sentence: () => "an answer: `ok` true or false",
  isMet: ({ meaning }) => meaning.kind !== "silent",
};

/** Not applied; whether the reply is a rejection, an error or nothing does not matter. */
export const notApplied: Expectation = {
  sentence: () => "anything but `ok` true",
  isMet: ({ meaning }) => meaning.kind !== "accepted",
};

/** The first answer once more: the same `ok`, and the same balance when it was applied. */
export function sameAs(first: Reply): Expectation {
  const { meaning } = first;
  if (meaning.kind === "accepted") {
    return {
      sentence: (money) =>
        `the stored reply: \`ok\` true${meaning.balance === null ? "" : `, and the balance ${money(meaning.balance)} as the first time`}`,
      isMet: ({ meaning: again }) => again.kind === "accepted" && again.balance === meaning.balance,
    };
  }
  return {
    sentence: () => "the stored rejection: `ok` false",
    isMet: ({ meaning: again }) => again.kind === "rejected",
  };
}
