/** One field that a change of a record has changed, for the audit log. The field has the name that the API uses. */

export interface FieldChange {
  readonly field: string;
  /** The value before the change; undefined: there was none. */
  readonly from?: unknown;
  /** The value after the change; undefined: there is none. */
  readonly to?: unknown;
}

const READS: ReadonlySet<string> = new Set([
  "console sign-in",
  "console sign-out",
  "merchant ping",
  "report ggr",
  "round show",
  "transaction list",
  "transaction player",
  "transaction search",
  "transaction show",
  "transaction stuck",
]);

/** Whether an action of the audit log changes something. Reads, sign-ins and sign-outs do not. */
export const isChange = (action: string): boolean => !READS.has(action);

/** A record's fields by their names in the API, with values of JSON's types. Secrets are left out. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields in which two records differ, in the order of `after`. For a new record: the fields that have a value,
 * without `from`.
 */
export function changedFields(before: Fields | undefined, after: Fields): FieldChange[] {
  const fields = Object.entries(after);
  if (before === undefined) return fields.filter(([, to]) => !isEmpty(to)).map(([field, to]) => ({ field, to }));
  return fields
    .filter(([field, to]) => !isSameJson(before[field], to))
    .map(([field, to]) => ({ field, from: before[field], to }));
}

/** Whether a value is null, an empty list or an empty object. */
const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.keys(value as object).length === 0);

/** Whether two values are the same JSON. The order matters in lists, but not in objects. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key as never], b[key as never]))
  );
}
