/** The cost of the search for due credits, with many merchants that have rows but no due credit. */
import test, { type ExecutionContext } from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { mysqlTransactionStatements } from "../../../../src/adapters/sql/dialects/mysql/transaction-statements.ts";
import { sqliteTransactionStatements } from "../../../../src/adapters/sql/dialects/sqlite/transaction-statements.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { ResendWorker } from "../../../../src/app/transaction/resend-worker.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { type StoredRow, storedRow, storeRows } from "../../../../testbed/database/stored-rows.ts";
import { startEngine } from "../../../../testbed/in-process/engine.ts";
import { RecordedTelemetry } from "../../../../testbed/in-process/recorded-telemetry.ts";
import { type Replicas, serverReplicas, sleep, sqlite } from "../stores.ts";

/** Merchants with rows. One of them has nearly all rows. */
const MERCHANTS = 500;
const LARGEST = 77;
const ROWS_OF_LARGEST = 20_000;

/** Settled rows and pending bets, which are never resent. No row is due. */
async function filled({ databases: [database], game }: Replicas): Promise<Database> {
  const row = (merchantId: number, i: number): StoredRow =>
    storedRow({
      merchantId,
      txId: `ACME:${i}`,
      providerId: game.providerId,
      gameId: game.id,
      status: i % 4 === 0 ? "pending" : "success",
    });
  const each = Array.from({ length: MERCHANTS }, (_, i) => [0, 1, 2].map((n) => row(i + 1, n))).flat();
  await storeRows(database, [...each, ...Array.from({ length: ROWS_OF_LARGEST }, (_, i) => row(LARGEST, i + 3))]);
  if (database.dialect.name === "mysql") await database.knex.raw("ANALYZE TABLE tx");
  return database;
}

const [onMariaDb, onSqlite] = [serverReplicas(), sqlite()];
const filledMariaDb = onMariaDb.then(filled);
const filledSqlite = onSqlite.then(filled);

/** The sum of the status counters of this database's one connection. */
async function counted(database: Database, like: string): Promise<number> {
  const { rows } = await byDriver(database.knex, database.dialect, {
    sql: `SHOW SESSION STATUS LIKE '${like}'`,
    bindings: [],
  });
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}

async function singleConnection(t: ExecutionContext): Promise<Database> {
  await filledMariaDb;
  const database = openDatabase((await onMariaDb).url, { max: 1, decisiveMax: 1 });
  t.teardown(() => database.close());
  return database;
}

test.serial(
  `${PRODUCT.name}: the merchants with due rows are found by a loose index scan, which reads a few index entries per merchant and no row`,
  async (t) => {
    const database = await singleConnection(t);
    const { merchantsDue } = mysqlTransactionStatements;
    const { rows } = await byDriver(database.knex, database.dialect, {
      ...merchantsDue,
      sql: `EXPLAIN ${merchantsDue.sql}`,
    });
    t.is(rows.length, 1);
    t.is(rows[0]?.key, "tx_due");
    t.regex(String(rows[0]?.Extra), /Using index for group-by/);
    const before = await counted(database, "Handler_read%");
    t.deepEqual(await new SqlTransactionStore(database).merchantsDue(), []);
    const read = (await counted(database, "Handler_read%")) - before;
    t.true(read <= 4 * MERCHANTS, `${read} entries of ${MERCHANTS} merchants`);
  },
);

test.serial(
  "SQLite: the merchants with due rows are found by look-ups in the index of due times, and no row is read",
  async (t) => {
    const database = await filledSqlite;
    const { merchantsDue } = sqliteTransactionStatements;
    const { rows } = await byDriver(database.knex, database.dialect, {
      ...merchantsDue,
      sql: `EXPLAIN QUERY PLAN ${merchantsDue.sql}`,
    });
    const onRows = rows.map(({ detail }) => String(detail)).filter((detail) => / tx\b/.test(detail));
    t.is(onRows.length, 3, onRows.join("; "));
    for (const detail of onRows) t.regex(detail, /SEARCH tx (EXISTS )?USING COVERING INDEX/);
    t.true(onRows.some((detail) => detail.includes("tx_due (merchant_id=? AND next_at>? AND next_at<?)")));
    t.deepEqual(await new SqlTransactionStore(database).merchantsDue(), []);
  },
);

test.serial(
  `${PRODUCT.name}: with 5 000 merchants and no due credit, a replica sends at most one statement in 500 ms`,
  async (t) => {
    const database = await singleConnection(t);
    const engine = await startEngine();
    t.teardown(engine.close);
    const merchants = Array.from({ length: 5_000 }, (_, i) => i + 1);
    const random = { fraction: () => 0.5, token: () => "", uuid: () => "" };
    const telemetry = new RecordedTelemetry();
    const store = new SqlTransactionStore(database);
    const worker = new ResendWorker(
      store,
      engine.transact,
      engine.permits,
      () => merchants,
      engine.clock,
      random,
      telemetry,
      4_000,
    );
    const [before, beganAt] = [await counted(database, "Com_select"), performance.now()];
    worker.start();
    await sleep(2_300);
    await worker.stop();
    const sent = (await counted(database, "Com_select")) - before;
    t.true(sent >= 1 && sent <= 1 + (performance.now() - beganAt) / 500, `${sent} statements`);
  },
);
