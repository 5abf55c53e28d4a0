import test from "ava";
import { SqlUsedTokens } from "../../../src/adapters/sql/access/used-tokens.ts";
import { type Database, openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { SqlSlipStore } from "../../../src/adapters/sql/transactions/slip-store.ts";
import type { PlayerId } from "../../../src/domain/values/identifiers.ts";
import { startCuttingProxy } from "../../../testbed/database/cutting-proxy.ts";
import { PRODUCT } from "../../../testbed/database/products.ts";
import { type DatabaseServer, startDatabaseServer } from "../../../testbed/database/server.ts";
import { slipStoreContract } from "../../contracts/slip-store.ts";
import { usedTokensContract } from "../../contracts/used-tokens.ts";

let server: DatabaseServer;
const open: Database[] = [];
let mariadb: readonly [Database, ...Database[]];

const connect = (url: string): Database => {
  const database = openDatabase(url);
  open.push(database);
  return database;
};

test.before(async () => {
  server = await startDatabaseServer();
  const url = await server.createDatabase();
  mariadb = [connect(url), connect(url), connect(url)];
  await migrate(mariadb[0]);
});
test.after.always(async () => {
  await Promise.all(open.map((database) => database.close()));
  await server?.stop();
});

const sqlite = async (): Promise<readonly [Database, ...Database[]]> => {
  const database = connect("sqlite::memory:");
  await migrate(database);
  return [database];
};

const older = (database: Database, table: string, column: string) => async (ms: number) =>
  void (await database.knex(table).update({ [column]: database.knex.raw("?? - ?", [column, ms]) }));

const each = <T>(
  [first, ...more]: readonly [Database, ...Database[]],
  make: (database: Database) => T,
): readonly [T, ...T[]] => [make(first), ...more.map(make)];

// All tests of a dialect use one database, one after the other. Each test begins with empty tables.
for (const [name, databases] of [
  ["SQLite", sqlite],
  [`${PRODUCT.name}, three replicas`, async () => mariadb],
] as const) {
  const fresh = async (table: string) => {
    const found = await databases();
    await found[0].knex(table).delete();
    return found;
  };
  slipStoreContract(test.serial as typeof test, `slips on ${name}`, async () => {
    const found = await fresh("slips");
    return { stores: each(found, (database) => new SqlSlipStore(database)), age: older(found[0], "slips", "due_at") };
  });
  usedTokensContract(test.serial as typeof test, `used tokens on ${name}`, async () => {
    const found = await fresh("jtis");
    return { stores: each(found, (database) => new SqlUsedTokens(database)), age: older(found[0], "jtis", "used_at") };
  });
}

test.serial(
  `${PRODUCT.name}: after a lost reply to a committed statement the store still recognizes its own slip, lease and token`,
  async (t) => {
    const url = await server.createDatabase();
    const direct = connect(url);
    await migrate(direct);
    const proxy = await startCuttingProxy(url);
    const cut = connect(proxy.through(url));
    t.teardown(() => proxy.close());
    const [slips, tokens] = [new SqlSlipStore(cut), new SqlUsedTokens(cut)];
    const key = { merchantId: 1, slipId: "s1" };
    const bets = ["a", "b"].map((txId) => ({ txId, roundId: "r", amountMinor: 1n }));
    const token = (n: number) => n.toString(16).padStart(32, "0");

    proxy.cut("INSERT INTO slips", 2);
    t.is((await slips.open({ ...key, playerId: "ana" as PlayerId, currency: "BRL", bets }, token(1), 1_000)).is, "new");
    await older(direct, "slips", "due_at")(1_000);
    proxy.cut("UPDATE slips", 1);
    t.is((await slips.take({ ...key, leaseToken: token(1) }, token(2), 60_000))?.leaseToken, token(2));
    proxy.cut("UPDATE slips", 1);
    t.true(await slips.renew(key, token(2), 60_000));
    proxy.cut("UPDATE slips", 1);
    t.true(await slips.decide(key, token(2), { status: "failed", at: 0, why: { kind: "silent" }, refunding: true }, 1));
    proxy.cut("UPDATE slips", 1);
    t.true(await slips.finish(key, token(2)));
    proxy.cut("INSERT INTO jtis", 2);
    t.true(await tokens.use("jti"));
    t.is(proxy.lost, 8);
  },
);
