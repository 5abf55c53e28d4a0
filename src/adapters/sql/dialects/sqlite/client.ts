import { createRequire } from "node:module";
import type { Knex } from "knex";
import { SqliteThread, type ThreadOptions } from "./thread.ts";

/** The part of Knex's own client for better-sqlite3 that is used here. Knex has no types for it. */
interface KnexClient {
  readonly connectionSettings: ThreadOptions;
  _formatBindings(bindings: readonly unknown[] | undefined): readonly unknown[];
}

/** A query as Knex passes it to its client, which adds the response. */
interface Query {
  readonly sql: string;
  readonly bindings?: readonly unknown[];
  response?: unknown;
  context?: unknown;
}

const Base: new (config: Knex.Config) => KnexClient = createRequire(import.meta.url)(
  "knex/lib/dialects/better-sqlite3",
);

/** Knex's client for SQLite, with connections that have threads of their own. */
export class ThreadedClient extends Base {
  async acquireRawConnection(): Promise<SqliteThread> {
    return new SqliteThread(this.connectionSettings);
  }

  destroyRawConnection(connection: SqliteThread): Promise<void> {
    return connection.close();
  }

  validateConnection(connection: SqliteThread): boolean {
    return !connection.hasEnded;
  }

  async _query(connection: SqliteThread, query: Query): Promise<Query> {
    const result = await connection.run(query.sql, this._formatBindings(query.bindings));
    if ("rows" in result) return Object.assign(query, { response: result.rows });
    const { changes, lastInsertRowid } = result;
    return Object.assign(query, { response: result, context: { lastID: lastInsertRowid, changes } });
  }
}
