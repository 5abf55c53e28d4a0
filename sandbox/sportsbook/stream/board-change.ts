/** The messages of the board's stream, and how the page applies them. */
import type { BookEvent } from "../model/book.ts";

/**
 * A match as the page gets it. On the board it has only its first markets, and `more` is the number of further markets.
 */
export type BoardEvent = BookEvent & { readonly more?: number };

/** The odds of all offers of a match, in the order of its markets and their offers. */
export type OddsList = readonly (number | null)[];

/** Changed fields of a match. A nested object has only its changed fields. */
export type ChangedFields = { readonly [name: string]: unknown };

/** The changes from one list of matches to another. They are applied in the order of these fields. */
export interface BoardChange {
  /** Begin with an empty list. */
  readonly whole?: true;
  /** The ids of matches that are no longer in the list. */
  readonly gone?: readonly string[];
  /**
   * Matches with their position in the list, in the order of the list. A match with a known id replaces the earlier
   * one.
   */
  readonly new?: readonly (readonly [position: number, event: BoardEvent])[];
  /** By match. */
  readonly fields?: Readonly<Record<string, ChangedFields>>;
  /** By match. */
  readonly odds?: Readonly<Record<string, OddsList>>;
}

/** A message of the stream. An empty message shows that the connection is alive. */
export interface BoardMessage {
  readonly board?: BoardChange;
  /** The matches that this page follows, with all markets. A match that does not exist is not among them. */
  readonly followed?: BoardChange;
}

/** The board at the time when the page was sent. The stream continues from the `id` of this state. */
export interface BoardOpening {
  readonly id: string;
  readonly board: BoardChange;
}

/** The list after the change. Matches that did not change are the same objects. */
export function applied(before: readonly BoardEvent[], change: BoardChange): readonly BoardEvent[] {
  const replaced = new Set([...(change.gone ?? []), ...(change.new ?? []).map(([, { id }]) => id)]);
  const events = change.whole ? [] : before.filter(({ id }) => !replaced.has(id));
  for (const [position, event] of change.new ?? []) events.splice(position, 0, event);
  return events.map((event) => {
    const fields = change.fields?.[event.id];
    const odds = change.odds?.[event.id];
    const changed = fields === undefined ? event : (merged(event, fields) as BoardEvent);
    return odds === undefined ? changed : { ...changed, markets: withOdds(changed.markets, odds) };
  });
}

export const isPlain = (value: unknown): value is ChangedFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function merged(before: unknown, change: unknown): unknown {
  if (!isPlain(before) || !isPlain(change)) return change;
  const entries = Object.entries(change).map(([name, value]) => [name, merged(before[name], value)]);
  return { ...before, ...Object.fromEntries(entries) };
}

function withOdds(markets: BookEvent["markets"], odds: OddsList): BookEvent["markets"] {
  let next = 0;
  return markets.map((market) => ({
    ...market,
    offers: market.offers.map((offer) => ({ ...offer, odds: odds[next++] ?? null })),
  }));
}
