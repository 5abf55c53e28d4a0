import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { assertSchema, migrate } from "../../../../src/adapters/sql/schema/migrate.ts";
import { MIGRATIONS } from "../../../../src/adapters/sql/schema/migrations.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";

const server = startDatabaseServer();
test.after.always(async () => (await server).stop());

for (const [name, url] of [
  ["SQLite", async () => "sqlite::memory:"],
  [PRODUCT.name, async () => (await server).createDatabase()],
] as const) {
  test(`${name}: an empty database is reported as older, and then migrated once`, async (t) => {
    const database = openDatabase(await url());
    try {
      await t.throwsAsync(assertSchema(database), {
        message: /older than this program \(missing 001-tables.*npm run migrate/,
      });
      t.deepEqual(
        await migrate(database),
        MIGRATIONS.map((migration) => migration.name),
      );
      await t.notThrowsAsync(assertSchema(database));
      t.deepEqual(await migrate(database), []);
    } finally {
      await database.close();
    }
  });

  test(`${name}: a migration that this program doesn't know makes the schema count as newer`, async (t) => {
    const database = openDatabase(await url());
    try {
      await migrate(database);
      await database.knex("schema_migrations").insert({ name: "999-future", batch: 2 });
      await t.throwsAsync(assertSchema(database), { message: /newer than this program \(999-future\)/ });
      await t.throwsAsync(migrate(database), { message: /newer than this program/ });
    } finally {
      await database.close();
    }
  });

  test(`${name}: a migration that died half-way is completed`, async (t) => {
    const database = openDatabase(await url());
    try {
      await MIGRATIONS[0]?.up(database.knex, database.dialect);
      await migrate(database);
      await t.notThrowsAsync(assertSchema(database));
    } finally {
      await database.close();
    }
  });

  test(`${name}: a new database contains the sportsbook's provider and its game`, async (t) => {
    const database = openDatabase(await url());
    try {
      await migrate(database);
      const games = await database
        .knex("games")
        .join("providers", "providers.id", "games.provider_id")
        .select("providers.code as provider", "games.code");
      t.deepEqual(
        games.map((game) => ({ ...game })),
        [{ provider: "SPORTSBOOK", code: "sportsbook" }],
      );
    } finally {
      await database.close();
    }
  });
}

test("if several replicas migrate an empty database at once, all succeed, and so do later replicas", async (t) => {
  for (let round = 0; round < 3; round++) {
    const url = await (await server).createDatabase();
    const replicas = [openDatabase(url), openDatabase(url), openDatabase(url)];
    try {
      await t.notThrowsAsync(Promise.all(replicas.map(migrate)));
      for (const database of replicas) await t.notThrowsAsync(assertSchema(database));
      t.deepEqual(await Promise.all(replicas.map(migrate)), [[], [], []]);
    } finally {
      for (const database of replicas) await database.close();
    }
  }
});

test("a database that Knex's migrator migrated and left locked is brought up to date", async (t) => {
  const database = openDatabase(await (await server).createDatabase());
  try {
    await migrate(database);
    await database.knex.raw("DROP TABLE schema_migrations");
    await database.knex.raw(
      "CREATE TABLE schema_migrations (id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, name VARCHAR(255), batch INT, migration_time TIMESTAMP)",
    );
    await database.knex.raw(
      "CREATE TABLE schema_migrations_lock (`index` INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, is_locked INT)",
    );
    await database.knex.raw("INSERT INTO schema_migrations_lock (is_locked) VALUES (1)");
    const names = MIGRATIONS.map(({ name }) => name);
    for (const name of names.slice(0, -1))
      await database.knex.raw("INSERT INTO schema_migrations (name, batch, migration_time) VALUES (?, 1, NOW())", [
        name,
      ]);
    t.deepEqual(await migrate(database), names.slice(-1));
    await t.notThrowsAsync(assertSchema(database));
  } finally {
    await database.close();
  }
});

test("the refusal of an unusable DATABASE_URL does not contain the password", (t) => {
  for (const [url, message] of [
    ["postgres://u:secret@h/d", /begins with neither mysql:/],
    ["", /begins with neither mysql:/],
    ["mysql://u:secret@h", /names no database/],
    ["mysql://u:secret@h:99999/d", /wrong port/],
    ["mysql://u:secret@h/d?sslmode=require", /a parameter other than/],
    ["sqlite:", /names no file/],
  ] as const) {
    const error = t.throws(() => openDatabase(url), { message });
    t.notRegex(error?.message ?? "", /secret/);
  }
});
