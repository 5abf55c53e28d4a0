import { hasCode, type Row, type SqlDatabase, type Value } from "./database.ts";

/** The part of a mysql2/promise pool that this storage uses. */
export interface MysqlPool {
  getConnection(): Promise<MysqlConnection>;
}
interface MysqlConnection {
  execute(sql: string, values?: Value[]): Promise<[unknown, unknown]>;
  beginTransaction(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): void;
  destroy(): void;
}

const CONFLICTS = ["ER_DUP_ENTRY", "ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT"];

/** MySQL or MariaDB, with a pool of mysql2/promise (`createPool(url)`). */
export function mysql(pool: MysqlPool): SqlDatabase {
  return {
    dialect: "mysql",
    isConflict: (cause) => hasCode(cause, CONFLICTS),
    async transaction(work) {
      const connection = await pool.getConnection();
      try {
        await connection.beginTransaction();
        const result = await work(async (sql, values = []) => {
          const [rows] = await connection.execute(sql, [...values]);
          return Array.isArray(rows) ? (rows as Row[]) : [];
        });
        await connection.commit();
        connection.release();
        return result;
      } catch (cause) {
        // If the rollback fails, the connection must not return to the pool with an open transaction.
        await connection.rollback().then(
          () => connection.release(),
          () => connection.destroy(),
        );
        throw cause;
      }
    },
  };
}
