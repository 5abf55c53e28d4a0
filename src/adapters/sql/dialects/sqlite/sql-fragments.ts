import type { SqlFragments } from "../sql-fragments.ts";

export const sqliteFragments: SqlFragments = {
  nowMs: "CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER)",
  greatest: "MAX",
  isSame: (one, other) => `${one} IS ${other}`,
  joinInOrder: "CROSS JOIN",
  byIndex: (index, table = "tx") => `INDEXED BY ${table}_${index}`,
  isExactly: (column) => `${column} = ? AND ${column} = ?`,
  keepExisting: () => "ON CONFLICT DO NOTHING",
  updateExisting: (key) => `ON CONFLICT (${key}) DO UPDATE SET`,
  inserted: (column) => `excluded.${column}`,
  deleteSome: (table, condition) =>
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ?)`,
  locking: { skipping: "", failing: "" },
  unionAll: (selects) => selects.map((select) => `SELECT * FROM (${select})`).join(" UNION ALL "),
  idTable: (ids) => ({ sql: "(SELECT value AS id FROM json_each(?))", bindings: [JSON.stringify(ids)] }),
};
