import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { makeHistory, startHistory } from "../../bench/history/kept-history.ts";
import { DAY_MS, MONTH_DAYS } from "../../bench/history/plan.ts";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { SqlChangeStore } from "../../src/adapters/sql/reports/change-store.ts";
import { SqlGgrStore } from "../../src/adapters/sql/reports/ggr-store.ts";

const YEAR_MS = 365 * DAY_MS;

test("the rows of a generated history have their change numbers, and their columns do not contradict each other", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "history-"));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const made = await makeHistory(folder, { transactions: 6_000, merchants: 10, seed: 7 }, () => {});
  t.true(Math.abs(made.transactions - 6_000) < 100, String(made.transactions));

  // The history is opened again, with only its folder as input.
  const { server, url, history } = await startHistory(folder, "64M");
  t.teardown(() => server.stop());
  t.deepEqual(history, made);
  const database = openDatabase(url);
  t.teardown(() => database.close());
  const [changes, sums] = [new SqlChangeStore(database), new SqlGgrStore(database)];
  for (const { id } of history.directory.merchants) {
    t.deepEqual(await changes.unnumbered([id], 1), []);
    t.is(await sums.difference(id, history.month.to - YEAR_MS, history.month.to), null);
  }

  const count = async (sql: string, ...bindings: number[]): Promise<number> =>
    Number((await database.knex.raw(`SELECT COUNT(*) AS n FROM ${sql}`, bindings))[0][0].n);
  const numbered =
    "(SELECT merchant_id, MAX(feed_seq) AS last, COUNT(*) AS n, COUNT(DISTINCT feed_seq) AS numbers FROM tx WHERE status <> 3 GROUP BY merchant_id) t";
  t.is(
    await count(
      `${numbered} JOIN feed_head h USING (merchant_id) WHERE h.seq = t.last AND t.last = t.n AND t.n = t.numbers`,
    ),
    10,
  );
  t.is(await count("tx WHERE (status = 0) <> (next_at IS NOT NULL) OR (status = 3) <> (feed_seq = 0)"), 0);
  const marks =
    "(SELECT merchant_id, FLOOR((created_at + 600) / 60000) * 60000 AS minute, MIN(feed_seq) - 1 AS seq FROM tx WHERE status <> 3 GROUP BY 1, 2) t";
  t.is(
    await count(`${marks} LEFT JOIN feed_mark m USING (merchant_id, minute) WHERE m.seq IS NULL OR m.seq <> t.seq`),
    0,
  );
  t.is(await count(`${marks}`), await count("feed_mark"));
  t.is(
    await count(
      "tx r LEFT JOIN tx o ON o.merchant_id = r.merchant_id AND o.tx_id = r.ref_tx_id AND o.reversed_by = r.tx_id AND o.status = 1 WHERE r.action IN (3, 4) AND r.status = 1 AND o.id IS NULL",
    ),
    0,
  );
  for (const status of [0, 1, 2]) t.true((await count("tx WHERE status = ?", status)) > 0, `status ${status}`);

  const month = await count(
    "tx WHERE merchant_id = ? AND created_at >= ? AND created_at < ?",
    1,
    history.month.to - MONTH_DAYS * DAY_MS,
    history.month.to,
  );
  t.true(Math.abs(month - 720) < 20, `the busiest merchant has 12 % of all, in the last month: ${month}`);
  t.is(month, await count("tx WHERE merchant_id = 1"));
});
