/** Lost replies and a restart. They disturb all calls of the provider, so each of these cases runs alone. */
import type { Method, Step } from "../aggregator/session.ts";
import type { Case, Category } from "../case.ts";
import { badRound } from "./money.ts";

const CUT: Step = { do: "cut" };
const RESTART: Step = { do: "restart", awayMs: 2_000 };

function disturbed(id: string, title: string, method: Method, step: Step): Case {
  const isBet = method === "PlaceBet";
  const badDay =
    method === "RefundBet"
      ? { PlaceBet: { always: { do: "pending" } as const }, RefundBet: [step] }
      : { [method]: [step] };
  return badRound({
    id,
    title,
    rule: isBet ? "prov-part-open" : "prov-part-deliver",
    badDay,
    alone: true,
    ...(method === "PayWin" && { win: true }),
  });
}

export const CONNECTION: Category = {
  id: "connection",
  title: "Lost replies and restarts",
  cases: [
    disturbed(
      "bet-lost",
      "A bet whose connection was cut before the reply is repeated under its own id, or refunded",
      "PlaceBet",
      CUT,
    ),
    disturbed(
      "refund-lost",
      "A refund whose connection was cut before the reply is repeated under its own id",
      "RefundBet",
      CUT,
    ),
    disturbed(
      "win-lost",
      "A win whose connection was cut before the reply is repeated under its own id",
      "PayWin",
      CUT,
    ),
    disturbed(
      "bet-restart",
      "A bet during which the aggregator restarted is repeated under its own id, or refunded",
      "PlaceBet",
      RESTART,
    ),
    disturbed(
      "win-restart",
      "A win during which the aggregator restarted is repeated under its own id",
      "PayWin",
      RESTART,
    ),
  ],
};
