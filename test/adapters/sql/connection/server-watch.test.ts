import test, { type ExecutionContext } from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { ServerWatch, serverFault } from "../../../../src/adapters/sql/connection/server-watch.ts";
import type { Read, ServerFault } from "../../../../src/adapters/sql/dialects/dialect.ts";
import { faultsOf } from "../../../../src/adapters/sql/dialects/mysql/server.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";

const FLUSH = "innodb_flush_log_at_trx_commit";

/** A server of its own, because these tests change its global settings. */
async function started(t: ExecutionContext, options: readonly string[]): Promise<{ database: Database; url: string }> {
  const server = await startDatabaseServer(options);
  const url = await server.createDatabase();
  const database = openDatabase(url);
  t.teardown(async () => {
    await database.close();
    await server.stop();
  });
  return { database, url };
}

async function settings({ knex }: Database): Promise<Record<string, number>> {
  const [[row]] = await knex.raw(`SELECT @@GLOBAL.${FLUSH} AS ${FLUSH}, @@GLOBAL.sync_binlog AS sync_binlog`);
  return { [FLUSH]: Number(row[FLUSH]), sync_binlog: Number(row.sync_binlog) };
}

test("if a server doesn't flush its log at each commit, the service changes this setting; without a binary log sync_binlog does not change", async (t) => {
  const { database } = await started(t, [`--${FLUSH}=2`, "--sync-binlog=0"]);
  t.is(await serverFault(database), undefined);
  t.deepEqual(await settings(database), { [FLUSH]: 1, sync_binlog: 0 });
});

test("if a server doesn't flush its binary log at each commit, the service changes this setting", async (t) => {
  for (const syncBinlog of [0, 100]) {
    const { database } = await started(t, ["--log-bin", `--sync-binlog=${syncBinlog}`]);
    t.deepEqual(await settings(database), { [FLUSH]: 1, sync_binlog: syncBinlog });
    t.is(await serverFault(database), undefined);
    t.deepEqual(await settings(database), { [FLUSH]: 1, sync_binlog: 1 });
  }
});

test("a warning names each setting that this database user may not change", async (t) => {
  const { database, url } = await started(t, ["--log-bin", "--sync-binlog=0", `--${FLUSH}=2`]);
  await database.knex.raw("CREATE USER plain@localhost");
  await database.knex.raw("GRANT SELECT ON test_1.* TO plain@localhost");
  const plain = openDatabase(url.replace("root@", "plain@"));
  t.teardown(() => plain.close());
  t.regex(
    (await serverFault(plain)) ?? "",
    /^innodb_flush_log_at_trx_commit is 2 and can't be set to 1 \(.*\); sync_binlog is 0 and can't be set to 1 \(.*\): a power cut at the database can lose acknowledged transactions$/,
  );
  t.deepEqual(await settings(database), { [FLUSH]: 2, sync_binlog: 0 });
  await database.knex.raw(`SET GLOBAL ${FLUSH} = 1`);
  t.regex((await serverFault(plain)) ?? "", /^sync_binlog is 0 /);
  await database.knex.raw("SET GLOBAL sync_binlog = 1");
  t.is(await serverFault(plain), undefined);
});

test("a warning names a setting that a server does not hold, although it answered OK", async (t) => {
  const { database } = await started(t, [`--${FLUSH}=2`]);
  const deaf = async (read: Read) =>
    (await database.dialect.serverFaults(read)).map((one) => ({ ...one, set: { sql: "DO 0", bindings: [] } }));
  t.is(
    await serverFault({ ...database, dialect: { ...database.dialect, serverFaults: deaf } }),
    `${FLUSH} is still 2 after it was set to 1: a power cut at the database can lose acknowledged transactions`,
  );
});

test("a server that flushes nothing to its disk is found, and only its configuration can change that", async (t) => {
  const { database } = await started(t, ["--innodb-flush-method=nosync"]);
  t.is(
    await serverFault(database),
    "innodb_flush_method is nosync, but it must be a method that flushes, such as fsync or O_DIRECT: a power cut at the database can lose acknowledged transactions",
  );
});

test("a setting that the server does not show counts as wrong", (t) => {
  const missing = faultsOf(new Map()).map(({ name, found }) => `${name} ${found}`);
  t.deepEqual(missing, [`${FLUSH} unknown`, "innodb_flush_method unknown"]);
});

const DURABLE = [
  [FLUSH, "1"],
  ["innodb_flush_method", "fsync"],
] as const;
const namesOf = (facts: readonly (readonly [string, string])[]): string[] =>
  faultsOf(new Map([...DURABLE, ...facts])).map(({ name }) => name);

test("Galera and a group must not answer without their majority; on one server these settings do not matter", (t) => {
  const risky = [["wsrep_provider_options", "pc.ignore_quorum = false; pc.ignore_sb = true; x = 1"]] as const;
  t.deepEqual(namesOf([["wsrep_on", "ON"], ...risky]), ["wsrep_provider_options"]);
  t.deepEqual(namesOf([["wsrep_on", "OFF"], ...risky]), []);
  const group = [
    ["group_replication_exit_state_action", "READ_ONLY"],
    ["group_replication_autorejoin_tries", "3"],
    ["group_replication_unreachable_majority_timeout", "0"],
    ["group_replication_consistency", "EVENTUAL"],
  ] as const;
  t.deepEqual(
    namesOf([["group_replication_group_name", "a"], ...group]),
    group.map(([name]) => name),
  );
  t.deepEqual(namesOf([["group_replication_group_name", ""], ...group]), []);
});

test("on Vitess the primary must wait for another tablet, and must not give up after some seconds", (t) => {
  const semiSync = [
    ["rpl_semi_sync_source_enabled", "ON"],
    ["rpl_semi_sync_source_status", "ON"],
    ["rpl_semi_sync_source_wait_point", "AFTER_SYNC"],
    ["rpl_semi_sync_source_wait_no_replica", "ON"],
    ["rpl_semi_sync_source_timeout", "1000000000000000000"],
  ] as const;
  const proxy = [
    ["proxy", "8.4.6-Vitess"],
    ["--enable-consolidator of vttablet", "false"],
  ] as const;
  t.deepEqual(namesOf([...proxy, ...semiSync]), []);
  t.is(namesOf(proxy).length, semiSync.length);
  t.deepEqual(namesOf([...proxy, ...semiSync, ["rpl_semi_sync_source_timeout", "10000"]]), [
    "rpl_semi_sync_source_timeout",
  ]);
  t.deepEqual(namesOf([...proxy, ["super_read_only", "ON"]]), [], "an earlier primary");
});

test("each new fault is logged once, and its alert is raised each minute while it goes on", async (t) => {
  const { database } = await started(t, []);
  let found: readonly ServerFault[] = [];
  const told: string[] = [];
  const clock = { at: 0, monotonic: () => clock.at };
  const watch = new ServerWatch(
    { ...database, dialect: { ...database.dialect, serverFaults: async () => found } },
    {
      alert: (name, { why }) => void told.push(`${name}: ${why}`),
      error: (_, cause) => void told.push(String(cause)),
    },
    clock,
  );
  await watch.check();
  t.deepEqual([told, watch.hasFault], [[], false]);
  found = [{ name: "a", found: "1", wanted: "2", risk: "loss" }];
  const text = "a is 1, but it must be 2: loss";
  for (const at of [10_000, 20_000, 69_999]) {
    clock.at = at;
    await watch.check();
  }
  t.deepEqual([told.splice(0), watch.hasFault], [[`Error: ${text}`, `database_unsafe: ${text}`], true]);
  clock.at = 70_000;
  await watch.check();
  t.deepEqual(told.splice(0), [`database_unsafe: ${text}`]);
  found = [];
  await watch.check();
  t.deepEqual([told, watch.hasFault], [[], false]);
  await t.throwsAsync(
    () =>
      serverFault({
        ...database,
        dialect: { ...database.dialect, serverFaults: () => Promise.reject(new StoreUnavailable("gone")) },
      }),
    { instanceOf: StoreUnavailable },
  );
  const denied = { ...database.dialect, serverFaults: () => Promise.reject(new Error("access denied")) };
  t.regex((await serverFault({ ...database, dialect: denied })) ?? "", /cannot be read \(access denied\)/);
});
