import type { Migration } from "../migration.ts";
import { addColumn, nullable, tiny } from "../table.ts";

/**
 * Adds whether a merchant's wallet gets the header `traceparent` (NULL: no). A replica of the previous release does not
 * know this column: it sends no such header.
 */
export const traceContext: Migration = {
  name: "012-trace-context",
  up: (db, dialect) => addColumn(db, dialect, "merchants", "trace_context", nullable(tiny())),
};
