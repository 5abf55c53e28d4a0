import { hasCode, type Row, type SqlDatabase, type Value } from "./database.ts";

/** The part of a pg pool that this storage uses. */
export interface PgPool {
  connect(): Promise<PgClient>;
}
interface PgClient {
  query(sql: string, values?: Value[]): Promise<{ readonly rows: readonly unknown[] }>;
  /** `true` closes the connection instead of returning it to the pool. */
  release(destroy?: boolean): void;
}

const UNIQUE_VIOLATION = "23505";
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";

/** PostgreSQL, with a pool of pg (`new Pool({ connectionString })`). */
export function postgresql(pool: PgPool): SqlDatabase {
  return {
    dialect: "postgresql",
    isConflict: (cause) => hasCode(cause, [UNIQUE_VIOLATION, SERIALIZATION_FAILURE, DEADLOCK_DETECTED]),
    async transaction(work) {
      const client = await pool.connect();
      try {
        // A stricter default level would fail instead of waiting for the player's lock.
        await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
        const result = await work(async (sql, values = []) => {
          let count = 0;
          const numbered = sql.replace(/\?/g, () => `$${++count}`);
          return (await client.query(numbered, [...values])).rows as Row[];
        });
        await client.query("COMMIT");
        client.release();
        return result;
      } catch (cause) {
        await client.query("ROLLBACK").then(
          () => client.release(),
          () => client.release(true),
        );
        throw cause;
      }
    },
  };
}
