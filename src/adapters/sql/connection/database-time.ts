import type { DbTime } from "../../../domain/transaction/transaction.ts";
import type { Database } from "./database.ts";
import { rows } from "./execute.ts";

/** The database's clock is read again when the last reading is older than this. */
const FRESH_MS = 5_000;

/**
 * The database's time as this process knows it, without a question per statement. A claim that inserted all its rows
 * need not read them back to learn their times. It is behind by the time that the last answer took to arrive, so a
 * lease never seems longer than it is. Statements themselves always use the database's own clock.
 */
export class DatabaseTime {
  #offset = 0;
  #knownAt = Number.NEGATIVE_INFINITY;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async now(): Promise<DbTime> {
    if (performance.now() - this.#knownAt > FRESH_MS) {
      const [row] = await rows(this.#database, {
        sql: `SELECT ${this.#database.dialect.sql.nowMs} AS now`,
        bindings: [],
      });
      this.observe(Number(row?.now));
    }
    return Math.floor(performance.now() + this.#offset);
  }

  /**
   * Takes a database time that was read for another purpose. Of several times, the one that arrived fastest is nearest
   * to the truth.
   */
  observe(now: DbTime): void {
    const here = performance.now();
    if (now - here < this.#offset && here - this.#knownAt <= FRESH_MS) return;
    this.#knownAt = here;
    this.#offset = now - here;
  }
}
