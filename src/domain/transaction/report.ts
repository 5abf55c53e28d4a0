/**
 * The GGR report (docs/specification/reports.md): the sums of successful transactions by day, provider, game, type,
 * player or merchant. A transaction counts at the time of its creation. Pending transactions have sums of their own;
 * failed ones are in no sum.
 */

import { KIND_SUMS, type Kind } from "../../../contract/transactions/kinds.ts";
import { type GroupingName, MERCHANT_GROUPINGS } from "../../../contract/values/groupings.ts";
import { PRODUCTS } from "../../../contract/values/products.ts";
import { type FieldFault, ok, type Result, refuse } from "../errors.ts";
import { FAULT_TEXTS } from "../texts/fault-texts.ts";
import { isProviderCode } from "../values/identifiers.ts";
import type { Texts } from "../values/language.ts";
import type { Currency } from "../values/money.ts";
import type { Action, DbTime } from "./transaction.ts";

/** A request for a report. */
export interface GgrRequest {
  /** First and last day, both included: YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  readonly groupBy: GroupingName;
  /** IANA name of the zone whose days the report uses. */
  readonly timeZone: string;
  /** The report has only the games of this provider and type. null: all providers, or all types. */
  readonly provider: string | null;
  readonly type: (typeof PRODUCTS)[number] | null;
}

/** The number of transactions and the sum of their amounts in minor units. */
export interface Sum {
  readonly count: number;
  readonly minor: bigint;
}

export interface GgrSums {
  readonly success: Readonly<Record<Action, Sum>>;
  readonly pending: Readonly<Record<Action, Sum>>;
  /** The successful bets and wins that have a kind, which `success` contains, too. In no order, each kind once. */
  readonly ofWhich: readonly KindSum[];
}

/** The successful bets or wins of one kind. */
export interface KindSum extends Sum {
  readonly action: "bet" | "win";
  readonly kind: Kind;
}

export interface GgrRow extends GgrSums {
  /** The row's group: YYYY-MM-DD, a provider's code, `<PROVIDER>/<game>`, a type, a player_id or a merchant's code. */
  readonly key: string;
}

export interface Ggr {
  readonly currency: Currency;
  readonly timeZone: string;
  readonly groupBy: GroupingName;
  /** Sorted by key. A group without a successful or pending transaction has no row. */
  readonly rows: readonly GgrRow[];
  readonly totals: GgrSums;
  /** The time of the snapshot from which the whole report was read. */
  readonly asOf: DbTime;
}

/** A report whose rows come in pieces, because a report by player may have any number of rows. */
export interface GgrInPieces extends Omit<Ggr, "rows"> {
  /** The rows. They can be read only once. Read them to their end. */
  readonly rows: AsyncIterable<readonly GgrRow[]>;
  /** The totals are complete when the last row has been read. */
  readonly totals: GgrSums;
}

/** A partial sum that a store reads: transactions of one span, group, status and action. */
export interface GgrCell {
  /** The span to which this cell belongs: the index of the bound at which the span begins. */
  readonly span: number;
  /** The provider's code, `<PROVIDER>/<game>`, type, player_id or merchant's code. Empty in a report by day. */
  readonly key: string;
  readonly status: "success" | "pending";
  readonly action: Action;
  /**
   * null: the sum of all transactions, with and without a kind. Else the sum of those of this kind, which is a part of
   * another cell. Only successful bets and wins have it.
   */
  readonly kind: Kind | null;
  readonly sum: Sum;
}

/** Each day lies between two bounds: `bounds[i]` begins day `names[i]`, and the last bound ends the last day. */
export interface Days {
  readonly names: readonly string[];
  readonly bounds: readonly DbTime[];
}

/** (bets - refunds) - (wins - rollbacks), in minor units. */
export const ggrMinor = ({ success: { bet, refund, win, rollback } }: GgrSums): bigint =>
  bet.minor - refund.minor - (win.minor - rollback.minor);

/** The sums of the kinds that occur, in the order of {@link KIND_SUMS}. */
export const kindSums = ({ ofWhich }: GgrSums): KindSum[] =>
  KIND_SUMS.flatMap(({ action, kind }) => ofWhich.filter((one) => one.action === action && one.kind === kind));

/** The number of pending transactions of all actions. */
export const pendingCount = ({ pending }: GgrSums): number =>
  Object.values(pending).reduce((count, sum) => count + sum.count, 0);

/**
 * The days of a request in its time zone. A day lasts from its first moment to the first moment of the next day. It has
 * 23 or 25 hours when the clocks change, and 0 hours when the zone skipped it.
 */
export function daysOf({ from, to, timeZone }: Pick<GgrRequest, "from" | "to" | "timeZone">): Days {
  const first = Temporal.PlainDate.from(from);
  const dates = Array.from({ length: dayCount(from, to) }, (_, i) => first.add({ days: i }));
  return {
    names: dates.map(String),
    bounds: [...dates, first.add({ days: dates.length })].map(
      (date) => date.toZonedDateTime({ timeZone }).epochMilliseconds,
    ),
  };
}

/** Adds up the cells of a report with few rows. The cells may come in any order. */
export class GgrFold {
  readonly #names: readonly string[] | null;
  readonly #rows = new Map<string, { readonly key: string } & MutableSums>();
  readonly #totals = nothing();

  /** @param names - the names of the spans if the rows are grouped by span (by day); else null. */
  constructor(names: readonly string[] | null) {
    this.#names = names;
  }

  add(cell: GgrCell): void {
    const key = this.#names === null ? cell.key : (this.#names[cell.span] ?? "");
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = { key, ...nothing() };
      this.#rows.set(key, row);
    }
    add(row, cell);
    add(this.#totals, cell);
  }

  end(): Pick<Ggr, "rows" | "totals"> {
    const keys = [...this.#rows.keys()].sort();
    return { rows: keys.flatMap((key) => this.#rows.get(key) ?? []), totals: this.#totals };
  }
}

/** Adds up cells that come sorted by key. It keeps only one row in memory, however many rows the report has. */
export class GgrRowsInOrder {
  readonly totals = nothing();
  #open: ({ readonly key: string } & MutableSums) | undefined;

  /** The rows that are complete after these cells. */
  add(cells: readonly GgrCell[]): GgrRow[] {
    const complete: GgrRow[] = [];
    for (const cell of cells) {
      if (this.#open?.key !== cell.key) {
        complete.push(...this.end());
        this.#open = { key: cell.key, ...nothing() };
      }
      if (this.#open !== undefined) add(this.#open, cell);
      add(this.totals, cell);
    }
    return complete;
  }

  /** The last row; empty: there was no cell. */
  end(): GgrRow[] {
    const last = this.#open;
    this.#open = undefined;
    return last === undefined ? [] : [last];
  }
}

function add(sums: MutableSums, { status, action, kind, sum }: GgrCell): void {
  const { count, minor } = sums[status][action];
  if (kind === null) sums[status][action] = { count: count + sum.count, minor: minor + sum.minor };
  else if (action === "bet" || action === "win") addKind(sums, { action, kind, ...sum });
}

/** A row has few kinds, mostly none. */
function addKind(sums: MutableSums, { action, kind, count, minor }: KindSum): void {
  const found = sums.ofWhich.find((one) => one.action === action && one.kind === kind);
  const others = sums.ofWhich.filter((one) => one !== found);
  sums.ofWhich = [...others, { action, kind, count: count + (found?.count ?? 0), minor: minor + (found?.minor ?? 0n) }];
}

interface MutableSums {
  ofWhich: readonly KindSum[];
  readonly success: Record<Action, Sum>;
  readonly pending: Record<Action, Sum>;
}

const NONE: Sum = { count: 0, minor: 0n };
const NO_KINDS: readonly KindSum[] = [];
const nothing = (): MutableSums => ({
  ofWhich: NO_KINDS,
  success: { bet: NONE, refund: NONE, win: NONE, rollback: NONE },
  pending: { bet: NONE, refund: NONE, win: NONE, rollback: NONE },
});

/** The fields of a request as text, by their names in the API. */
export type GgrFields = Readonly<
  Partial<Record<"from" | "to" | "group_by" | "tz" | "provider" | "type", string | undefined>>
>;

const DAYS_MAX = 92;

/**
 * Reads a request. By default a report is by day, in UTC, and has all providers and types. VALIDATION_ERROR lists every
 * fault at once.
 *
 * @param groupings - the groupings that the report may have.
 */
export function readGgrRequest(
  fields: GgrFields,
  groupings: readonly GroupingName[] = MERCHANT_GROUPINGS,
): Result<GgrRequest> {
  const faults = ggrFaults(fields, groupings);
  if (faults.length > 0) return refuse("VALIDATION_ERROR", { details: faults });
  const { from = "", to = "", group_by = "day", tz = "UTC", provider, type } = fields;
  return ok({
    from,
    to,
    groupBy: group_by as GroupingName,
    timeZone: zoneName(tz) ?? tz,
    provider: provider ?? null,
    type: (type ?? null) as GgrRequest["type"],
  });
}

/** All faults of a request, in the order of its fields. */
function ggrFaults(
  { from, to, group_by, tz, provider, type }: GgrFields,
  groupings: readonly GroupingName[],
): FieldFault[] {
  const faults: FieldFault[] = [];
  const fault = (field: string, rule: string, message: Texts): void => void faults.push({ field, rule, message });
  for (const [field, date] of [["from", from] as const, ["to", to] as const]) {
    if (date === undefined) fault(field, "required", FAULT_TEXTS.required(field));
    else if (!isDate(date)) fault(field, "YYYY-MM-DD", FAULT_TEXTS.date(field));
  }
  if (isDate(from) && isDate(to)) {
    if (to < from) fault("to", "not before from", FAULT_TEXTS.notBefore("to", "from"));
    else if (dayCount(from, to) > DAYS_MAX) fault("to", `at most ${DAYS_MAX} days`, FAULT_TEXTS.wholeDays(DAYS_MAX));
  }
  const oneOf = (field: string, value: string | undefined, values: readonly string[]): void => {
    if (value !== undefined && !values.includes(value))
      fault(field, values.join("|"), FAULT_TEXTS.oneOf(field, values));
  };
  oneOf("group_by", group_by, groupings);
  if (tz !== undefined && zoneName(tz) === undefined) fault("tz", "an IANA time zone", FAULT_TEXTS.timeZone("tz"));
  if (provider !== undefined && !isProviderCode(provider))
    fault("provider", "2 to 32 of A-Z, 0-9 and _", FAULT_TEXTS.providerCode("provider"));
  oneOf("type", type, PRODUCTS);
  return faults;
}

const dayCount = (from: string, to: string): number => Temporal.PlainDate.from(from).until(to).days + 1;

function isDate(text: string | undefined): text is string {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

/** The form that the name of a time zone has. A text of this form may still name no zone. */
export const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/**
 * A zone's name in IANA's spelling. The text may be in upper or lower case. `undefined`: the text names no zone. An
 * offset such as `+03:00` is not a name.
 */
function zoneName(text: string): string | undefined {
  if (!ZONE_NAME.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from("2000-01-01").toZonedDateTime({ timeZone: text }).timeZoneId;
  } catch {
    return undefined;
  }
}
