import type { Database } from "../connection/database.ts";
import type { Migration } from "./migration.ts";
import { MIGRATIONS } from "./migrations.ts";
import { createTable, id, int, type Table, text } from "./table.ts";

/**
 * The migrations that have been applied. The column `batch` remains from Knex's migrator, which wrote this table in an
 * early release.
 */
const APPLIED: Table = { name: "schema_migrations", columns: { id: id(), name: text(255), batch: int() } };

const TRIES_MAX = 5;
const PAUSE_MS = 500;

/**
 * Brings the schema up to date. Any number of processes may do this at once, on one node of a cluster or on several,
 * because a migration does no harm if it runs again. So there is no lock that a dead process could leave behind.
 *
 * @returns the names of the migrations that were applied.
 * @throws Error if a newer release has migrated the database, or the service must not use this database.
 */
export async function migrate(database: Database): Promise<readonly string[]> {
  await assertUsable(database);
  await persevering(() => createTable(database.knex, database.dialect, APPLIED));
  const missing = missingFrom(await appliedTo(database));
  for (const step of missing) await persevering(() => apply(database, step));
  return missing.map(({ name }) => name);
}

async function apply({ knex, dialect }: Database, step: Migration): Promise<void> {
  await step.up(knex, dialect);
  await knex(APPLIED.name).insert({ name: step.name, batch: 1 });
}

/**
 * Tries again after an error: another process may be applying the same migration. At the next try its changes are
 * there.
 */
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

/**
 * @throws Error if the schema isn't the one for which this code was written. Its message tells the operator what to do.
 */
export async function assertSchema(database: Database): Promise<void> {
  await assertUsable(database);
  const missing = missingFrom((await database.knex.schema.hasTable(APPLIED.name)) ? await appliedTo(database) : []).map(
    ({ name }) => name,
  );
  if (missing.length > 0)
    throw new Error(
      `The database's schema is older than this program (missing ${missing.join(", ")}): run "npm run migrate" first.`,
    );
}

async function assertUsable({ knex, dialect }: Database): Promise<void> {
  const refusal = await dialect.refusal(knex);
  if (refusal !== undefined) throw new Error(`The database cannot be used: ${refusal}.`);
}

/**
 * The migrations that are still to be applied.
 *
 * @throws Error if a migration was applied that this code doesn't know.
 */
function missingFrom(done: readonly string[]): readonly Migration[] {
  const extra = done.filter((name) => !MIGRATIONS.some((step) => step.name === name));
  if (extra.length > 0)
    throw new Error(`The database's schema is newer than this program (${extra.join(", ")}): run the newer release.`);
  return MIGRATIONS.filter(({ name }) => !done.includes(name));
}

const appliedTo = ({ knex }: Database): Promise<string[]> => knex(APPLIED.name).orderBy("id").pluck("name");
