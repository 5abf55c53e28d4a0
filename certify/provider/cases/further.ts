/**
 * Calls and fields that not every provider uses. A first round, without bad answers, shows whether this provider uses
 * them. If it does not, the case is not tried. A person need not play that round if an earlier case has shown it.
 */
import { NotTried } from "../../report/ending.ts";
import type { BadDay, Call, Step } from "../aggregator/session.ts";
import type { Case, Category } from "../case.ts";
import type { RuleId } from "../rules.ts";

interface FurtherRound {
  readonly id: string;
  readonly title: string;
  readonly rule: RuleId;
  /** Absent: the first round alone is judged. */
  readonly badDay?: BadDay;
  /** The answers in the first round. */
  readonly first?: BadDay;
  /** The call that shows that the provider uses it. */
  readonly uses: (call: Call) => boolean;
  /** Why the case is not tried, without the verb: the calls that did not come. */
  readonly without: string;
}

const UNAVAILABLE: Step = { do: "refuse", code: "SERVICE_UNAVAILABLE" };
const PENDING = { always: { do: "pending" } } as const;
const REFUSED = (code: "BET_SETTLED" | "ROUND_ENDED") => ({ always: { do: "refuse", code } }) as const;
const FAILED = { always: { do: "fail", error: "WALLET_LIMIT" } } as const;

const further = ({ id, title, rule, badDay, first, uses, without }: FurtherRound): Case => ({
  id,
  title,
  rule,
  level: "must",
  when: "any time",
  async run(it) {
    const notTried = new NotTried(`The provider sent ${without}.`, false);
    const hasBet = first?.PlaceBet === undefined;
    const usual = it.endedCalls.filter(({ method }) => method === (hasBet ? "PayWin" : "RefundBet"));
    if (usual.length > 0 && !it.endedCalls.some(uses)) throw notTried;
    const opened = await it.open(first === undefined ? {} : { badDay: first });
    await (hasBet ? it.spinUntilWin(opened) : it.spin(opened));
    await it.settle();
    await it.quiet();
    if (!it.calls.some(uses)) throw notTried;
    if (badDay !== undefined) {
      const again = await it.open({ badDay });
      await (badDay.PlaceBet === undefined ? it.spinUntilWin(again) : it.spin(again));
      await it.settle();
      await it.quiet();
    }
    it.judge();
  },
});

type Variable = Omit<FurtherRound, "uses" | "without">;

const settlement = (one: Variable): Case =>
  further({ ...one, uses: (call) => call.further.betTxId !== "", without: "no win with bet_tx_id" });
const reversal = (one: Variable): Case =>
  further({
    ...one,
    first: { PlaceBet: PENDING },
    uses: (call) => call.further.via === "Reverse",
    without: "no Reverse",
  });
const play = (one: Variable): Case =>
  further({ ...one, uses: (call) => call.further.via === "Play", without: "no Play" });
const end = (one: Variable): Case =>
  further({
    ...one,
    uses: ({ method, further: { roundEnded } }) => roundEnded || method === "EndRound",
    without: "no round_ended and no EndRound",
  });
const labels = (one: Variable): Case =>
  further({ ...one, uses: ({ further: { kind } }) => kind !== "", without: "no bet or win with a kind" });

export const SETTLEMENTS: Category = {
  id: "settlements",
  title: "Wins that name their bet",
  cases: [
    settlement({
      id: "names-its-bet",
      title: "A win names a bet that got SUCCESS, and a bet is settled once",
      rule: "settle-paid",
    }),
    settlement({
      id: "repeated",
      title: "A settlement that met SERVICE_UNAVAILABLE is repeated under its own id, with the same bet",
      rule: "prov-part-repeat",
      badDay: { PayWin: [UNAVAILABLE, UNAVAILABLE] },
    }),
    settlement({
      id: "settled",
      title: "A settlement that is BET_SETTLED is over: no other win follows, and no refund",
      rule: "settle-second",
      badDay: { PayWin: REFUSED("BET_SETTLED") },
    }),
  ],
};

export const REVERSALS: Category = {
  id: "reversals",
  title: "Reverse",
  cases: [
    reversal({
      id: "once",
      title: "A bet has one reversal, by Reverse or by RefundBet",
      rule: "prov-part-refund",
    }),
    reversal({
      id: "unavailable",
      title: "A Reverse that met SERVICE_UNAVAILABLE is repeated under its own id until it is delivered",
      rule: "prov-part-deliver",
      badDay: { PlaceBet: PENDING, RefundBet: [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE] },
    }),
    reversal({
      id: "marked",
      title: "A Reverse of a bet that was never recorded ends the matter",
      rule: "prov-part-stop",
      badDay: { PlaceBet: { always: UNAVAILABLE } },
    }),
  ],
};

export const PLAYS: Category = {
  id: "plays",
  title: "Play",
  cases: [
    play({ id: "accepted", title: "A Play that is SUCCESS is over", rule: "prov-part-stop" }),
    play({
      id: "unavailable",
      title: "A Play that met SERVICE_UNAVAILABLE is repeated with the ids of its bet and its win",
      rule: "play-repeat",
      badDay: { PlaceBet: [UNAVAILABLE, UNAVAILABLE] },
    }),
    play({
      id: "pending",
      title: "A Play whose bet stays PENDING is repeated under its own ids, or its bet is reversed",
      rule: "prov-part-open",
      badDay: { PlaceBet: PENDING },
    }),
    play({
      id: "win-pending",
      title: "A Play whose win is PENDING is delivered: no second win follows, and no refund",
      rule: "play-win-pending",
      badDay: { PayWin: PENDING },
    }),
    play({
      id: "win-rejected",
      title: "A Play whose win is FAILED gets no win under another id, and its bet is not refunded",
      rule: "play-win-failed",
      badDay: { PayWin: FAILED },
    }),
  ],
};

export const ENDS: Category = {
  id: "ends",
  title: "Rounds that end",
  cases: [
    end({ id: "no-bet-after", title: "No bet comes in a round that has ended", rule: "round-ended-bet" }),
    end({
      id: "round-ended",
      title: "A bet that is ROUND_ENDED is dropped",
      rule: "prov-part-over",
      badDay: { PlaceBet: REFUSED("ROUND_ENDED") },
    }),
    end({
      id: "repeated",
      title: "An end that met SERVICE_UNAVAILABLE is repeated until it succeeds",
      rule: "round-end-round",
      badDay: { EndRound: [UNAVAILABLE, UNAVAILABLE], PayWin: [UNAVAILABLE] },
    }),
  ],
};

export const LABELS: Category = {
  id: "labels",
  title: "Kinds of money",
  cases: [
    labels({ id: "known", title: "Bets and wins have kinds that the service knows", rule: "kinds-credit-paid" }),
    labels({
      id: "repeated",
      title: "A repeat has the kind of the first request",
      rule: "kinds-frozen",
      badDay: { PlaceBet: [UNAVAILABLE], PayWin: [UNAVAILABLE, UNAVAILABLE] },
    }),
  ],
};
