import { type BoardChange, type BoardEvent, type ChangedFields, isPlain, type OddsList } from "./board-change.ts";

/** The change from `before` to `after`. undefined: both are equal. Without `before` the change has the whole list. */
export function changeBetween(
  before: readonly BoardEvent[] | undefined,
  after: readonly BoardEvent[],
): BoardChange | undefined {
  if (before === undefined) return { whole: true, new: after.map((event, position) => [position, event]) };
  const known = new Map(before.map((event) => [event.id, event]));
  const ids = new Set(after.map(({ id }) => id));
  const gone = before.map(({ id }) => id).filter((id) => !ids.has(id));
  const added: [number, BoardEvent][] = [];
  const fields: Record<string, ChangedFields> = {};
  const odds: Record<string, OddsList> = {};
  for (const [position, event] of after.entries()) {
    const earlier = known.get(event.id);
    if (earlier === event) continue;
    const changed = earlier && fieldsBetween(earlier, event);
    if (earlier === undefined || changed === undefined || !sameShape(earlier, event)) {
      added.push([position, event]);
      continue;
    }
    if (Object.keys(changed).length > 0) fields[event.id] = changed;
    const prices = oddsOf(event);
    if (!isEqual(oddsOf(earlier), prices)) odds[event.id] = prices;
  }
  const isNew = new Set(added.map(([, { id }]) => id));
  const kept = (events: readonly BoardEvent[]) =>
    events.map(({ id }) => id).filter((id) => known.has(id) && ids.has(id) && !isNew.has(id));
  // A change has positions only for new matches. If the order of the other matches has changed, too, the whole list is
  // sent.
  if (!isEqual(kept(before), kept(after))) return changeBetween(undefined, after);
  const change = {
    ...(gone.length > 0 && { gone }),
    ...(added.length > 0 && { new: added }),
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(Object.keys(odds).length > 0 && { odds }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/**
 * The changed fields, without the markets. undefined: a field was added or removed, which {@link ChangedFields} cannot
 * express.
 */
function fieldsBetween({ markets: _, ...before }: BoardEvent, { markets: __, ...after }: BoardEvent) {
  return changedIn(before, after);
}

function changedIn(before: ChangedFields, after: ChangedFields): ChangedFields | undefined {
  if (!isEqual(Object.keys(before).sort(), Object.keys(after).sort())) return undefined;
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(after)) {
    const earlier = before[name];
    if (isEqual(earlier, value)) continue;
    const inner = isPlain(earlier) && isPlain(value) ? changedIn(earlier, value) : value;
    if (inner === undefined) return undefined;
    changed[name] = inner;
  }
  return changed;
}

const oddsOf = ({ markets }: BoardEvent): OddsList =>
  markets.flatMap(({ offers }) => offers.map((offer) => offer.odds));

/** Whether the markets differ only in their odds, or not at all. */
const sameShape = (before: BoardEvent, after: BoardEvent): boolean =>
  before.markets === after.markets || isEqual(withoutOdds(before), withoutOdds(after));

const withoutOdds = ({ markets }: BoardEvent) =>
  markets.map((market) => ({ ...market, offers: market.offers.map((offer) => ({ ...offer, odds: null })) }));

/** Compares values that are sent as JSON. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
