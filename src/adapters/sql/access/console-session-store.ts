import type { Role } from "../../../domain/access/role.ts";
import type { DbTime } from "../../../domain/transaction/transaction.ts";
import {
  CONSOLE_IDLE_MS,
  CONSOLE_SESSION_MS,
  CONSOLE_SESSIONS_PER_KEY,
  CONSOLE_TOUCH_MS,
  type ConsoleSession,
  ConsoleSessionStore,
  type OpenConsoleSession,
} from "../../../ports/console-sessions.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, deleteRows, write } from "../connection/execute.ts";
import { marks } from "../connection/statement.ts";
import { textOf } from "../schema/columns.ts";

/** Sessions of the console in a table. Their key is the hash of their id. */
export class SqlConsoleSessionStore extends ConsoleSessionStore {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async open({ idHash, keyHash, role }: ConsoleSession): Promise<DbTime> {
    const { nowMs, keepExisting } = this.#database.dialect.sql;
    // The id is random. So if a row with this key exists, an earlier try of this statement wrote it.
    await write(this.#database, {
      sql: `INSERT INTO console_sessions (id_hash, key_hash, role, expires_at, used_at)
        VALUES (?, ?, ?, ${nowMs} + ${CONSOLE_SESSION_MS}, ${nowMs}) ${keepExisting("console_sessions.role")}`,
      bindings: [idHash, keyHash, role],
    });
    const [row] = await decisiveRows(this.#database, {
      sql: "SELECT expires_at FROM console_sessions WHERE id_hash = ?",
      bindings: [idHash],
    });
    await this.#endOldest(keyHash, idHash);
    return Number(row?.expires_at);
  }

  /** Ends the oldest sessions of a key that has too many. The newest session, which has just begun, always stays. */
  async #endOldest(keyHash: string, newest: string): Promise<void> {
    const over = await decisiveRows(this.#database, {
      sql: `SELECT id_hash FROM console_sessions WHERE key_hash = ? AND id_hash <> ?
        ORDER BY expires_at DESC LIMIT 1000 OFFSET ${CONSOLE_SESSIONS_PER_KEY - 1}`,
      bindings: [keyHash, newest],
    });
    if (over.length === 0) return;
    await write(this.#database, {
      sql: `DELETE FROM console_sessions WHERE id_hash IN (${marks(over)})`,
      bindings: over.map(({ id_hash }) => textOf(id_hash)),
    });
  }

  override async use(idHash: string): Promise<OpenConsoleSession | undefined> {
    const { nowMs } = this.#database.dialect.sql;
    const [row] = await decisiveRows(this.#database, {
      sql: `SELECT key_hash, role, expires_at, ${nowMs} - used_at AS idle_ms FROM console_sessions
        WHERE id_hash = ? AND expires_at > ${nowMs} AND used_at > ${nowMs} - ${CONSOLE_IDLE_MS}`,
      bindings: [idHash],
    });
    if (row === undefined) return undefined;
    if (Number(row.idle_ms) >= CONSOLE_TOUCH_MS)
      await write(this.#database, {
        sql: `UPDATE console_sessions SET used_at = ${nowMs} WHERE id_hash = ?`,
        bindings: [idHash],
      });
    return {
      idHash,
      keyHash: textOf(row.key_hash),
      role: textOf(row.role) as Role,
      expiresAt: Number(row.expires_at),
    };
  }

  override async close(idHash: string): Promise<boolean> {
    const { affected } = await write(this.#database, {
      sql: "DELETE FROM console_sessions WHERE id_hash = ?",
      bindings: [idHash],
    });
    return affected > 0;
  }

  override forget(limit: number): Promise<number> {
    return deleteRows(
      this.#database,
      "console_sessions",
      (now) => `(expires_at <= ${now} OR used_at <= ${now} - ${CONSOLE_IDLE_MS})`,
      limit,
    );
  }
}
