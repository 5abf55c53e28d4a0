import { readCursor, writeCursor } from "../../../../src/app/merchant/cursor.ts";
import { readRoundQuery, readTransactionsQuery } from "../../../../src/app/merchant/transactions-query.ts";
import { areFaults } from "../../../../src/domain/errors.ts";
import { readChoice } from "../../../../src/domain/transaction/transaction-fields.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateFields, mutateText, oddText } from "../../mutate.ts";

type Fields = Readonly<Record<string, string>>;

interface Input {
  readonly filter: Fields;
  readonly position: Fields;
  /** The changed cursor; undefined: the cursor as the service wrote it. */
  readonly cursor: string | undefined;
}

const CODE = "shop-brl";
const NOW = 1_767_225_600_000;

const CHOICES: readonly Fields[] = [
  { from: "2025-12-31T00:00:00.000Z", order: "desc" },
  { from: "2025-12-31T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z", order: "asc", status: "success" },
  { updated_since: "2025-12-31T00:00:00.000Z", order: "asc" },
  { tx_id: "ACME:1", order: "desc" },
];
const POSITIONS: readonly Fields[] = [{ until: String(NOW), created_at: String(NOW - 5), id: "17" }, { seq: "12" }];

/**
 * Cursors: a written cursor can be read, a changed cursor is refused, and a forged cursor can contain only values that
 * are valid in a request.
 */
export const cursors: Kind<Input> = {
  name: "cursors",
  reader: "app/merchant/cursor, app/merchant/transactions-query",
  perMillion: 60_000,
  generate: (random) => ({ filter: random.pick(CHOICES), position: random.pick(POSITIONS), cursor: undefined }),
  mutate: (random, { filter, position, cursor }) => {
    switch (random.int(0, 3)) {
      case 0:
        return { filter: texts(random, filter), position, cursor };
      case 1:
        return { filter, position: texts(random, position), cursor };
      default:
        return {
          filter,
          position,
          cursor: mutateText(random, cursor ?? writeCursor("transactions", CODE, [filter, position])),
        };
    }
  },
  check: ({ filter, position, cursor }) => {
    const own = writeCursor("transactions", CODE, [filter, position]);
    const faults: string[] = [];
    if (JSON.stringify(readCursor("transactions", CODE, own)) !== JSON.stringify([filter, position]))
      faults.push("what was written doesn't come back");
    if (readCursor("round", CODE, own) !== undefined || readCursor("transactions", "shop-clp", own) !== undefined)
      faults.push("another listing's was taken");
    const touched = cursor === undefined ? undefined : readCursor("transactions", CODE, cursor);
    // An accepted cursor is exactly the text that this service would write.
    if (touched !== undefined && writeCursor("transactions", CODE, touched) !== cursor)
      faults.push("a cursor that was touched is taken");
    for (const one of [own, ...(cursor === undefined ? [] : [cursor])]) faults.push(...requestFaults(one));
    return faults;
  },
};

const texts = (random: SeededRandom, fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(mutateFields(random, fields))
      // After V8 (14.6) has parsed such a key once, it wrongly reads a JSON key that begins with an escape as `\\`. Our
      // fields have no backslash.
      .filter(([name]) => JSON.stringify(name) === `"${name}"`)
      .map(([name, value]) => [name, typeof value === "string" ? value : oddText(random)]),
  );

/** The faults of a cursor that is read as a request: an accepted cursor must have the form of its listing. */
function requestFaults(cursor: string): string[] {
  const faults: string[] = [];
  const listing = readTransactionsQuery(CODE, { cursor }, NOW);
  if (listing.ok) {
    const { choice, faults: bad } = readChoice(listing.value.choice);
    if (bad.length > 0 || JSON.stringify(choice) !== JSON.stringify(listing.value.choice))
      faults.push(`a choice that no request can make: ${JSON.stringify(listing.value.choice)}`);
    for (const value of Object.values(listing.value.position ?? {}))
      if (!/^\d{1,18}$/.test(value)) faults.push(`the position ${value}`);
  } else if (!areFaults(listing.refusal.details) || listing.refusal.details.length === 0)
    faults.push("refused without a fault");
  const round = readRoundQuery(CODE, { provider: "ACME", roundId: "r1", cursor });
  if (round.ok) faults.push("a listing's cursor was taken for a round's");
  return faults;
}
