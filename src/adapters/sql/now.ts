import type { Dialect } from "./database.ts";

/** Milliseconds since 1970 by the database's clock: one value per statement, taken when it starts. */
export const NOW: Readonly<Record<Dialect, string>> = {
  mysql: "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)",
  sqlite: "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)",
};
