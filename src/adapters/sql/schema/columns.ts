/** The values of a row's columns, however the driver returns them. */

/** A text. MySQL returns the bytes of a column that is compared byte by byte; SQLite returns the text. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (value as Buffer).toString("utf8");

export const textOrNull = (value: unknown): string | null => (value === null ? null : textOf(value));

export const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

/** A column that is 1 or 0. NULL is false. */
export const flagOf = (value: unknown): boolean => Number(value) === 1;

export const hexOf = (value: unknown): string => (value as Buffer).toString("hex");
