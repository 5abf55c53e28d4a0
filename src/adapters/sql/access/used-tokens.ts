import { randomBytes } from "node:crypto";
import { TOKEN_MEMORY_MS, UsedTokens } from "../../../ports/used-tokens.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, deleteRows, write } from "../connection/execute.ts";

const FENCE_BYTES = 16;

/**
 * Used tokens in a table. Its primary key decides which use is the first: if two replicas insert the same jti, the
 * database keeps one of the rows.
 */
export class SqlUsedTokens extends UsedTokens {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  /**
   * `fence`, a random value of this call, shows whether this call inserted the row, even if a lost connection made the
   * INSERT run twice.
   */
  override async use(jti: string): Promise<boolean> {
    const { nowMs, keepExisting } = this.#database.dialect.sql;
    const fence = randomBytes(FENCE_BYTES);
    const { affected } = await write(this.#database, {
      sql: `INSERT INTO jtis (jti, fence, used_at) VALUES (?, ?, ${nowMs}) ${keepExisting("jtis.fence")}`,
      bindings: [jti, fence],
    });
    if (affected === 1) return true;
    const [row] = await decisiveRows(this.#database, { sql: "SELECT fence FROM jtis WHERE jti = ?", bindings: [jti] });
    return fence.equals(row?.fence as Buffer);
  }

  override forget(limit: number): Promise<number> {
    return deleteRows(this.#database, "jtis", (now) => `used_at < ${now} - ${TOKEN_MEMORY_MS}`, limit);
  }
}
