import type { Database } from "../connection/database.ts";
import { MIGRATIONS } from "./migrations/list.ts";
import type { Migration } from "./migrations/migration.ts";
import { createTable, id, int, type Table, text } from "./table.ts";

/** The steps that were taken. `batch` is from a time when Knex's migrator kept this table. */
const TAKEN: Table = { name: "schema_migrations", columns: { id: id(), name: text(255), batch: int() } };

const TRIES_MAX = 5;
const PAUSE_MS = 500;

/**
 * Brings the schema up to date; answers the names of the steps that were taken. Any number of processes may do so at once, on one node of a
 * cluster or on several: each step is harmless when it is taken again, so nothing is locked, and nothing stays locked by who died.
 *
 * @throws Error when a newer release was here.
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  await persevering(() => createTable(database.knex, database.dialect, TAKEN));
  const missing = missingFrom(await taken(database));
  for (const step of missing) await persevering(() => take(database, step));
  return missing.map(({ name }) => name);
}

async function take({ knex, dialect }: Database, step: Migration): Promise<void> {
  await step.up(knex, dialect);
  await knex(TAKEN.name).insert({ name: step.name, batch: 1 });
}

/** Who takes the same step at the same moment gets in the way; what it did is there at the next try. */
async function persevering(run: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (cause) {
      if (tries === TRIES_MAX) throw cause;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * Math.random()));
    }
  }
}

/** Throws when the schema isn't the one this code was written for: in the words of a message for whoever started it. */
export async function assertSchema(database: Database): Promise<void> {
  const missing = missingFrom((await database.knex.schema.hasTable(TAKEN.name)) ? await taken(database) : []).map(({ name }) => name);
  if (missing.length > 0) throw new Error(`The database's schema is older than this program (missing ${missing.join(", ")}): run "npm run migrate" first.`);
}

/** The steps still to be taken. Throws when some were taken that this code doesn't know. */
function missingFrom(done: readonly string[]): readonly Migration[] {
  const extra = done.filter((name) => !MIGRATIONS.some((step) => step.name === name));
  if (extra.length > 0) throw new Error(`The database's schema is newer than this program (${extra.join(", ")}): run the newer release.`);
  return MIGRATIONS.filter(({ name }) => !done.includes(name));
}

const taken = ({ knex }: Database): Promise<string[]> => knex(TAKEN.name).orderBy("id").pluck("name");
