import test from "ava";
import { SqlGgrStore } from "../../../src/adapters/sql/ggr-store.ts";
import { ggrStoreContract } from "../../contracts/ggr-store.ts";
import { addGames, inventPast, numberAll, writePast } from "../../harness/history.ts";
import { mariadb } from "./stores.ts";

const replicas = mariadb();

test.serial("a report sees a row numbered or not, never both and never neither", async (t) => {
  const [database, other] = (await replicas).databases;
  const [from, to] = [Date.parse("2026-03-01"), Date.parse("2026-03-03")];
  const games = (await addGames(database, "BESIDE")).slice(0, 1);
  const past = inventPast(1, { merchantId: 99, currency: "BRL", count: 2_000, from, to, edges: [from], games });
  await writePast(database, past, 0);
  const store = new SqlGgrStore(database);
  const total = async (): Promise<string> => {
    const read = await store.read({ merchantId: 99, bounds: [from, to], groupBy: "provider", provider: null, type: null });
    const cells = (await Array.fromAsync(read.cells)).flat();
    return [cells.reduce((n, { sum }) => n + sum.count, 0), cells.reduce((minor, { sum }) => minor + sum.minor, 0n)].join("/");
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

test.serial("however many reports are asked for, most connections stay free for bets", async (t) => {
  const [database] = (await replicas).databases;
  const store = new SqlGgrStore(database);
  const read = (merchantId: number) => store.read({ merchantId, bounds: [0, 1], groupBy: "day", provider: null, type: null });
  const reads = Array.from({ length: 68 }, (_, i) => read(100 + i));
  await t.throwsAsync(read(99), { name: "StoreUnavailable" });
  let most = 0;
  let reading = true;
  const watch = async (): Promise<void> => {
    for (; reading; await new Promise((resolve) => setImmediate(resolve))) most = Math.max(most, database.knex.client.pool.numUsed());
  };
  const watched = watch();
  await Promise.all(reads);
  reading = false;
  await watched;
  t.true(most > 0 && most <= 4, String(most));
  await t.notThrowsAsync(read(99));
});

ggrStoreContract("MariaDB", async () => (await replicas).databases[0], 6_000);
