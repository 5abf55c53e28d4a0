/** The text of a column that is compared byte by byte. MySQL returns its bytes, SQLite returns the text. */
export const textOf = (value: string | Buffer): string => (typeof value === "string" ? value : value.toString("utf8"));
