import test from "ava";
import { openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { SqlGgrStore } from "../../../../src/adapters/sql/reports/ggr-store.ts";
import { addGames, inventPast, numberAll, writePast } from "../../../../testbed/database/history.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { ggrStoreContract } from "../../../contracts/ggr-store.ts";
import { serverReplicas } from "../stores.ts";

const replicas = serverReplicas();

test.serial("a report counts a row exactly once while the sequencer numbers the row", async (t) => {
  const [database, other] = (await replicas).databases;
  const [from, to] = [Date.parse("2026-03-01"), Date.parse("2026-03-03")];
  const games = (await addGames(database, "BESIDE")).slice(0, 1);
  const past = inventPast(1, { merchantId: 99, currency: "BRL", count: 2_000, from, to, edges: [from], games });
  await writePast(database, past, 0);
  const store = new SqlGgrStore(database);
  const total = async (): Promise<string> => {
    const read = await store.read({
      merchantId: 99,
      bounds: [from, to],
      groupBy: "provider",
      provider: null,
      type: null,
    });
    const cells = (await Array.fromAsync(read.cells)).flat();
    return [
      cells.reduce((n, { sum }) => n + sum.count, 0),
      cells.reduce((minor, { sum }) => minor + sum.minor, 0n),
    ].join("/");
  };
  const first = await total();

  let numbering = true;
  const seen = new Set<string>();
  let reports = 0;
  const watch = async (): Promise<void> => {
    for (; numbering; reports++) seen.add(await total());
  };
  const numbered = numberAll(other ?? database, 99, 50).then(() => {
    numbering = false;
  });
  await Promise.all([numbered, watch()]);
  t.deepEqual([...seen], [first], `${reports} reports`);
  t.true(reports > 1);
});

test.serial("68 concurrent reports use at most four connections, and one more report is refused", async (t) => {
  const [database] = (await replicas).databases;
  const store = new SqlGgrStore(database);
  const read = (merchantId: number) =>
    store.read({ merchantId, bounds: [0, 1], groupBy: "day", provider: null, type: null });
  const reads = Array.from({ length: 68 }, (_, i) => read(100 + i));
  await t.throwsAsync(read(99), { name: "StoreUnavailable" });
  let most = 0;
  let reading = true;
  const watch = async (): Promise<void> => {
    for (; reading; await new Promise((resolve) => setImmediate(resolve)))
      most = Math.max(most, database.knex.client.pool.numUsed());
  };
  const watched = watch();
  await Promise.all(reads);
  reading = false;
  await watched;
  t.true(most > 0 && most <= 4, String(most));
  await t.notThrowsAsync(read(99));
});

/** A day of rows with one wrong hourly sum, on a database with one connection for long reads. */
async function wrongDay(merchantId: number) {
  const { url, databases } = await replicas;
  const [from, to] = [Date.parse("2026-05-01"), Date.parse("2026-05-02")];
  const games = (await addGames(databases[0], `FOLD${merchantId}`)).slice(0, 1);
  const past = inventPast(3, { merchantId, currency: "BRL", count: 200, from, to, edges: [from], games });
  await writePast(databases[0], past, 1);
  const database = openDatabase(url, { max: 1, decisiveMax: 1, selectingMax: 1 });
  const spoil = () =>
    database
      .knex("ggr_hour")
      .where({ merchant_id: merchantId })
      .orderBy("hour", "desc")
      .limit(1)
      .increment("tx_count", 1);
  return { database, spoil, from, to };
}

test.serial(
  "the nightly comparison of sums uses the connections for long reads: it gets its answer while bets use all others",
  async (t) => {
    const { database, spoil, from, to } = await wrongDay(601);
    const { client } = database.knex;
    try {
      const held = await client.acquireConnection();
      t.is(await new SqlGgrStore(database).difference(601, from, to), null);
      await client.releaseConnection(held);
      await spoil();
      t.regex((await new SqlGgrStore(database).difference(601, from, to)) ?? "", /^kept: /);
    } finally {
      await database.close();
    }
  },
);

test.serial(
  "if the server takes too long for the sums of a day, each half of the day is compared separately",
  async (t) => {
    const { database, spoil, from, to } = await wrongDay(602);
    const { client } = database.selecting;
    const connection = await client.acquireConnection();
    const query = connection.query.bind(connection);
    const spans: number[] = [];
    connection.query = (statement: { sql: string }, bindings: readonly number[], done: (error: Error) => void) => {
      if (!statement.sql.includes("tx_list")) return query(statement, bindings, done);
      const span = Number(bindings[2]) - Number(bindings[1]);
      spans.push(span / 3_600_000);
      return span > 43_200_000
        ? done(Object.assign(new Error("max_statement_time exceeded"), { errno: 1969 }))
        : query(statement, bindings, done);
    };
    await client.releaseConnection(connection);
    try {
      const store = new SqlGgrStore(database);
      t.is(await store.difference(602, from, to), null);
      t.deepEqual([...new Set(spans)], [24, 12]);
      await spoil();
      t.regex(
        (await store.difference(602, from, to)) ?? "",
        /^kept: [^;]+; of the transactions: [^;]+$/,
        "only the half that differs",
      );
    } finally {
      await database.close();
    }
  },
);

ggrStoreContract(PRODUCT.name, async () => (await replicas).databases[0], 6_000);
