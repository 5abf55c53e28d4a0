/** The fields that a change has changed, by their names on the wire, for the audit log. */

export interface FieldChange {
  readonly field: string;
  /** The value before; undefined when there was none. */
  readonly from?: unknown;
  /** The value after; undefined when there is none. */
  readonly to?: unknown;
}

/** A record by its field names on the wire, with values of JSON's types, without its secrets. */
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

/** Whether two values are the same JSON. Order matters in lists, not in objects. */
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
