import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { SqlHeartbeatStore } from "../../../../src/adapters/sql/access/heartbeat-store.ts";
import { SqlSessionStore } from "../../../../src/adapters/sql/access/session-store.ts";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../../../src/adapters/sql/schema/migrate.ts";
import { MIGRATIONS } from "../../../../src/adapters/sql/schema/migrations.ts";
import type { PlayerId, ProviderCode } from "../../../../src/domain/values/identifiers.ts";
import type { NewSession } from "../../../../src/ports/session-store.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";

const server = startDatabaseServer();
test.after.always(async () => (await server).stop());

const idOf = (n: number): string => (n * 7_919).toString(16).padStart(32, "a5c3");
const sessionOf = (n: number): NewSession => ({
  id: idOf(n),
  merchantId: 1,
  playerId: `p-${n}` as PlayerId,
  playerRef: `ref-${n}`,
  provider: "ACME" as ProviderCode,
  game: "fruits",
  demo: false,
  language: "pt",
  country: "BR",
});

/** Stores a session in the form of the previous release. */
const olderSession = ({ knex }: Database, n: number) => {
  const { id, merchantId, playerId, playerRef, provider, game, language, country } = sessionOf(n);
  const columns = {
    merchant_id: merchantId,
    player_id: playerId,
    player_ref: playerRef,
    provider,
    game,
    demo: 0,
    language,
    country,
  };
  return knex("sessions").insert({
    ...columns,
    id: Buffer.from(id, "hex"),
    created_at: Date.now(),
    used_at: Date.now(),
  });
};

/** Whether the previous release finds a session. */
const olderFinds = async ({ knex }: Database, n: number) =>
  (await knex("sessions")
    .where({ id: Buffer.from(idOf(n), "hex") })
    .first("id")) !== undefined;

const storedIds = async ({ knex }: Database): Promise<string[]> =>
  (await knex("sessions").pluck("id")).map((id: Buffer) => id.toString("hex"));

const sweep = async (store: SqlSessionStore, limit: number): Promise<number> => {
  let seen = 0;
  for (let now = limit; now === limit; seen += now) now = await store.forget(limit);
  return seen;
};

for (const [name, url] of [
  ["SQLite", async () => "sqlite::memory:"],
  [PRODUCT.name, async () => (await server).createDatabase()],
] as const) {
  const fresh = async (t: { teardown(run: () => unknown): void }) => {
    const database = openDatabase(await url());
    t.teardown(() => database.close());
    await migrate(database);
    return database;
  };

  test(`${name}: a session's id is not stored, and the stored hash is not accepted as an id`, async (t) => {
    const database = await fresh(t);
    const store = new SqlSessionStore(database);
    t.is((await store.create(sessionOf(1))).id, idOf(1));
    const [stored = ""] = await storedIds(database);
    t.not(stored, idOf(1));
    t.is(stored.length, 32);
    t.is(await store.read(stored), undefined, "a reader of the database gets no session");
    await store.end(stored);
    t.is((await store.read(idOf(1)))?.endedAt, null);
    t.is(await new SqlSessionStore(database).forget(10), 1);
    t.deepEqual(await storedIds(database), [stored]);
  });

  test(`${name}: sessions of the previous release stay valid, and their ids are replaced after its last replica has stopped`, async (t) => {
    const database = openDatabase(await url());
    t.teardown(() => database.close());
    for (const step of MIGRATIONS.slice(0, 4)) await step.up(database.knex, database.dialect);
    for (let n = 0; n < 25; n++) await olderSession(database, n);
    await database.knex("heartbeats").insert({ replica: "older", seen_at: Date.now() });
    await migrate(database);
    // A busy machine may need longer than a minute for the migration.
    await database.knex("heartbeats").where({ replica: "older" }).update({ seen_at: Date.now() });

    const store = new SqlSessionStore(database);
    await new SqlHeartbeatStore(database).beat("newer", 15_000);
    t.is((await store.read(idOf(3)))?.playerRef, "ref-3");
    await store.create(sessionOf(25));
    t.true(await olderFinds(database, 25), "the older replica finds a session that is launched here");
    t.is(await store.forget(10), 0);
    t.true(await olderFinds(database, 3));

    await new SqlHeartbeatStore(database).leave("older");
    await store.create(sessionOf(26));
    t.false(await olderFinds(database, 26));
    await store.end(idOf(4));
    const others = [new SqlSessionStore(database), new SqlSessionStore(database)];
    const seen = await Promise.all(others.map((other) => sweep(other, 7)));
    t.true(seen.every((count) => count <= 2 * 27));
    const ids = new Set(await storedIds(database));
    t.is(ids.size, 27);
    for (let n = 0; n < 27; n++) {
      t.false(ids.has(idOf(n)), "no id is left");
      t.like(await store.read(idOf(n)), { id: idOf(n), playerRef: `ref-${n}`, ...(n !== 4 && { endedAt: null }) });
    }
    t.true(((await store.read(idOf(4)))?.endedAt ?? 0) > 0);
    await store.end(idOf(5));
    t.true(((await store.read(idOf(5)))?.endedAt ?? 0) > 0);
    t.is(await new SqlSessionStore(database).forget(7), 0, "it is stored that no id is left");
  });

  test(`${name}: a replica of the previous release counts as stopped after a minute without a heartbeat`, async (t) => {
    const database = await fresh(t);
    await olderSession(database, 1);
    await database.knex("heartbeats").insert({ replica: "older", seen_at: Date.now() - 70_000 });
    const store = new SqlSessionStore(database);
    await store.create(sessionOf(2));
    t.false(await olderFinds(database, 2));
    t.is(await store.forget(10), 0, "not yet: another replica may just have stored a session by its id");
    await database.knex("heartbeats").update({ seen_at: Date.now() - 100_000 });
    t.is(await store.forget(10), 2);
    t.false(await olderFinds(database, 1));
    t.is((await store.read(idOf(1)))?.playerRef, "ref-1");
  });
}

test("only the owner may read SQLite's files, even if an earlier release created them", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "storage-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "aggregator.db");
  const files = [file, `${file}-wal`, `${file}-shm`];
  const modes = () => files.filter((one) => existsSync(one)).map((one) => (statSync(one).mode & 0o777).toString(8));
  const umask = process.umask(0);
  t.teardown(() => process.umask(umask));
  const first = openDatabase(`sqlite:${file}`);
  await migrate(first);
  t.deepEqual(modes(), ["600", "600", "600"]);
  for (const one of files) chmodSync(one, 0o644);
  const second = openDatabase(`sqlite:${file}`);
  await second.knex.raw("SELECT 1");
  t.deepEqual(modes(), ["600", "600", "600"]);
  await first.close();
  await second.close();
});
