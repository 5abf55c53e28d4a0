/** Bets that are finally refused: the player did not pay, so the provider must not send a refund. */
import type { Step } from "../aggregator/session.ts";
import type { Case, Category } from "../case.ts";
import { badRound } from "./money.ts";

const over = (id: string, title: string, always: Step): Case =>
  badRound({ id, title, rule: "prov-part-over", badDay: { PlaceBet: { always } } });

export const REFUSALS: Category = {
  id: "refusals",
  title: "Bets that are over",
  cases: [
    over("insufficient-funds", "A bet that is FAILED with INSUFFICIENT_FUNDS is dropped", {
      do: "fail",
      error: "INSUFFICIENT_FUNDS",
    }),
    over("player-blocked", "A bet that is FAILED with PLAYER_BLOCKED is dropped", {
      do: "fail",
      error: "PLAYER_BLOCKED",
    }),
    over("unknown-code", "A bet that is FAILED with a code of the wallet's own is dropped", {
      do: "fail",
      error: "DAILY_LIMIT_7",
    }),
    over("session-expired", "A bet of a session that is over is dropped", { do: "refuse", code: "SESSION_EXPIRED" }),
    over("mismatch", "A bet that is TRANSACTION_MISMATCH is dropped", { do: "refuse", code: "TRANSACTION_MISMATCH" }),
    over("reversed", "A bet that is TRANSACTION_REVERSED is dropped", { do: "refuse", code: "TRANSACTION_REVERSED" }),
    over("wrong-key", "A bet that is INVALID_API_KEY is dropped", { do: "refuse", code: "INVALID_API_KEY" }),
  ],
};
