/** What the audit log says of a change: the fields that differ, by the wire's names. */

export interface FieldChange {
  readonly field: string;
  /** undefined: there was nothing. */
  readonly from?: unknown;
  /** undefined: nothing is left. */
  readonly to?: unknown;
}

/** A record by the wire's field names, in JSON's types, without its secrets. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields in which two records differ, in the order of the second; of a new record those that hold anything, without `from`. */
export function changedFields(before: Fields | undefined, after: Fields): FieldChange[] {
  const fields = Object.entries(after);
  if (before === undefined) return fields.filter(([, to]) => !isEmpty(to)).map(([field, to]) => ({ field, to }));
  return fields.filter(([field, to]) => !isSameJson(before[field], to)).map(([field, to]) => ({ field, from: before[field], to }));
}

/** Nothing, or a list or object of nothing. */
const isEmpty = (value: unknown): boolean => value === null || (typeof value === "object" && Object.keys(value as object).length === 0);

/** Whether two values are the same JSON: order counts in lists, not in objects. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key as never], b[key as never]));
}
