/** The expected reply: a check with a sentence. */
import type { Reply } from "./calls/reply.ts";

/** Writes minor units as text in the merchant's currency. */
type Money = (minor: bigint) => string;

export interface Expectation {
  readonly sentence: (money: Money) => string;
  readonly isMet: (reply: Reply) => boolean;
}

/** The callback was applied. With `balance` (minor units), the reply must also have this balance. */
export const accepted = (balance?: bigint): Expectation => ({
  sentence: (money) =>
    balance === undefined ? "`ok` true: it is applied" : `\`ok\` true, and the balance ${money(balance)}`,
  isMet: ({ meaning }) => meaning.kind === "accepted" && (balance === undefined || meaning.balance === balance),
});

/** The callback was rejected. With `codes`, the reply must have one of these codes. */
export const rejected = (...codes: readonly string[]): Expectation => ({
  sentence: () => `\`ok\` false${codes.length === 0 ? "" : `, and the error ${codes.join(" or ")}`}`,
  isMet: ({ meaning }) => meaning.kind === "rejected" && (codes.length === 0 || codes.includes(meaning.error)),
});

/** The callback was accepted or rejected. */
export const answered: Expectation = {
  sentence: () => "an answer: `ok` true or false",
  isMet: ({ meaning }) => meaning.kind !== "silent",
};

/** The callback was not applied. A rejection, an error and no reply are all allowed. */
export const notApplied: Expectation = {
  sentence: () => "anything but `ok` true",
  isMet: ({ meaning }) => meaning.kind !== "accepted",
};

/** The same answer as the first reply: the same `ok`, and for an applied callback the same balance. */
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
