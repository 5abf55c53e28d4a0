import test, { type ExecutionContext } from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { ensureDurable } from "../../../../src/adapters/sql/connection/durability.ts";
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
  t.is(await ensureDurable(database), undefined);
  t.deepEqual(await settings(database), { [FLUSH]: 1, sync_binlog: 0 });
});

test("if a server doesn't flush its binary log at each commit, the service changes this setting", async (t) => {
  for (const syncBinlog of [0, 100]) {
    const { database } = await started(t, ["--log-bin", `--sync-binlog=${syncBinlog}`]);
    t.deepEqual(await settings(database), { [FLUSH]: 1, sync_binlog: syncBinlog });
    t.is(await ensureDurable(database), undefined);
    t.deepEqual(await settings(database), { [FLUSH]: 1, sync_binlog: 1 });
  }
});

test("a warning names each setting that this database user may not change", async (t) => {
  const { database, url } = await started(t, ["--log-bin", "--sync-binlog=0", `--${FLUSH}=2`]);
  await database.knex.raw("CREATE USER plain@localhost");
  await database.knex.raw("GRANT SELECT ON *.* TO plain@localhost");
  const plain = openDatabase(url.replace("root@", "plain@"));
  t.teardown(() => plain.close());
  t.regex(
    (await ensureDurable(plain)) ?? "",
    /^innodb_flush_log_at_trx_commit is 2 and can't be set to 1 \(.*\); sync_binlog is 0 and can't be set to 1 \(.*\): a power cut at the database can lose acknowledged transactions$/,
  );
  t.deepEqual(await settings(database), { [FLUSH]: 2, sync_binlog: 0 });
  await database.knex.raw(`SET GLOBAL ${FLUSH} = 1`);
  t.regex((await ensureDurable(plain)) ?? "", /^sync_binlog is 0 /);
  await database.knex.raw("SET GLOBAL sync_binlog = 1");
  t.is(await ensureDurable(plain), undefined);
});

test("a warning names a setting that a server does not hold, although it answered OK", async (t) => {
  const { database } = await started(t, [`--${FLUSH}=2`]);
  const durability = database.dialect.durability.map((one) => ({ ...one, set: { sql: "DO 0", bindings: [] } }));
  t.is(
    await ensureDurable({ ...database, dialect: { ...database.dialect, durability } }),
    `${FLUSH} is still 2 after it was set to 1: a power cut at the database can lose acknowledged transactions`,
  );
});
