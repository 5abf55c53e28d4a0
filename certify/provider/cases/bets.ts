import type { Category } from "../case.ts";
import { badRound } from "./money.ts";

const UNAVAILABLE = { do: "refuse", code: "SERVICE_UNAVAILABLE" } as const;
const OVERLOADED = { do: "refuse", code: "OVERLOADED" } as const;
const PENDING = { do: "pending" } as const;

export const BETS: Category = {
  id: "bets",
  title: "Bets without an answer",
  cases: [
    badRound({
      id: "accepted",
      title: "A bet that is accepted at once is sent once, and its round is not refunded",
      rule: "prov-part-settled",
      badDay: {},
    }),
    badRound({
      id: "pending",
      title: "A bet that stays PENDING is refunded, and its round never starts",
      rule: "prov-part-open",
      badDay: { PlaceBet: { always: PENDING } },
    }),
    badRound({
      id: "pending-once",
      title: "A bet that is PENDING is repeated under its own id, or refunded",
      rule: "prov-part-repeat",
      badDay: { PlaceBet: [PENDING] },
    }),
    badRound({
      id: "unavailable",
      title: "A bet that got SERVICE_UNAVAILABLE is repeated under its own id, or refunded",
      rule: "prov-part-open",
      badDay: { PlaceBet: [UNAVAILABLE, UNAVAILABLE] },
    }),
    badRound({
      id: "internal-error",
      title: "A bet that got INTERNAL_ERROR is repeated under its own id, or refunded",
      rule: "prov-part-open",
      badDay: { PlaceBet: [{ do: "refuse", code: "INTERNAL_ERROR" }] },
    }),
    badRound({
      id: "overloaded",
      title: "A bet that got OVERLOADED is repeated with pauses, or given up",
      rule: "prov-part-pace",
      badDay: { PlaceBet: [OVERLOADED, OVERLOADED, OVERLOADED, OVERLOADED, OVERLOADED, OVERLOADED] },
    }),
    badRound({
      id: "deadline",
      title: "A bet whose deadline passed is repeated under its own id, or refunded",
      rule: "prov-part-open",
      badDay: { PlaceBet: [{ do: "exceed" }] },
    }),
  ],
};
