import type { SchemaSql } from "../../schema/table.ts";

export const sqliteSchema: SchemaSql = {
  types: {
    id: "INTEGER PRIMARY KEY AUTOINCREMENT",
    tiny: "INTEGER NOT NULL",
    int: "INTEGER NOT NULL",
    big: "INTEGER NOT NULL",
    longText: "TEXT NOT NULL",
    key: (name, max) => `TEXT NOT NULL CHECK (octet_length(${name}) <= ${max})`,
    bytes: (name, size) => `BLOB NOT NULL CHECK (length(${name}) = ${size})`,
    text: (name, max) => `TEXT NOT NULL CHECK (length(${name}) <= ${max})`,
  },

  createTable: ({ name, unique = {}, indexes = {} }, lines) => [
    `CREATE TABLE IF NOT EXISTS ${name} (\n  ${lines.join(",\n  ")}\n) STRICT`,
    ...Object.entries(unique).map(
      ([key, columns]) => `CREATE UNIQUE INDEX IF NOT EXISTS ${name}_${key} ON ${name} (${columns.join(", ")})`,
    ),
    ...Object.entries(indexes).map(
      ([key, columns]) => `CREATE INDEX IF NOT EXISTS ${name}_${key} ON ${name} (${columns.join(", ")})`,
    ),
  ],

  async addIndex(db, table, index, columns) {
    await db.raw(`CREATE INDEX IF NOT EXISTS ${index} ON ${table} (${columns})`);
  },
};
