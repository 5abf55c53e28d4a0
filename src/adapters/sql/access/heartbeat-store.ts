import { HEARTBEAT_MEMORY_MS, HeartbeatStore } from "../../../ports/heartbeat-store.ts";
import type { Database } from "../connection/database.ts";
import { rows, write } from "../connection/statement.ts";
import { nowMs } from "../schema/columns.ts";
import { MIGRATIONS } from "../schema/migrations/list.ts";

/** One row per replica, with the last step of the schema that it was written for. */
export class SqlHeartbeatStore extends HeartbeatStore {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async beat(replica: string, withinMs: number): Promise<number> {
    const now = nowMs(this.#database.dialect);
    const onDuplicate = this.#database.dialect === "mysql" ? "ON DUPLICATE KEY UPDATE" : "ON CONFLICT (replica) DO UPDATE SET";
    await write(this.#database, {
      sql: `INSERT INTO heartbeats (replica, seen_at, schema_step) VALUES (?, ${now}, ?) ${onDuplicate} seen_at = ${now}`,
      bindings: [replica, MIGRATIONS.length],
    });
    const [found] = await rows(this.#database, { sql: `SELECT COUNT(*) AS live FROM heartbeats WHERE seen_at > ${now} - ?`, bindings: [withinMs] });
    return Number(found?.live);
  }

  override async leave(replica: string): Promise<void> {
    await write(this.#database, { sql: "DELETE FROM heartbeats WHERE replica = ?", bindings: [replica] });
  }

  override async forget(limit: number): Promise<number> {
    const { dialect } = this.#database;
    const old = `seen_at < ${nowMs(dialect)} - ${HEARTBEAT_MEMORY_MS}`;
    const sql =
      dialect === "mysql"
        ? `DELETE FROM heartbeats WHERE ${old} LIMIT ?`
        : `DELETE FROM heartbeats WHERE replica IN (SELECT replica FROM heartbeats WHERE ${old} LIMIT ?)`;
    return (await write(this.#database, { sql, bindings: [limit] })).affected;
  }
}
