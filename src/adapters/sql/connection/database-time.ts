import type { DbTime } from "../../../domain/transaction/transaction.ts";
import { DatabaseClock } from "../../../domain/values/database-clock.ts";
import type { Database } from "./database.ts";
import { rows } from "./execute.ts";

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
    const [row] = await rows(this.#database, {
      sql: `SELECT ${this.#database.dialect.sql.nowMs} AS now_ms`,
      bindings: [],
    });
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
