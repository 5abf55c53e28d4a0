/**
 * Mistakes of providers, each with the case that must find it. `also`: further cases that fail because of the mistake.
 */

/**
 * What not every provider uses. `settles`: a win settles its bet, and a refund is only for a bet without a settlement.
 * `reverse`: Reverse in place of RefundBet. `play`: a winning round is a Play. `ends`: the win ends the round, or
 * EndRound if there is none. `end call`: EndRound ends every round. `kinds`: bets and wins have a kind.
 */
export type Use = "settles" | "reverse" | "play" | "ends" | "end call" | "kinds";

interface Bug {
  readonly what: string;
  readonly caughtBy: string;
  /** Categories or cases. */
  readonly also?: readonly string[];
  /** What the provider uses beyond the usual calls. */
  readonly uses?: readonly Use[];
  /** The mistake breaks a recommendation, so the case ends with a warning. */
  readonly isWarning?: true;
}

export const BUGS = {
  "no Spanish": {
    what: "the source refuses to open a game in a language that the game lacks",
    caughtBy: "launch/language-es",
    also: ["launch"],
  },
  "session in address": { what: "the game's address contains the session_id", caughtBy: "launch/secret" },
  "session by player": {
    what: "a player's newest session is used for all pages",
    caughtBy: "launch/two-sessions",
    also: ["whole/shown-played"],
  },
  "demo for money": { what: "a demo bets real money", caughtBy: "launch/demo" },

  "refunds what was played": {
    what: "an accepted bet is refunded",
    caughtBy: "bets/accepted",
    also: ["bets", "wins", "launch/two-sessions"],
  },
  "fixed currency": {
    what: "every bet is in dollars",
    caughtBy: "bets/accepted",
    also: ["launch", "bets", "refusals", "refunds", "wins"],
  },
  "never stops": {
    what: "a bet is repeated after its final answer",
    caughtBy: "bets/accepted",
    also: ["launch", "bets", "refusals", "wins"],
  },
  "pending is success": {
    what: "a round starts when its bet is PENDING",
    caughtBy: "bets/pending",
    also: ["bets/pending-once", "refunds", "whole/shown-played"],
  },
  "pending is a rejection": {
    what: "a bet that is PENDING is dropped",
    caughtBy: "bets/pending",
    also: ["bets/pending-once", "refunds"],
  },
  "half a refund": {
    what: "half of the bet is refunded",
    caughtBy: "bets/pending",
    also: ["refunds", "bets/overloaded"],
  },
  "refund of nothing": {
    what: "a refund names the round in the place of the bet",
    caughtBy: "bets/pending",
    also: ["refunds", "bets/overloaded"],
  },
  "plays after the refund": {
    what: "a round is played although its bet was refunded",
    caughtBy: "bets/pending",
    also: ["refunds", "bets/overloaded", "whole/shown-played"],
  },
  "other content": {
    what: "a repeat has a round_id of its own",
    caughtBy: "bets/pending-once",
    also: ["bets", "refunds"],
  },
  "error is a rejection": {
    what: "a bet that met SERVICE_UNAVAILABLE is dropped",
    caughtBy: "bets/unavailable",
  },
  "new bet id": {
    what: "a bet is repeated under a new id",
    caughtBy: "bets/unavailable",
    also: ["bets", "refunds"],
  },
  "internal is final": { what: "a bet that met INTERNAL_ERROR is dropped", caughtBy: "bets/internal-error" },
  storm: {
    what: "repeats come without pauses",
    caughtBy: "bets/overloaded",
    also: ["bets", "refunds", "wins"],
  },
  "late is a rejection": { what: "a bet whose deadline passed is dropped", caughtBy: "bets/deadline" },

  "refunds rejected bets": {
    what: "a bet that is FAILED is refunded",
    caughtBy: "refusals/insufficient-funds",
    also: ["refusals"],
  },
  "bets again": {
    what: "after FAILED another bet is made",
    caughtBy: "refusals/player-blocked",
    also: ["refusals"],
  },
  "known codes only": {
    what: "FAILED with an unknown code is repeated for ever",
    caughtBy: "refusals/unknown-code",
  },
  "refunds expired": {
    what: "a bet of an expired session is refunded",
    caughtBy: "refusals/session-expired",
  },
  "new id after mismatch": {
    what: "after TRANSACTION_MISMATCH the bet is made under another id",
    caughtBy: "refusals/mismatch",
  },
  "plays reversed": {
    what: "TRANSACTION_REVERSED counts as paid",
    caughtBy: "refusals/reversed",
    also: ["whole/shown-played"],
  },
  "hammers with a wrong key": {
    what: "after INVALID_API_KEY the call is repeated without pauses",
    caughtBy: "refusals/wrong-key",
  },

  "one try to refund": {
    what: "a refund is sent once",
    caughtBy: "refunds/unavailable",
    also: ["refunds/deadline"],
  },
  "new refund id": {
    what: "a refund is repeated under a new id",
    caughtBy: "refunds/deadline",
    also: ["refunds/unavailable"],
  },
  "refunds pending refunds": {
    what: "a refund that is PENDING is made again",
    caughtBy: "refunds/pending",
  },
  "refunds lost refunds": {
    what: "a refund that is FAILED is made again under a new id",
    caughtBy: "refunds/not-found",
    also: ["bets/overloaded"],
  },

  "win in a round of its own": {
    what: "a win has another round_id than its bet",
    caughtBy: "wins/accepted",
    also: ["launch", "bets", "wins"],
  },
  "one try to pay": {
    what: "a win is sent once",
    caughtBy: "wins/unavailable",
    also: ["wins/overloaded", "wins/deadline"],
  },
  "gives up paying": {
    what: "a win is repeated twice, then forgotten",
    caughtBy: "wins/overloaded",
    also: ["wins/unavailable"],
  },
  "new win id": {
    what: "a win is repeated under a new id",
    caughtBy: "wins/deadline",
    also: ["wins"],
  },
  "pays pending wins again": { what: "a win that is PENDING is paid once more", caughtBy: "wins/pending" },
  "refunds when the win fails": {
    what: "the bet is refunded when its win is FAILED",
    caughtBy: "wins/rejected",
  },

  "names another bet": {
    what: "a win names its round in the place of its bet",
    caughtBy: "settlements/names-its-bet",
    also: ["settlements", "bets", "wins"],
    uses: ["settles"],
  },
  "settles twice": {
    what: "a further win of a settled bet settles it again",
    caughtBy: "settlements/names-its-bet",
    also: ["settlements", "bets", "wins"],
    uses: ["settles"],
  },
  "pays settled bets again": {
    what: "a win that is BET_SETTLED is paid without its bet, under a new id",
    caughtBy: "settlements/settled",
    uses: ["settles"],
  },

  "one try to reverse": { what: "a Reverse is sent once", caughtBy: "reversals/unavailable", uses: ["reverse"] },
  "reverses and refunds": {
    what: "after a Reverse the bet is refunded, too",
    caughtBy: "reversals/once",
    also: ["reversals"],
    uses: ["reverse"],
  },

  "new Play ids": {
    what: "a Play is repeated under new ids",
    caughtBy: "plays/unavailable",
    also: ["plays"],
    uses: ["play"],
  },
  "pays a Play's win again": {
    what: "a Play's win that is PENDING is paid once more",
    caughtBy: "plays/win-pending",
    uses: ["play"],
  },
  "refunds a Play": {
    what: "the bet of a Play is refunded when its win is FAILED",
    caughtBy: "plays/win-rejected",
    uses: ["play"],
  },

  "bets in ended rounds": {
    what: "a further bet comes in a round that has ended",
    caughtBy: "ends/no-bet-after",
    also: ["ends", "bets", "wins"],
    uses: ["ends"],
  },
  "plays ended rounds": {
    what: "ROUND_ENDED counts as paid",
    caughtBy: "ends/round-ended",
    also: ["whole/shown-played"],
    uses: ["ends"],
  },
  "one try to end": { what: "EndRound is sent once", caughtBy: "ends/repeated", uses: ["end call"] },

  "kind of its own": {
    what: "a win has a kind that the service does not know",
    caughtBy: "labels/known",
    also: ["labels", "bets", "wins"],
    uses: ["kinds"],
  },
  "forgets the kind": { what: "a repeat lacks the kind", caughtBy: "labels/repeated", uses: ["kinds"] },

  "cut is a rejection": {
    what: "a bet whose connection was cut is dropped",
    caughtBy: "connection/bet-lost",
    also: ["connection/bet-restart"],
  },
  "cut ends the win": {
    what: "a win whose connection was cut is forgotten",
    caughtBy: "connection/win-lost",
    also: ["connection/win-restart"],
  },
  "cut ends the refund": { what: "a refund whose connection was cut is forgotten", caughtBy: "connection/refund-lost" },

  "ids begin anew": {
    what: "each session uses the same ids again",
    caughtBy: "whole/unique-ids",
    also: ["launch", "bets", "refusals", "refunds", "wins", "whole"],
  },
  "one round for all": { what: "every round has the same id", caughtBy: "whole/unique-rounds", also: ["bets", "wins"] },
  "shows before the answer": { what: "the player sees the round before the reply", caughtBy: "whole/shown-played" },
  "whole units": { what: "amounts are sent in whole units of money", caughtBy: "whole/shown-amounts" },
  "steady pauses": {
    what: "all pauses are equally long",
    caughtBy: "whole/growing-pauses",
    isWarning: true,
  },
  "no deadline": { what: "calls have no deadline", caughtBy: "whole/deadlines", isWarning: true },
} as const satisfies Record<string, Bug>;

export type BugName = keyof typeof BUGS;
export const bugOf = (name: BugName): Bug => BUGS[name];
