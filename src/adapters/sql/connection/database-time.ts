import type { DbTime } from "../../../domain/transaction/transaction.ts";
import { nowMs } from "../schema/columns.ts";
import type { Database } from "./database.ts";
import { rows } from "./statement.ts";

/** The database's clock is asked again when the last look is older than this. */
const FRESH_MS = 5_000;

/**
 * The database's time as this process knows it, without a question per statement: a claim that inserted all its rows need not
 * read them back to tell when that was. Behind by what a look took to arrive, so a lease never looks longer than it is.
 * Statements themselves always use the database's own clock.
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
      const [row] = await rows(this.#database, { sql: `SELECT ${nowMs(this.#database.dialect)} AS now`, bindings: [] });
      this.observe(Number(row?.now));
    }
    return Math.floor(performance.now() + this.#offset);
  }

  /** Told of each database time that is read anyway. Of several, the one that took least to arrive is nearest to the truth. */
  observe(now: DbTime): void {
    const here = performance.now();
    if (now - here < this.#offset && here - this.#knownAt <= FRESH_MS) return;
    this.#knownAt = here;
    this.#offset = now - here;
  }
}
