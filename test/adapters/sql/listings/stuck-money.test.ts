/** Stuck money in each database, and that old changes are examined later. */
import test from "ava";
import { SqlStuckMoney } from "../../../../src/adapters/sql/listings/stuck-money.ts";
import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { SqlStuckNotes } from "../../../../src/adapters/sql/reports/stuck-notes.ts";
import { SqlRoundStore } from "../../../../src/adapters/sql/transactions/round-store.ts";
import { SqlSlipStore } from "../../../../src/adapters/sql/transactions/slip-store.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { numberingOf } from "../../../../src/app/feed/sequencer.ts";
import { NEVER } from "../../../../src/domain/transaction/transaction.ts";
import type { TxId } from "../../../../src/domain/values/identifiers.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { storedRow, storeRows } from "../../../../testbed/database/stored-rows.ts";
import { stuckMoneyContract } from "../../../contracts/stuck-money.ts";
import {
  freshMerchants,
  lastNumber,
  numbers,
  perReplica,
  type Replicas,
  serverReplicas,
  sleep,
  sqlite,
  storedSums,
} from "../stores.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

for (const [name, opened] of [
  ["SQLite", sqlite()],
  [PRODUCT.name, serverReplicas()],
] as const) {
  stuckMoneyContract(name, async () => {
    const replicas = await opened;
    const [database] = replicas.databases;
    const merchants = freshMerchants();
    const older = async (table: string, ms: number, columns: readonly string[]): Promise<void> => {
      const rows = database.knex(table).whereIn("merchant_id", Object.values(merchants));
      await rows.update(Object.fromEntries(columns.map((one) => [one, database.knex.raw(`${one} - ?`, [ms])])));
    };
    return {
      ...merchants,
      game: replicas.game,
      transactions: new SqlTransactionStore(database),
      rounds: new SqlRoundStore(database),
      stores: perReplica(replicas, (one) => new SqlChangeStore(one)),
      stuck: new SqlStuckMoney(database),
      notes: new SqlStuckNotes(database),
      slips: new SqlSlipStore(database),
      pass: sleep,
      async age(ms) {
        await older("tx", ms, ["created_at", "opened_at"]);
        await older("stuck", ms, ["created_at"]);
        await older("slips", ms, ["created_at"]);
      },
      numbers: (merchantId) => numbers(database, merchantId),
      lastNumber: (merchantId) => lastNumber(database, merchantId),
      sums: (merchantId) => storedSums(database, merchantId),
    };
  });

  test.serial(
    `${name}: changes that an older release numbered are examined later, once, over gaps of the numbers`,
    async (t) => {
      const of = await old(await opened, 2_500);
      t.false(await of.notes.isComplete());
      t.deepEqual(await of.owed(), []);
      let steps = 0;
      while (await of.notes.catchUp()) steps++;
      t.is(steps, 3, "at most 1 000 changes in a step");
      t.true(await of.notes.isComplete());
      t.deepEqual(await of.owed(), ["ACME:0", "ACME:1000", "ACME:2000"]);
    },
  );

  test.serial(`${name}: a change during the examination is not lost`, async (t) => {
    const of = await old(await opened, 1_500);
    t.true(await of.notes.catchUp());
    // The win of the first step is paid, and a win of the second step fails again, both before the second step.
    await of.change("ACME:0", { status: 1, error: null, resolved_by: "resend" });
    await of.change("ACME:1000", { error: "AGAIN" });
    await of.number();
    t.deepEqual(await of.owed(), ["ACME:1000"]);
    t.false(await of.notes.isComplete(), "the new numbers do not skip the old ones");
    while (await of.notes.catchUp());
    t.deepEqual(await of.owed(), ["ACME:1000"]);

    await of.change("ACME:7", { status: 2, error: "X", action: 2 });
    await of.number();
    t.true(await of.notes.isComplete(), "from now on the numbering alone notes what is owed");
    t.deepEqual(await of.owed(), ["ACME:7", "ACME:1000"]);
    t.deepEqual(await of.open(), ["ACME:7", "ACME:1000"], "the note of the paid win is closed");
    await of.contradicted("ACME:1000");
    await of.change("ACME:1000", { status: 1, error: null, resolved_by: "resend" });
    await of.number();
    t.deepEqual(await of.open(), ["ACME:7"], "and so is the note of a contradiction about it");
  });

  test.serial(`${name}: pending money says where there may be more than the 1 000 that are counted`, async (t) => {
    const replicas = await opened;
    const [database] = replicas.databases;
    const now = Date.now();
    const filled = async (count: number, nextAt: number, lastCreatedAt: number): Promise<number> => {
      const { merchantId } = freshMerchants();
      const { providerId, id: gameId } = replicas.game;
      const rows = Array.from({ length: count }, (_, i) => {
        const createdAt = i === count - 1 ? lastCreatedAt : now - DAY_MS + i;
        const action = i % 2 === 0 ? "win" : "bet";
        return storedRow({ merchantId, txId: `ACME:${i}`, providerId, gameId, createdAt, action, status: "pending" });
      });
      await storeRows(database, rows);
      const own = database.knex("tx").where({ merchant_id: merchantId });
      await own.clone().update({ next_at: nextAt, ...(nextAt < NEVER && { action: 2 }) });
      return merchantId;
    };
    const moreOf = async (merchantId: number): Promise<unknown> => {
      const kinds = ["retrying", "unanswered", "pending"] as const;
      const sums = await new SqlStuckMoney(database).sums([merchantId], [0], HOUR_MS, kinds);
      return sums.map(({ kind, ages, more }) => [kind, ages[0]?.count, more]).sort();
    };
    const both = (win: number, bet: number, more: boolean) => [
      ["pending", bet, more],
      ["unanswered", win, more],
    ];
    t.deepEqual(await moreOf(await filled(999, NEVER, now - DAY_MS + 999)), both(500, 499, false));
    t.deepEqual(await moreOf(await filled(1_001, NEVER, now - DAY_MS + 1_001)), both(500, 500, true));
    t.deepEqual(
      await moreOf(await filled(1_000, NEVER, now)),
      both(500, 499, false),
      "the rows after it are young, too",
    );
    t.deepEqual(await moreOf(await filled(1_001, now + DAY_MS, now)), [["retrying", 1_000, true]]);
  });

  test.serial(
    `${name}: at most 5 000 pending transactions that are sent, and 5 000 others, are added up`,
    async (t) => {
      const replicas = await opened;
      const [database] = replicas.databases;
      const { merchantId } = freshMerchants();
      const { providerId, id: gameId } = replicas.game;
      const rows = Array.from({ length: 10_010 }, (_, i) =>
        storedRow({ merchantId, txId: `ACME:${i}`, providerId, gameId, action: "win", status: "pending" }),
      );
      await storeRows(database, rows);
      const first = database.knex("tx").where({ merchant_id: merchantId }).min("id as id");
      const { id } = (await first)[0] as { id: number };
      const sent = database.knex("tx").where({ merchant_id: merchantId });
      await sent.where("id", "<", Number(id) + 5_005).update({ next_at: 1 });
      const [sums] = await new SqlStuckMoney(database).open([merchantId], [0], 0);
      t.deepEqual([sums?.ages[0]?.count, sums?.retrying[0]?.count, sums?.unanswered[0]?.count], [10_000, 5_000, 5_000]);
    },
  );

  test.serial(`${name}: replicas that examine the same changes note them once`, async (t) => {
    const replicas = await opened;
    const of = await old(replicas, 3_000);
    const all = replicas.databases.map((database) => new SqlStuckNotes(database));
    await Promise.all(
      all.map(async (notes) => {
        while (await notes.catchUp());
      }),
    );
    t.deepEqual(await of.owed(), ["ACME:0", "ACME:1000", "ACME:2000"]);
  });
}

/** A merchant whose changes were numbered by the release before: every 1 000th is a failed win, all others are bets. */
async function old({ databases: [database], game }: Replicas, count: number) {
  const { merchantId } = freshMerchants();
  const { knex } = database;
  const rows = Array.from({ length: count }, (_, i) =>
    storedRow({
      merchantId,
      txId: `ACME:${i}`,
      providerId: game.providerId,
      gameId: game.id,
      createdAt: 1_767_225_600_000 + i,
      // After a restored backup the numbers have a large gap.
      feedSeq: i + 1 + (i < 500 ? 0 : 1_000_000_000),
      ...(i % 1_000 === 0 && { action: "win", status: "failed" }),
    }),
  );
  await storeRows(database, rows);
  await knex("feed_head").insert({ merchant_id: merchantId, seq: 1_000_000_000 + count });
  const changes = new SqlChangeStore(database);
  return {
    notes: new SqlStuckNotes(database),
    async owed(): Promise<string[]> {
      const query = { kind: "owed", merchantIds: [merchantId], olderThanMs: 0, horizonMs: 0 } as const;
      const found = await new SqlStuckMoney(database).list(query, 10);
      return found.map(({ transaction }) => transaction.txId);
    },
    /** The notes that are open. */
    async open(): Promise<string[]> {
      const notes = knex("stuck").join("tx", "tx.id", "stuck.tx").where("stuck.merchant_id", merchantId);
      return (await notes.where("is_open", 1).orderBy("tx").select("tx.tx_id")).map((row) => row.tx_id);
    },
    contradicted: (txId: string) => new SqlStuckNotes(database).contradicted({ merchantId, txId: txId as TxId }),
    async change(txId: string, columns: object): Promise<void> {
      await knex("tx")
        .where({ merchant_id: merchantId, tx_id: txId })
        .update({ ...columns, feed_seq: null });
    },
    async number(): Promise<void> {
      await changes.number((await changes.unnumbered([merchantId], 100)).map(numberingOf));
    },
  };
}
