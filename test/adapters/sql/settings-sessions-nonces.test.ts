import test from "ava";
import { SqlConsoleSessionStore } from "../../../src/adapters/sql/access/console-session-store.ts";
import { SqlHeartbeatStore } from "../../../src/adapters/sql/access/heartbeat-store.ts";
import { SqlNonceStore } from "../../../src/adapters/sql/access/nonce-store.ts";
import { SqlSessionStore } from "../../../src/adapters/sql/access/session-store.ts";
import { type Database, openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { SqlGgrAudits } from "../../../src/adapters/sql/reports/ggr-audits.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { SecretBox } from "../../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../../src/adapters/sql/settings/settings-store.ts";
import type { ProviderCode } from "../../../src/domain/values/identifiers.ts";
import { PRODUCT } from "../../../testbed/database/products.ts";
import { type DatabaseServer, startDatabaseServer } from "../../../testbed/database/server.ts";
import { merchantRecord } from "../../../testbed/directory/records.ts";
import { consoleSessionStoreContract } from "../../contracts/console-session-store.ts";
import { ggrAuditsContract } from "../../contracts/ggr-audits.ts";
import { heartbeatStoreContract } from "../../contracts/heartbeat-store.ts";
import { nonceStoreContract } from "../../contracts/nonce-store.ts";
import { sessionStoreContract } from "../../contracts/session-store.ts";
import { settingsStoreContract } from "../../contracts/settings-store.ts";

let server: DatabaseServer;
const open: Database[] = [];

test.before(async () => {
  server = await startDatabaseServer();
});
test.after.always(async () => {
  await Promise.all(open.map((database) => database.close()));
  await server?.stop();
});

const fresh = async (url: string): Promise<Database> => {
  const database = openDatabase(url);
  open.push(database);
  await migrate(database);
  return database;
};

const older = (database: Database, table: string, columns: readonly string[]) => async (ms: number) =>
  void (await database
    .knex(table)
    .update(Object.fromEntries(columns.map((column) => [column, database.knex.raw("?? - ?", [column, ms])]))));

const KEYS = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

for (const [name, create] of [
  ["SQLite", () => fresh("sqlite::memory:")],
  [PRODUCT.name, async () => fresh(await server.createDatabase())],
] as const) {
  nonceStoreContract(test, `nonces on ${name}`, async () => {
    const database = await create();
    return { store: new SqlNonceStore(database), age: older(database, "nonces", ["used_at"]) };
  });
  sessionStoreContract(test, `sessions on ${name}`, async () => {
    const database = await create();
    return { store: new SqlSessionStore(database), age: older(database, "sessions", ["created_at", "used_at"]) };
  });
  consoleSessionStoreContract(test, `console sessions on ${name}`, async () => {
    const database = await create();
    return {
      store: new SqlConsoleSessionStore(database),
      age: older(database, "console_sessions", ["expires_at", "used_at"]),
    };
  });
  heartbeatStoreContract(test, `heartbeats on ${name}`, async () => {
    const database = await create();
    return { store: new SqlHeartbeatStore(database), age: older(database, "heartbeats", ["seen_at"]) };
  });
  ggrAuditsContract(test, `the claim of the nightly comparison of sums on ${name}`, async () => {
    const database = await create();
    return {
      stores: [new SqlGgrAudits(database), new SqlGgrAudits(database)],
      age: older(database, "claims", ["held_until"]),
    };
  });
  settingsStoreContract(
    test,
    `settings on ${name}`,
    async () => new SqlSettingsStore(await create(), new SecretBox(KEYS)),
  );

  test(`settings on ${name}: secrets are encrypted, each for its own merchant and version, with the first key`, async (t) => {
    const database = await create();
    const store = new SqlSettingsStore(database, new SecretBox(KEYS));
    for (const code of ["a", "b"]) await store.save({ kind: "merchant", merchant: merchantOf(code) });
    const rows: { secret: unknown }[] = await database.knex("merchants").select("secret").orderBy("id");
    t.false(rows.some((row) => String(row.secret).includes("sk_")));

    t.is(await secretsSeenBy(database, [Buffer.alloc(32, 9), Buffer.alloc(32, 1)]), "sk_a,sk_b");
    await t.throwsAsync(secretsSeenBy(database, [Buffer.alloc(32, 2)]), { message: /MASTER_KEY/ });
    await database.knex("merchants").where({ code: "b" }).update({ secret: rows[0]?.secret });
    await t.throwsAsync(secretsSeenBy(database, KEYS), { message: /MASTER_KEY/ }, "another merchant's");
    await database.knex("merchants").where({ code: "b" }).update({ secret: rows[1]?.secret, secret_version: 2 });
    await t.throwsAsync(secretsSeenBy(database, KEYS), { message: /MASTER_KEY/ }, "another version's");
  });

  test(`settings on ${name}: a merchant that the previous release wrote has no jurisdiction after the migration`, async (t) => {
    const database = await create();
    const { knex } = database;
    const store = new SqlSettingsStore(database, new SecretBox(KEYS));
    await store.save({ kind: "merchant", merchant: { ...merchantOf("a"), jurisdiction: "AR-B" } });
    t.is((await store.load(0n)).merchants[0]?.jurisdiction, "AR-B");
    await knex.raw("ALTER TABLE merchants DROP COLUMN jurisdiction");
    await knex("schema_migrations").where("name", "like", "%-jurisdiction").delete();
    t.is((await migrate(database)).length, 1);
    t.is((await store.load(0n)).merchants[0]?.jurisdiction, null);
  });
}

const merchantOf = (code: string) => merchantRecord(code, { secret: `sk_${code}` });

const secretsSeenBy = async (database: Database, keys: readonly Uint8Array[]): Promise<string> =>
  (await new SqlSettingsStore(database, new SecretBox(keys)).load(0n)).merchants
    .map((merchant) => merchant.secret)
    .join();

test(`settings on ${PRODUCT.name}: many games are written with several statements in one transaction`, async (t) => {
  const database = await fresh(await server.createDatabase());
  const store = new SqlSettingsStore(database, new SecretBox(KEYS));
  await store.save({
    kind: "provider",
    provider: { code: "ACME" as ProviderCode, name: "Acme", active: true, sources: [], keys: [] },
  });
  const before = (await store.epoch()).epoch;
  const games = Array.from(
    { length: 450 },
    (_, n) =>
      ({ code: `g${n}`, name: `G ${n}`, type: "slot", demoAvailable: true, active: true, details: {} }) as const,
  );
  await store.save({ kind: "games", provider: "ACME" as ProviderCode, games });
  t.is((await store.epoch()).epoch, before + 1n);
  t.deepEqual((await store.load(before)).games, [{ epoch: before + 1n, count: 450 }]);
});
