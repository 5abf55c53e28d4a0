import type { Knex } from "knex";
import type { Database, SqliteConnection } from "./database.ts";
import { MIGRATIONS } from "./migrations/list.ts";
import type { Migration } from "./migrations/migration.ts";

const TABLE = "schema_migrations";

/** Brings the schema up to date; answers the names of the steps that were taken. */
export async function migrate(database: Database): Promise<readonly string[]> {
  const [, done] = await withPlainIntegers(database, () => database.knex.migrate.latest(config(database)) as Promise<[number, string[]]>);
  return done;
}

/** Throws when the schema isn't the one this code was written for: in the words of a message for whoever started it. */
export async function assertSchema(database: Database): Promise<void> {
  const done = (await database.knex.schema.hasTable(TABLE)) ? ((await database.knex(TABLE).orderBy("id").pluck("name")) as string[]) : [];
  const known = MIGRATIONS.map((migration) => migration.name);
  const missing = known.filter((name) => !done.includes(name));
  const extra = done.filter((name) => !known.includes(name));
  if (extra.length > 0) throw new Error(`The database's schema is newer than this program (${extra.join(", ")}): run the newer release.`);
  if (missing.length > 0) throw new Error(`The database's schema is older than this program (missing ${missing.join(", ")}): run "npm run migrate" first.`);
}

const config = (database: Database): Knex.MigratorConfig => ({
  tableName: TABLE,
  migrationSource: {
    getMigrations: async () => [...MIGRATIONS],
    getMigrationName: (migration: Migration) => migration.name,
    getMigration: async (migration: Migration) => ({ up: (db: Knex) => migration.up(db, database.dialect), down: forwardOnly }),
  },
});

const forwardOnly = async (): Promise<void> => {
  throw new Error("migrations only go forward");
};

/** Knex's migrator adds 1 to a batch number, which it can't do to the bigints that SQLite's connection otherwise gives. */
async function withPlainIntegers<T>(database: Database, run: () => Promise<T>): Promise<T> {
  if (database.dialect !== "sqlite") return run();
  const safeIntegers = async (on: boolean): Promise<void> => {
    const raw: SqliteConnection = await database.knex.client.acquireConnection();
    raw.defaultSafeIntegers(on);
    await database.knex.client.releaseConnection(raw);
  };
  await safeIntegers(false);
  try {
    return await run();
  } finally {
    await safeIntegers(true);
  }
}
