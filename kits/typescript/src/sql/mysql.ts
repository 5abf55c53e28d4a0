import { hasCode, type Row, type SqlDatabase, type Value } from "./database.ts";

/** The part of a mysql2/promise pool that this storage uses. */
export interface MysqlPool {
  getConnection(): Promise<MysqlConnection>;
}
interface MysqlConnection {
  query(sql: string): Promise<unknown>;
  execute(sql: string, values?: Value[]): Promise<[unknown, unknown]>;
  beginTransaction(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): void;
  destroy(): void;
}

/** ER_CHECKREAD: a row has changed since the transaction's snapshot. */
const CONFLICTS = ["ER_DUP_ENTRY", "ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT", "ER_CHECKREAD"];

/** MySQL or MariaDB, with a pool of mysql2/promise (`createPool(url)`). */
export function mysql(pool: MysqlPool): SqlDatabase {
  return {
    dialect: "mysql",
    isConflict: (cause) => hasCode(cause, CONFLICTS),
    async transaction(work) {
      const connection = await pool.getConnection();
      try {
        // MySQL's default level could read data that is older than the player's lock. Only this transaction changes.
        await connection.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
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
