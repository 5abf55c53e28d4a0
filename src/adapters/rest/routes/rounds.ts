import type { Transactions } from "../../../app/merchant/transactions.ts";
import type { ListedRound } from "../../../app/rounds/rounds.ts";
import { ok, refuse } from "../../../domain/errors.ts";
import { FAULT_TEXTS } from "../../../domain/texts/fault-texts.ts";
import { formatInstant } from "../../../domain/values/instant.ts";
import type { RoundPosition } from "../../../ports/transactions/round-store.ts";
import { SUCCESS_TEXTS } from "../replies/success-texts.ts";
import { wholeListing } from "../replies/whole-listing.ts";
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
      const selection = selectionOf(choice);
      if (!selection.ok) return selection;
      const position = after === null ? undefined : readPosition(after);
      const found = await transactions.rounds(merchant, { ...selection.value, after: position }, limit);
      if (!found.ok) return found;
      const { items, next } = found.value;
      const cursor = nextCursor(next && writePosition(next));
      return ok({ message: SUCCESS_TEXTS.rounds, data: { items: items.map(roundItem), next_cursor: cursor } });
    },
    stream: async ({ merchant, query: { choice, format, dialect } }) => {
      const selection = selectionOf(choice);
      if (!selection.ok) return selection;
      const pages = await transactions.roundStream(merchant, selection.value);
      return pages.ok ? ok(wholeListing(pages.value, FORM, format, dialect)) : pages;
    },
  });

interface Choice {
  readonly state: "open" | "ended" | undefined;
  readonly older_than: number | undefined;
  readonly ended_since: number | undefined;
}

function selectionOf({ state: given, older_than: openedBefore, ended_since: endedSince }: Choice) {
  const state = given ?? (endedSince === undefined ? "open" : "ended");
  return state === "open" && endedSince !== undefined
    ? refuse("VALIDATION_ERROR", { details: [NOT_OPEN] })
    : ok({ state, openedBefore, endedSince });
}

const roundItem = ({ provider, roundId, openedAt, endedAt }: ListedRound) => ({
  provider,
  round_id: roundId,
  state: endedAt === null ? "open" : "ended",
  opened_at: formatInstant(openedAt),
  ended_at: endedAt === null ? null : formatInstant(endedAt),
});

const FORM = {
  name: "rounds",
  columns: ["provider", "round_id", "state", "opened_at", "ended_at"],
  cells: (round: ListedRound) => Object.values(roundItem(round)),
  json: roundItem,
};

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
