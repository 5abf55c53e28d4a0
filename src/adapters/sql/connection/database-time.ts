import type { DbTime } from "../../../domain/transaction/transaction.ts";
import { DatabaseClock } from "../../../domain/values/database-clock.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";
import type { Database } from "./database.ts";
import { rows } from "./execute.ts";
import type { Statement } from "./statement.ts";

/**
 * Reads the database's time, in the column `now_ms`. It names a table with one row, because Vitess' proxy may
 * answer a SELECT of the time without a table itself, by its own clock.
 */
export const readTime = ({ nowMs }: SqlFragments): Statement => ({
  sql: `SELECT ${nowMs} AS now_ms FROM settings_epoch`,
  bindings: [],
});

/**
 * The database's time as this process knows it, without a query for each statement. A claim that inserted all its rows
 * need not read them back to learn their times. The time is never ahead, so a lease never seems longer than it is.
 * Statements themselves always use the database's own clock.
 */
export class DatabaseTime {
  readonly #clock = new DatabaseClock();
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async now(): Promise<DbTime> {
    const at = performance.now();
    if (this.#clock.isKnown(at)) return this.#clock.atLeast(at);
    const [row] = await rows(this.#database, readTime(this.#database.dialect.sql));
    this.observe(Number(row?.now_ms), at);
    return this.#clock.atLeast(performance.now());
  }

  /**
   * Uses a database time that was read for another purpose.
   *
   * @param sentAt - when the statement was sent, by performance.now().
   */
  observe(now: DbTime, sentAt: number): void {
    this.#clock.observe(now, sentAt, performance.now());
  }
}
