import type { Dialect } from "../connection/database.ts";

/** The database's time in milliseconds since 1970, as an SQL expression; one moment per statement. */
export const nowMs = (dialect: Dialect): string =>
  dialect === "mysql" ? "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)" : "CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER)";

/** A byte-wise compared text column: MySQL gives its bytes, SQLite the text. */
export const textOf = (value: string | Buffer): string => (typeof value === "string" ? value : value.toString("utf8"));
