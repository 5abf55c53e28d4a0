import test from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { SqlGgrStore } from "../../../../src/adapters/sql/reports/ggr-store.ts";
import { startCuttingProxy } from "../../../../testbed/database/cutting-proxy.ts";
import { addGames, inventPast, numberAll, writePast } from "../../../../testbed/database/history.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { ggrStoreContract } from "../../../contracts/ggr-store.ts";
import { serverReplicas } from "../stores.ts";

const DAY_MS = 86_400_000;

const replicas = serverReplicas();

test.serial("a report counts a row exactly once while the sequencer numbers the row", async (t) => {
  const { seen, reports } = await whileNumbering(99, "provider", async () => {});
  t.is(seen.size, 1, [...seen].join(" "));
  t.true(reports > 1);
});

test.serial(
  "a report by game counts a row exactly once while the sequencer numbers the row and two replicas sum its day up",
  async (t) => {
    const [, second, third] = (await replicas).databases;
    if (second === undefined || third === undefined) throw new Error("no replicas");
    let [summed, used] = [0, 0];
    const { seen, reports, days } = await whileNumbering(98, "game", async (days, isNumbering) => {
      const sumUp = async (database: Database): Promise<void> => {
        for (const store = new SqlGgrStore(database); isNumbering(); summed++) {
          for (const day of days) await store.sumGames(98, day);
          if (!(await store.incompleteDays(98, days[1])).includes(days[0])) used++;
        }
      };
      await Promise.all([sumUp(second), sumUp(third)]);
    });
    t.is(seen.size, 1, [...seen].join(" "));
    t.true(reports > 1 && summed > 1, `${reports} reports, ${summed} sums, ${used} of them complete`);
    const store = new SqlGgrStore(second);
    for (const day of days) await store.sumGames(98, day);
    t.false((await store.incompleteDays(98, days[1] + DAY_MS)).some((day) => days.includes(day)));
    t.is(await store.difference(98, days[0], days[1] + DAY_MS), null);
  },
);

/** Numbers the rows of two days while reports are read. Returns the different totals of the reports. */
async function whileNumbering(
  merchantId: number,
  groupBy: "provider" | "game",
  beside: (days: readonly [number, number], isNumbering: () => boolean) => Promise<void>,
) {
  const [database, other] = (await replicas).databases;
  const [from, to] = [Date.parse("2026-03-01"), Date.parse("2026-03-03")];
  const days = [from, from + DAY_MS] as const;
  const games = (await addGames(database, `BESIDE${merchantId}`)).slice(0, 2);
  const past = inventPast(1, { merchantId, currency: "BRL", count: 2_000, from, to, edges: [from], games });
  await writePast(database, past, 0);
  const store = new SqlGgrStore(database);
  const total = async (): Promise<string> => {
    const read = await store.read({
      merchantIds: [merchantId],
      bounds: [from, to],
      groupBy,
      provider: null,
      type: null,
    });
    const cells = (await Array.fromAsync(read.cells)).flat();
    return [
      cells.reduce((n, { sum }) => n + sum.count, 0),
      cells.reduce((minor, { sum }) => minor + sum.minor, 0n),
    ].join("/");
  };
  const seen = new Set([await total()]);
  let [isNumbering, reports] = [true, 0];
  const watch = async (): Promise<void> => {
    for (; isNumbering; reports++) seen.add(await total());
  };
  const numbered = numberAll(other ?? database, merchantId, 50).finally(() => {
    isNumbering = false;
  });
  await Promise.all([numbered, watch(), beside(days, () => isNumbering)]);
  return { seen: seen.add(await total()), reports, days };
}

test.serial("68 concurrent reports use at most four connections, and one more report is refused", async (t) => {
  const [database] = (await replicas).databases;
  const store = new SqlGgrStore(database);
  const read = (merchantId: number) =>
    store.read({ merchantIds: [merchantId], bounds: [0, 1], groupBy: "day", provider: null, type: null });
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
      t.regex((await new SqlGgrStore(database).difference(601, from, to))?.text ?? "", /^kept: /);
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
    connection.query = (statement: { sql?: string }, bindings: readonly number[], done: (error: Error) => void) => {
      if (!statement.sql?.includes("tx_list")) return query(statement, bindings, done);
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
        (await store.difference(602, from, to))?.text ?? "",
        /^kept: [^;]+; of the transactions: [^;]+$/,
        "only the half that differs",
      );
    } finally {
      await database.close();
    }
  },
);

test.serial(
  "the sums of a day by game are written in the end, if the server becomes silent at their INSERT",
  async (t) => {
    const { url } = await replicas;
    const { database: direct, from, to } = await wrongDay(603);
    await direct.close();
    const proxy = await startCuttingProxy(url);
    const database = openDatabase(proxy.through(url), { max: 1, decisiveMax: 1, selectingMax: 1, silenceMs: 300 });
    try {
      proxy.cut("INSERT INTO ggr_game", 1, { how: "silence" });
      const store = new SqlGgrStore(database);
      await store.sumGames(603, from);
      t.is(proxy.lost, 1);
      t.false((await store.incompleteDays(603, to)).includes(from));
    } finally {
      await database.close();
      await proxy.close();
    }
  },
);

ggrStoreContract(PRODUCT.name, async () => (await replicas).databases[0], 6_000);
