import { randomBytes } from "node:crypto";
import { TOKEN_MEMORY_MS, UsedTokens } from "../../../ports/used-tokens.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, write } from "../connection/statement.ts";
import { nowMs } from "../schema/columns.ts";

const FENCE_BYTES = 16;

/** Used tokens in a table whose primary key decides: of two inserts of one jti the database takes one. */
export class SqlUsedTokens extends UsedTokens {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  /** The fence tells whose insert it was, also when a lost connection made it run twice. */
  override async use(jti: string): Promise<boolean> {
    const { dialect } = this.#database;
    const fence = randomBytes(FENCE_BYTES);
    const onDuplicate = dialect === "mysql" ? "ON DUPLICATE KEY UPDATE fence = jtis.fence" : "ON CONFLICT DO NOTHING";
    const { affected } = await write(this.#database, {
      sql: `INSERT INTO jtis (jti, fence, used_at) VALUES (?, ?, ${nowMs(dialect)}) ${onDuplicate}`,
      bindings: [jti, fence],
    });
    if (affected === 1) return true;
    const [row] = await decisiveRows(this.#database, { sql: "SELECT fence FROM jtis WHERE jti = ?", bindings: [jti] });
    return fence.equals(row?.fence as Buffer);
  }

  override async forget(limit: number): Promise<number> {
    const { dialect } = this.#database;
    const old = `used_at < ${nowMs(dialect)} - ${TOKEN_MEMORY_MS}`;
    const sql = dialect === "mysql" ? `DELETE FROM jtis WHERE ${old} LIMIT ?` : `DELETE FROM jtis WHERE rowid IN (SELECT rowid FROM jtis WHERE ${old} LIMIT ?)`;
    return (await write(this.#database, { sql, bindings: [limit] })).affected;
  }
}
