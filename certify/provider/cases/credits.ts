import type { Step } from "../aggregator/session.ts";
import type { Case, Category } from "../case.ts";
import { badRound } from "./money.ts";

const UNAVAILABLE: Step = { do: "refuse", code: "SERVICE_UNAVAILABLE" };
const OVERLOADED: Step = { do: "refuse", code: "OVERLOADED" };
const EXCEED: Step = { do: "exceed" };

const refund = (id: string, title: string, rule: Case["rule"], RefundBet: readonly Step[] | { always: Step }): Case =>
  badRound({ id, title, rule, badDay: { PlaceBet: { always: { do: "pending" } }, RefundBet } });
const win = (id: string, title: string, rule: Case["rule"], PayWin: readonly Step[] | { always: Step }): Case =>
  badRound({ id, title, rule, win: true, badDay: { PayWin } });

/** In each of these cases the bet stays PENDING, so that the provider must send a refund. */
export const REFUNDS: Category = {
  id: "refunds",
  title: "Refunds",
  cases: [
    refund(
      "unavailable",
      "A refund that met SERVICE_UNAVAILABLE is repeated under its own id until it is delivered",
      "prov-part-deliver",
      [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE],
    ),
    refund(
      "deadline",
      "A refund whose deadline passed is repeated under its own id until it is delivered",
      "prov-part-deliver",
      [EXCEED],
    ),
    refund("pending", "A refund that is PENDING is delivered: no second one follows", "prov-part-refund", {
      always: { do: "pending" },
    }),
    refund(
      "not-found",
      "A refund that is FAILED with TRANSACTION_NOT_FOUND is over: no second one follows",
      "prov-part-refund",
      { always: { do: "fail", error: "TRANSACTION_NOT_FOUND" } },
    ),
  ],
};

export const WINS: Category = {
  id: "wins",
  title: "Wins",
  cases: [
    win("accepted", "A win comes after its bet, in its bet's round, and once", "prov-part-ids", []),
    win(
      "unavailable",
      "A win that met SERVICE_UNAVAILABLE is repeated under its own id until it is delivered",
      "prov-part-deliver",
      [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, UNAVAILABLE],
    ),
    win(
      "overloaded",
      "A win that met OVERLOADED is repeated under its own id, with pauses, until it is delivered",
      "prov-part-deliver",
      [OVERLOADED, OVERLOADED, OVERLOADED, OVERLOADED],
    ),
    win(
      "deadline",
      "A win whose deadline passed is repeated under its own id until it is delivered",
      "prov-part-deliver",
      [EXCEED],
    ),
    win("pending", "A win that is PENDING is delivered: no second one follows, and no refund", "prov-part-repeat", {
      always: { do: "pending" },
    }),
    win(
      "rejected",
      "A win that is FAILED is not sent under another id, and its bet is not refunded",
      "prov-part-repeat",
      {
        always: { do: "fail", error: "WALLET_LIMIT" },
      },
    ),
  ],
};
