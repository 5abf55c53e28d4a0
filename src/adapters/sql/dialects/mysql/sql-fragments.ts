import type { SqlFragments } from "../sql-fragments.ts";

export const mysqlFragments: SqlFragments = {
  nowMs: "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)",
  greatest: "GREATEST",
  isSame: (one, other) => `${one} <=> ${other}`,
  joinInOrder: "STRAIGHT_JOIN",
  byIndex: (index, table = "tx") => `FORCE INDEX (${table}_${index})`,
  isExactly: (column) => `${column} = ? AND BINARY ${column} = ?`,
  // The assignment changes nothing, because it gives the column its own value. INSERT IGNORE would also alter values
  // that do not fit into their columns.
  keepExisting: (column) => `ON DUPLICATE KEY UPDATE ${column} = ${column}`,
  updateExisting: () => "ON DUPLICATE KEY UPDATE",
  inserted: (column) => `VALUES(${column})`,
  deleteSome: (table, condition) => `DELETE FROM ${table} WHERE ${condition} LIMIT ?`,
  locking: { skipping: "FOR UPDATE SKIP LOCKED", failing: "FOR UPDATE NOWAIT" },
  unionAll: (selects) => selects.map((select) => `(${select})`).join(" UNION ALL "),
  idTable: (ids) => ({ sql: `(SELECT ${ids.join(" AS id UNION ALL SELECT ")} AS id)`, bindings: [] }),
};
