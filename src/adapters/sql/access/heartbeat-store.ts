import { HEARTBEAT_MEMORY_MS, HeartbeatStore } from "../../../ports/heartbeat-store.ts";
import type { Database } from "../connection/database.ts";
import { deleteRows, rows, write } from "../connection/execute.ts";
import { MIGRATIONS } from "../schema/migrations.ts";

/** The table has one row for each replica. The row has the last schema step that the replica knows. */
export class SqlHeartbeatStore extends HeartbeatStore {
  readonly #database: Database;

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async beat(replica: string, withinMs: number): Promise<number> {
    const { nowMs, updateExisting } = this.#database.dialect.sql;
    await write(this.#database, {
      sql: `INSERT INTO heartbeats (replica, seen_at, schema_step) VALUES (?, ${nowMs}, ?) ${updateExisting("replica")} seen_at = ${nowMs}`,
      bindings: [replica, MIGRATIONS.length],
    });
    const sql = `SELECT COUNT(*) AS live FROM heartbeats WHERE seen_at > ${nowMs} - ?`;
    const [found] = await rows(this.#database, { sql, bindings: [withinMs] });
    return Number(found?.live);
  }

  override async leave(replica: string): Promise<void> {
    await write(this.#database, { sql: "DELETE FROM heartbeats WHERE replica = ?", bindings: [replica] });
  }

  override forget(limit: number): Promise<number> {
    return deleteRows(this.#database, "heartbeats", (now) => `seen_at < ${now} - ${HEARTBEAT_MEMORY_MS}`, limit);
  }
}
