/**
 * The databases' plans for the reader's statements: the index, no scan, and no sort of rows that a page doesn't need.
 */
import test, { type ExecutionContext } from "ava";
import type { Database } from "../../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import type { Statement } from "../../../../src/adapters/sql/connection/statement.ts";
import { SqlLiveFigures } from "../../../../src/adapters/sql/listings/live-figures.ts";
import { SqlPlayerMoney } from "../../../../src/adapters/sql/listings/player-money.ts";
import { SqlStuckMoney } from "../../../../src/adapters/sql/listings/stuck-money.ts";
import { SqlTransactionReader } from "../../../../src/adapters/sql/listings/transaction-reader.ts";
import { SqlTransactionSearch } from "../../../../src/adapters/sql/listings/transaction-search.ts";
import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { auditQuery } from "../../../../src/adapters/sql/settings/audit-rows.ts";
import { Sequencer } from "../../../../src/app/feed/sequencer.ts";
import { STUCK_KINDS } from "../../../../src/domain/transaction/stuck.ts";
import type { PlayerId, TxId } from "../../../../src/domain/values/identifiers.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { storedRow, storeRows } from "../../../../testbed/database/stored-rows.ts";
import { ManualClock } from "../../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../../testbed/in-process/recorded-telemetry.ts";
import { observed, planOf, type Step } from "../plans.ts";
import { freshMerchants, type Replicas, serverReplicas, sleep, sqlite } from "../stores.ts";

const BEGIN = 1_767_225_600_000;
const ROWS = 2_000;

async function filled({ databases: [database], game }: Replicas) {
  const { merchantId } = freshMerchants();
  const rows = Array.from({ length: ROWS }, (_, i) =>
    storedRow({
      merchantId,
      txId: `ACME:${i}`,
      providerId: game.providerId,
      gameId: game.id,
      createdAt: BEGIN + i * 1_000,
      feedSeq: i + 1,
      playerId: `p${i % 20}`,
      roundId: `r${i >> 2}`,
      refTxId: i % 50 === 0 ? `ACME:${i - 1}` : null,
      status: i % 100 === 0 ? "pending" : "success",
      labels: i % 100 === 7 ? { kind: "tip" } : {},
    }),
  );
  // If the table had only this merchant's rows, reading them would read a whole index, and MySQL's plan would call it a
  // scan.
  const another = freshMerchants().merchantId;
  const ofAnother = rows.slice(0, ROWS / 10).map((row) => ({ ...row, merchantId: another }));
  await storeRows(database, [...rows, ...ofAnother]);
  if (database.dialect.name === "mysql") await database.knex.raw("ANALYZE TABLE tx");
  const seen = observed(database);
  return { database, merchantId, game, reader: new SqlTransactionReader(seen.database), statements: seen.statements };
}

for (const [name, opened] of [
  ["SQLite", sqlite()],
  [PRODUCT.name, serverReplicas()],
] as const) {
  const ready = opened.then(filled);
  const on = (title: string, run: (t: ExecutionContext, of: Awaited<typeof ready>) => Promise<void>): void =>
    test.serial(`${name}: ${title}`, async (t) => run(t, await ready));

  const month = { from: BEGIN, to: BEGIN + ROWS * 1_000 };
  const middle = { createdAt: BEGIN + 1_000_000, id: 1_000n };
  const filters = {
    "no filter": [{}, "list"],
    status: [{ status: "failed" }, "list"],
    action: [{ action: "rollback" }, "list"],
    provider: [{ provider: "ACME" }, "list"],
    game: [{ game: "fruits" }, "list"],
    "provider and game": [{ provider: "ACME", game: "fruits", status: "failed", action: "win" }, "list"],
    player: [{ playerId: "p3" }, "player"],
    "player and status": [{ playerId: "p3", status: "pending" }, "player"],
    round: [{ roundId: "r9" }, "round"],
    "tx id": [{ txId: "ACME:77" }, "key"],
    "ref tx id": [{ refTxId: "ACME:49" }, "ref"],
    pending: [{ status: "pending" }, "due feed"],
  } as const;
  // These filters match few rows, and their indexes are not in the order of time, so the rows are sorted.
  const sorts = ["round", "ref tx id", "pending"];

  for (const [filter, [more, indexes]] of Object.entries(filters)) {
    on(
      `a listing with the filter "${filter}" is read through these indexes: ${indexes}`,
      async (t, { database, merchantId, reader, statements }) => {
        for (const order of ["asc", "desc"] as const) {
          for (const after of filter === "tx id" ? [undefined] : [undefined, middle]) {
            statements.length = 0;
            await reader.list({ merchantId, order, ...month, ...more, after }, 100);
            const plan = await planOf(database, statements.at(-1) as Statement);
            const found = plan.filter(({ table }) => table === "tx");
            t.deepEqual(
              [...new Set(found.map(({ index }) => index))].sort(),
              indexes.split(" ").map((index) => `tx_${index}`),
              JSON.stringify(plan),
            );
            t.false(
              plan.some(({ table, text }) => ["tx", "o"].includes(table) && text.includes("SCAN")),
              JSON.stringify(plan),
            );
            if (!sorts.includes(filter)) t.is(sortedRows(name, plan), "the page alone", JSON.stringify(plan));
            if (indexes === "list")
              t.regex(found[0]?.text ?? "", /Using index|COVERING/, "the index alone tells which rows match");
          }
        }
      },
    );
  }

  on("a listing with the filter of a rare kind reads only rows of this kind", async (t, of) => {
    const { database, merchantId, reader, statements } = of;
    for (const order of ["asc", "desc"] as const) {
      statements.length = 0;
      const found = await reader.list({ merchantId, order, ...month, kind: "tip", after: undefined }, 5);
      const first = order === "asc" ? 7 : ROWS - 93;
      t.is(found[0]?.transaction.txId, `ACME:${first}` as TxId);
      t.is(found.length, 5);
      const statement = statements.at(-1) as Statement;
      const plan = await planOf(database, statement);
      t.false(
        plan.some(({ table, text }) => ["tx", "o", "kinds"].includes(table) && text.includes("SCAN")),
        JSON.stringify(plan),
      );
      if (database.dialect.name === "sqlite") continue;
      const reads = await rowsRead(database, statement);
      t.true(reads < 60, `${reads} rows`);
    }
  });

  on(
    "what is wrong with a player's money is read through the index of players",
    async (t, { database, merchantId }) => {
      const seen = observed(database);
      const { troubles, more } = await new SqlPlayerMoney(seen.database).find(merchantId, "p0" as PlayerId);
      t.deepEqual([new Set(troubles.map(({ kind }) => kind)), more], [new Set(["pending"]), false]);
      t.is(troubles.length, 20, "of the player's 100 transactions");
      const [statement, listed] = seen.statements.slice(-2) as [Statement, Statement];
      const plan = await planOf(database, statement);
      const read = plan.filter(({ table }) => table === "tx");
      t.deepEqual([...new Set(read.map(({ index }) => index))], ["tx_player"], JSON.stringify(plan));
      for (const steps of [plan, await planOf(database, listed)])
        t.false(
          steps.some(({ table, text }) => ["tx", "s"].includes(table) && text.includes("SCAN")),
          JSON.stringify(steps),
        );
    },
  );

  on("a search reads a page of each merchant through the indexes", async (t, { database, merchantId }) => {
    const seen = observed(database);
    const wanted = { txIds: ["ACME:7" as TxId, "BETA:7" as TxId], roundId: "r9", playerId: "p3" };
    const found = await new SqlTransactionSearch(seen.database).find([merchantId, merchantId + 1], wanted, 5);
    t.deepEqual(countBy(found.map(({ matched }) => matched)), { tx_id: 1, round_id: 4, player_id: 5 });
    const statement = seen.statements.at(-1) as Statement;
    const plan = await planOf(database, statement);
    const read = plan.filter(({ table }) => table === "tx");
    t.deepEqual(
      [...new Set(read.map(({ index }) => index))].sort(),
      ["tx_key", "tx_player", "tx_round"],
      JSON.stringify(plan),
    );
    t.false(
      plan.some(({ table, text }) => ["tx", "o"].includes(table) && /SCAN|SORT/.test(text)),
      JSON.stringify(plan),
    );
    if (database.dialect.name === "sqlite") return;
    // The player has 100 bets, and the page shows 5 of them. The other bets must not be read.
    const reads = await rowsRead(database, statement);
    t.true(reads < 60, `${reads} rows`);
  });

  on(
    "what begins with a text is read by one step into an index for each value",
    async (t, { database, merchantId }) => {
      const seen = observed(database);
      const starts = { tx_id: ["ACME:"], round_id: ["r"], player_id: ["p"] };
      const found = await new SqlTransactionSearch(seen.database).beginningWith([merchantId], starts, 9);
      t.deepEqual(countBy(found.map(({ matched }) => matched)), { tx_id: 3, round_id: 3, player_id: 3 });
      const statement = seen.statements.at(-1) as Statement;
      const plan = await planOf(database, statement);
      t.deepEqual(
        plan.filter(({ table }) => table === "tx").map(({ index }) => index),
        ["tx_key", "tx_round", "tx_player"],
        JSON.stringify(plan),
      );
      t.false(
        plan.some(({ table, text }) => table === "tx" && /SCAN|SORT/.test(text)),
        JSON.stringify(plan),
      );
      if (database.dialect.name === "sqlite") return;
      const reads = await rowsRead(database, statement);
      t.true(reads < 400, `${reads} rows`);
    },
  );

  on("the figures of the day are read in ranges of the indexes", async (t, { database, merchantId }) => {
    const seen = observed(database);
    const figures = new SqlLiveFigures(seen.database);
    const [from, to] = [BEGIN + 600_000, BEGIN + 660_000];
    t.like(await figures.activity([merchantId, merchantId + 1], from, to), { 0: { bets: 60, players: 20 }, length: 1 });
    const stuck = new SqlStuckMoney(seen.database);
    t.like(await stuck.open([merchantId, merchantId + 1], [0], 0), { 0: { ages: [{ count: 20 }] }, length: 1 });
    seen.statements.splice(1, 1);
    const brl = (one: number) => ({ id: one, currency: "BRL" }) as const;
    t.deepEqual(await figures.hours([brl(merchantId), brl(merchantId + 1)], from, to), []);
    for (const [i, index] of [/tx_list/, /tx_due/, /PRIMARY|ggr_hour_|autoindex/].entries()) {
      const plan = await planOf(database, seen.statements[i] as Statement);
      const read = plan.filter(({ table }) => ["tx", "ggr_hour"].includes(table));
      t.true(read.length > 0 && read.every((step) => index.test(step.index)), JSON.stringify(plan));
      t.false(
        read.some(({ text }) => /SCAN/.test(text)),
        JSON.stringify(plan),
      );
    }
  });

  on("stuck money is read in ranges of the indexes, and a page reads no more than it shows", async (t, of) => {
    const { database, merchantId, game } = of;
    const retried = Array.from({ length: 200 }, (_, i) =>
      storedRow({
        merchantId,
        txId: `ACME:retried-${i}`,
        providerId: game.providerId,
        gameId: game.id,
        createdAt: BEGIN + i,
        action: "win",
        status: "pending",
      }),
    );
    const owed = database.knex("tx").where({ merchant_id: merchantId, status: 0 });
    const rows = await owed.select("id", "created_at");
    await storeRows(database, retried);
    const ofRetried = database.knex("tx").where({ merchant_id: merchantId }).where("tx_id", "like", "ACME:retried-%");
    await ofRetried.clone().update({ next_at: database.knex.ref("created_at") });
    const note = { kind: 1, merchant_id: merchantId, is_open: 1 };
    await database.knex("stuck").insert(rows.map((row) => ({ ...note, tx: row.id, created_at: row.created_at })));
    // Most rows belong to another merchant. Otherwise a scan of the index would read no row in vain.
    const others = Array.from({ length: 400 }, (_, i) => ({ ...note, tx: 1_000_000_000 + i, created_at: 1 + i }));
    await database.knex("stuck").insert(others.map((row) => ({ ...row, merchant_id: merchantId + 2 })));
    await database.knex("stuck").insert({ ...note, kind: 2, tx: rows[0]?.id, created_at: rows[0]?.created_at });
    if (database.dialect.name === "mysql") await database.knex.raw("ANALYZE TABLE stuck");
    await database
      .knex("tx")
      .where({ merchant_id: merchantId, status: 0 })
      .whereIn(
        "id",
        rows.slice(10).map(({ id }) => id),
      )
      .update({ status: 2 });
    const seen = observed(database);
    const stuck = new SqlStuckMoney(seen.database);
    const merchantIds = [merchantId, merchantId + 1];
    await stuck.sums(merchantIds, [0, 86_400_000], 0, STUCK_KINDS);
    const sums = seen.statements.splice(0);
    const query = { merchantIds, olderThanMs: 0, horizonMs: 0 };
    const owedPage = await stuck.list({ ...query, kind: "owed" }, 5);
    const pendingPage = await stuck.list({ ...query, kind: "pending" }, 5);
    const retryingPage = await stuck.list({ ...query, kind: "retrying" }, 5);
    const pages = seen.statements.splice(0);
    const openPage = await stuck.list({ ...query, kind: "open" }, 5);
    pages.push(...seen.statements.splice(0));
    t.deepEqual([owedPage.length, pendingPage.length, retryingPage.length, openPage.length], [5, 5, 5, 5]);
    t.is(sums.length, 7, "the time, the pending, the merchants and the sums of two kinds of notes, the slips");
    t.is(pages.length, 16, "for each page the time, the merchants, the ids and the rows");
    for (const statement of [...sums, ...pages]) {
      const plan = await planOf(database, statement);
      const read = plan.filter(({ table }) => ["tx", "t", "s", "stuck", "slips"].includes(table));
      t.false(
        read.some(({ text }) => /SCAN/.test(text)),
        JSON.stringify(plan),
      );
      t.true(
        read.every(({ index, text }) => index !== "null" && (index !== "" || /PRIMARY KEY/.test(text))),
        JSON.stringify(plan),
      );
    }
    // Only a database server reports the number of rows that it read.
    for (const statement of database.dialect.name === "sqlite" ? [] : pages) {
      const reads = await rowsRead(database, statement);
      t.true(reads < 60, `${reads} rows: ${statement.sql}`);
    }
    await database.knex("tx").where({ merchant_id: merchantId, status: 2 }).update({ status: 0 });
    await database.knex("stuck").where({ merchant_id: merchantId }).delete();
    await ofRetried.delete();
  });

  on("the audit entries about one record are found through the index of targets", async (t, { database }) => {
    const entries = Array.from({ length: 1_000 }, (_, i) => ({
      at: BEGIN,
      actor: "ana",
      action: "transaction show",
      target: `transaction shop ACME:${i % 500}`,
      details: "[]",
    }));
    for (let from = 0; from < entries.length; from += 100)
      await database.knex("audit").insert(entries.slice(from, from + 100));
    const statement = auditQuery({ target: "transaction shop ACME:7" }, 100, database.dialect.sql);
    t.is((await byDriver(database.knex, database.dialect, statement)).rows.length, 2);
    const plan = await planOf(database, statement);
    t.is(plan[0]?.index, "audit_target", JSON.stringify(plan));
    t.notRegex(plan[0]?.text ?? "", /SCAN|SORT/, JSON.stringify(plan));
  });

  on("the feed is read through its index", async (t, { database, merchantId, reader, statements }) => {
    statements.length = 0;
    await reader.feed({ merchantId, after: 1_000n, action: "win" }, 100);
    await reader.feed({ merchantId, after: 1_000n }, 100);
    t.is(statements.length, 5, "twice the delay and the page, and once the end of the filtered page's window");
    for (const statement of statements) {
      const plan = await planOf(database, statement);
      const found = plan.filter(({ table }) => table === "tx");
      t.deepEqual([found.length, found[0]?.index], [1, "tx_feed"], JSON.stringify(plan));
      t.false(
        found.some(({ text }) => /SCAN|SORT/.test(text)),
        JSON.stringify(plan),
      );
    }
  });

  on(
    "the search for rows without a number enters the feed's index once per merchant, for any number of rows",
    async (t, { database, merchantId }) => {
      const seen = observed(database, "knex");
      t.deepEqual(await new SqlChangeStore(seen.database).waiting([merchantId, merchantId + 1]), []);
      t.is(seen.statements.length, 1);
      const plan = await planOf(database, seen.statements[0] as Statement);
      const found = plan.filter(({ table }) => table === "tx");
      t.deepEqual([found.length, found[0]?.index], [1, "tx_feed"], JSON.stringify(plan));
      t.false(
        found.some(({ text }) => /SCAN|SORT/.test(text)),
        JSON.stringify(plan),
      );
      // Only a database server reports the number of rows that it read.
      if (database.dialect.name === "sqlite") return;
      const rows = database.knex("tx").where({ merchant_id: merchantId });
      await rows.clone().update({ feed_seq: null });
      const reads = await rowsRead(database, seen.statements[0] as Statement);
      await rows.clone().update({ feed_seq: database.knex.raw("(created_at - ?) DIV 1000 + 1", [BEGIN]) });
      t.true(reads < 20, `${reads} of a backlog of ${ROWS} rows`);
    },
  );

  on(
    "the sequencer, which numbers changes, needs ten statements to find that 5 000 merchants have no changes",
    async (t, { database }) => {
      const seen = observed(database, "knex");
      const clock = new ManualClock();
      const merchantIds = Array.from({ length: 5_000 }, (_, i) => 100_000 + i);
      const sequencer = new Sequencer(
        new SqlChangeStore(seen.database),
        () => merchantIds,
        clock,
        new RecordedTelemetry(),
      );
      sequencer.start();
      await clock.pass(500);
      while (seen.statements.length < 10) await sleep(5);
      await sleep(50);
      await sequencer.stop();
      t.is(seen.statements.length, 10);
    },
  );

  on("a round is read through the index of rounds", async (t, { database, merchantId, reader, statements }) => {
    statements.length = 0;
    await reader.round({ merchantId, provider: "ACME", roundId: "r9" }, 100);
    const plan = await planOf(database, statements.at(-1) as Statement);
    const found = plan.filter(({ table }) => table === "tx");
    t.deepEqual([found.length, ...new Set(found.map(({ index }) => index))], [2, "tx_round"], JSON.stringify(plan));
    t.false(
      found.some(({ text }) => text.includes("SCAN")),
      JSON.stringify(plan),
    );
  });
}

const countBy = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]));

/** The number of rows that a server reads for a statement, including rows of temporary tables. */
async function rowsRead(database: Database, { sql, bindings }: Statement): Promise<number> {
  return database.knex.transaction(async (trx) => {
    await trx.raw("FLUSH STATUS");
    await trx.raw(sql, bindings as never);
    const [found] = await trx.raw("SHOW SESSION STATUS LIKE 'Handler_read%'");
    return found.reduce((sum: number, row: { Value: string }) => sum + Number(row.Value), 0);
  });
}

/** Which rows the plan sorts: only the rows of the page, or the whole range that contains the page. */
function sortedRows(name: string, plan: readonly Step[]): string {
  if (name === PRODUCT.name)
    return plan.some(({ table, text }) => table === "tx" && text.includes("SORT")) ? "the range" : "the page alone";
  // SQLite lists a sort after the steps of its query. The steps that find the page come before the step that reads the
  // page's rows.
  const lookUp = plan.findIndex(({ table }) => table === "o");
  return plan.slice(0, lookUp === -1 ? undefined : lookUp).some(({ text }) => text.includes("SORT"))
    ? "the range"
    : "the page alone";
}
