import type { Transactions } from "../../../app/merchant/transactions.ts";
import type { ListedRound } from "../../../app/rounds/rounds.ts";
import { ok, refuse } from "../../../domain/errors.ts";
import { FAULT_TEXTS } from "../../../domain/texts/fault-texts.ts";
import { formatInstant } from "../../../domain/values/instant.ts";
import type { RoundPosition } from "../../../ports/transactions/round-store.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { listing } from "../requests/listing.ts";
import { oneOf, time } from "../requests/query.ts";

const NOT_OPEN = {
  field: "ended_since",
  rule: "not with state=open",
  message: FAULT_TEXTS.notWith("ended_since", "state=open"),
};

/** The route of GET /v1/rounds. */
export const listRounds = (transactions: Transactions) =>
  listing({
    path: "/v1/rounds",
    query: {
      state: oneOf("state", ["open", "ended"]),
      older_than: time("older_than"),
      ended_since: time("ended_since"),
    },
    limit: { standard: 100, max: 1_000 },
    answer: async ({ merchant, query: { choice, limit, after, nextCursor } }) => {
      const { older_than: openedBefore, ended_since: endedSince } = choice;
      const state = choice.state ?? (endedSince === undefined ? "open" : "ended");
      if (state === "open" && endedSince !== undefined) return refuse("VALIDATION_ERROR", { details: [NOT_OPEN] });
      const position = after === null ? undefined : readPosition(after);
      const found = await transactions.rounds(merchant, { state, openedBefore, endedSince, after: position }, limit);
      if (!found.ok) return found;
      const { items, next } = found.value;
      const cursor = nextCursor(next && writePosition(next));
      return ok({ message: SUCCESS_TEXTS.rounds, data: { items: items.map(roundItem), next_cursor: cursor } });
    },
  });

const roundItem = ({ provider, roundId, openedAt, endedAt }: ListedRound) => ({
  provider,
  round_id: roundId,
  state: endedAt === null ? "open" : "ended",
  opened_at: formatInstant(openedAt),
  ended_at: endedAt === null ? null : formatInstant(endedAt),
});

const writePosition = ({ at, openedAt, providerId, roundId }: RoundPosition) => ({
  at: String(at),
  opened_at: String(openedAt),
  provider: String(providerId),
  round_id: roundId,
});

/** A forged position only begins the page elsewhere in the merchant's own list. */
const readPosition = ({ at, opened_at, provider, round_id = "" }: Readonly<Record<string, string>>): RoundPosition => ({
  at: numberOf(at),
  openedAt: numberOf(opened_at),
  providerId: numberOf(provider),
  roundId: round_id,
});

const numberOf = (text = ""): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);
