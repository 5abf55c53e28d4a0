import type { SchemaSql } from "../../schema/table.ts";

export const mysqlSchema: SchemaSql = {
  types: {
    id: "BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY",
    tiny: "TINYINT UNSIGNED NOT NULL",
    int: "INT UNSIGNED NOT NULL",
    big: "BIGINT NOT NULL",
    longText: "MEDIUMTEXT NOT NULL",
    key: (_, max) => `VARBINARY(${max}) NOT NULL`,
    bytes: (_, size) => `BINARY(${size}) NOT NULL`,
    text: (_, max) => `VARCHAR(${max}) NOT NULL`,
  },

  createTable({ name, unique = {}, indexes = {} }, lines) {
    const keys = [
      ...Object.entries(unique).map(([key, columns]) => `UNIQUE KEY ${name}_${key} (${columns.join(", ")})`),
      ...Object.entries(indexes).map(([key, columns]) => `KEY ${name}_${key} (${columns.join(", ")})`),
    ];
    const all = [...lines, ...keys].join(",\n  ");
    return [
      `CREATE TABLE IF NOT EXISTS ${name} (\n  ${all}\n) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`,
    ];
  },

  async addIndex(db, table, index, columns) {
    const [existing] = await db.raw("SHOW INDEX FROM ?? WHERE Key_name = ?", [table, index]);
    if (existing.length === 0) await db.raw(`CREATE INDEX ${index} ON ${table} (${columns})`);
  },
};
