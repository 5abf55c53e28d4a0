import type { Database } from "../../../../src/adapters/sql/connection/database.ts";
import { inTransaction } from "../../../../src/adapters/sql/connection/database-transaction.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { decisiveRows } from "../../../../src/adapters/sql/connection/execute.ts";
import { type Failure, failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import { within } from "../../../../testbed/cluster/cluster.ts";
import { sleep } from "../stores.ts";

/** The table of the writers, and a text that makes each row as long as some rows of the service. */
export const TABLE = "CREATE TABLE written (id INT NOT NULL PRIMARY KEY, a LONGTEXT)";
const TEXT = "x".repeat(20_000);
const WRITERS = 4;
/** Between two writes, so that a long healing does not fill the disks. */
const PAUSE_MS = 40;
const PROGRESS_WITHIN_MS = 60_000;

export type Outcome = Failure | "none";

/** What is told about a write: the class of its error; `none`: it succeeded. */
export const outcomeOf = ({ dialect }: Database, write: Promise<unknown>): Promise<Outcome> =>
  write.then(
    () => "none" as const,
    (error) => failureOf(dialect, error),
  );

/** Writes one row, by a statement that commits by itself. */
export const insert = ({ knex, dialect }: Database, id: number, text = TEXT): Promise<unknown> =>
  byDriver(knex, dialect, { sql: "INSERT INTO written VALUES (?, ?)", bindings: [id, text] });

/** Writes two rows in a transaction. */
export const insertTwo = (database: Database, ids: readonly number[]): Promise<unknown> =>
  inTransaction(database, async (db) => {
    for (const id of ids) await db("written").insert({ id, a: TEXT });
  });

let last = 0;
/** Ids that no other write of this process has. */
export const freshIds = (): readonly [number, number] => [++last, ++last];

/** The ids that are in the table now. */
export async function writtenIds(database: Database): Promise<ReadonlySet<number>> {
  const found = await decisiveRows(database, { sql: "SELECT id FROM written", bindings: [] });
  return new Set(found.map(({ id }) => Number(id)));
}

interface Written {
  readonly ids: readonly number[];
  readonly outcome: Outcome;
}

/** Writes all the time, half of it in transactions. No write is repeated, so each has one outcome. */
export class Writers {
  readonly #written: Written[] = [];
  readonly #running: Promise<unknown>;
  #isWanted = true;

  constructor(database: Database) {
    this.#running = Promise.all(Array.from({ length: WRITERS }, (_, i) => this.#write(database, i % 2 === 0)));
  }

  get failures(): number {
    return this.#written.filter(({ outcome }) => outcome !== "none").length;
  }

  /** Resolves when `count` more writes have succeeded. */
  async succeed(count: number): Promise<void> {
    const wanted = this.#acknowledged + count;
    await within(PROGRESS_WITHIN_MS, "no write succeeds", async () => this.#acknowledged >= wanted);
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#running;
  }

  /** How many writes had each outcome. */
  get summary(): string {
    const counts = Map.groupBy(this.#written, ({ outcome }) => outcome);
    return [...counts].map(([outcome, all]) => `${all.length} ${outcome}`).join(", ");
  }

  /** The outcomes that the rows contradict. */
  contradictions(found: ReadonlySet<number>): readonly string[] {
    return this.#written.flatMap(({ ids, outcome }) => {
      const there = ids.filter((id) => found.has(id)).length;
      const told = `${ids.join(" and ")}, told as ${outcome}: ${there} of ${ids.length} rows`;
      const isPossible =
        outcome === "none"
          ? there === ids.length
          : outcome === "lost"
            ? there === 0 || there === ids.length
            : (outcome === "unavailable" || outcome === "conflict") && there === 0;
      return isPossible ? [] : [told];
    });
  }

  get #acknowledged(): number {
    return this.#written.filter(({ outcome }) => outcome === "none").length;
  }

  async #write(database: Database, inOne: boolean): Promise<void> {
    while (this.#isWanted) {
      const [first, second] = freshIds();
      const ids = inOne ? [first] : [first, second];
      const outcome = await outcomeOf(database, inOne ? insert(database, first) : insertTwo(database, ids));
      this.#written.push({ ids, outcome });
      await sleep(PAUSE_MS);
    }
  }
}
