import test from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { mysqlTransactionStatements } from "../../../../src/adapters/sql/dialects/mysql/transaction-statements.ts";
import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { readLog } from "../../../../src/adapters/sql/transactions/attempt-log.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { numberingOf } from "../../../../src/app/feed/sequencer.ts";
import type { GameRef, RowChange } from "../../../../src/domain/transaction/transaction.ts";
import type { TxId } from "../../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";
import type { Claimed, ClaimLine, SettleLine } from "../../../../src/ports/transactions/transaction-store.ts";
import { startCuttingProxy } from "../../../../testbed/database/cutting-proxy.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { contentOf, id } from "../../../contracts/content.ts";
import { freshMerchants, serverReplicas, sleep } from "../stores.ts";

const replicas = serverReplicas();

const success: RowChange = {
  state: { status: "success", balanceMinor: 1n },
  resolvedBy: null,
  silent: false,
  next: null,
};
let tokens = 0;
const claimLine = (merchantId: number, game: GameRef, own: string): ClaimLine => ({
  content: contentOf({ merchantId, game }, { txId: id(own) }),
  token: (++tokens).toString(16).padStart(32, "d"),
  as: "leased",
  leaseMs: wholeMs(60_000),
});
const settleLine = (line: ClaimLine): SettleLine => ({
  key: line.content,
  token: line.token,
  change: success,
  attempt: { n: 1, at: wholeMs(1), durationMs: wholeMs(1), httpStatus: 200, result: "accepted", requestId: null },
});
const batch = (merchantId: number, game: GameRef, size: number): ClaimLine[] =>
  Array.from({ length: size }, (_, i) => claimLine(merchantId, game, `t${i}`));
const first = async (): Promise<Database> => (await replicas).databases[0];

test("every connection has the session settings that the statements need", async (t) => {
  const database = await first();
  const level = `@@${PRODUCT.isolation} i`;
  const [[row]] = await database.knex.raw(`SELECT ${level}, @@time_zone z, @@sql_mode m, @@innodb_lock_wait_timeout l`);
  t.deepEqual(
    { ...row },
    {
      i: "READ-COMMITTED",
      z: "+00:00",
      m: "STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
      l: "2",
    },
  );
  for (const [pool, syncWait] of [
    ["knex", "0"],
    ["decisive", "1"],
  ] as const) {
    const [[session]] = await database[pool].raw(`SELECT ${level}${PRODUCT.galera ? ", @@wsrep_sync_wait w" : ""}`);
    t.deepEqual({ ...session }, { i: "READ-COMMITTED", ...(PRODUCT.galera ? { w: syncWait } : {}) }, pool);
  }
});

test("an update that found its row but changed nothing counts as no changed row", async (t) => {
  const database = await first();
  const [found] = await database.knex.raw("UPDATE settings_epoch SET epoch = epoch WHERE id = 1");
  t.is(found.affectedRows, 0);
});

test("close lets running statements end, and closes the connection of a statement that runs longer than allowed", async (t) => {
  const { url } = await replicas;
  for (const pool of ["knex", "decisive", "selecting"] as const) {
    const database = openDatabase(url);
    const { client } = database[pool];
    const endless = Promise.allSettled([database[pool].raw("SELECT SLEEP(600)")]);
    while (client.pool.numUsed() < 1) await sleep(5);
    let hasEnded = false;
    const quick = Promise.allSettled([database[pool].raw("SELECT SLEEP(0.3)").finally(() => (hasEnded = true))]);
    // On a busy machine the quick statement may end before this test sees it run.
    while (!hasEnded && client.pool.numUsed() < 2) await sleep(5);
    await database.close(2_000);
    t.deepEqual(
      [...(await quick), ...(await endless)].map(({ status }) => status),
      ["fulfilled", "rejected"],
    );
  }
});

test("64-bit integers never arrive as JavaScript numbers; keys arrive as text and tokens as bytes", async (t) => {
  const database = await first();
  const [[row]] = await database.knex.raw("SELECT CAST(9007199254740993 AS SIGNED) big");
  t.is(row.big, "9007199254740993");
  const { merchantId } = freshMerchants();
  const store = new SqlTransactionStore(database);
  await store.claim([claimLine(merchantId, (await replicas).game, "é")]);
  const [stored] = await database.knex("tx").where({ merchant_id: merchantId });
  t.deepEqual(
    [stored.tx_id, typeof stored.id, typeof stored.amount_minor, stored.lease_token.length],
    ["ACME:é", "string", "string", 16],
  );
});

test("every update finds its rows by their key, for any number of lines in the batch", async (t) => {
  const database = await first();
  const { merchantId } = freshMerchants();
  const { game } = await replicas;
  const lines = batch(merchantId, game, 200);
  await new SqlTransactionStore(database).claim(lines);
  const key = (line: ClaimLine) => line.content;
  const seen = { status: "pending" as const, leaseToken: "d".repeat(32), reversedBy: null };
  const statements = mysqlTransactionStatements;
  for (const some of [lines.slice(0, 1), lines]) {
    const reversals = some.map((line) => ({
      ...settleLine(line),
      reversed: { txId: "ACME:x" as TxId, seen: "pending" as const, change: success },
    }));
    for (const { sql, bindings } of [
      statements.settle(some.map(settleLine)),
      statements.settleReversal(reversals),
      statements.takeOver(some.map((line) => ({ key: key(line), seen, token: line.token, leaseMs: wholeMs(1) }))),
      statements.adopt(some.map((line) => ({ ...line, seen: line.token }))),
      statements.mark(some.map((line) => ({ key: key(line), seen: line.token, reversed: "ACME:x" as TxId }))),
      statements.schedule(some.map((line) => ({ key: key(line), seen, inMs: wholeMs(0) }))),
      statements.read(some.map(key)),
    ]) {
      const [plan] = await database.knex.raw(`EXPLAIN ${sql}`, bindings as never);
      const tables = plan.filter((step: { table: string }) => ["tx", "o", "b"].includes(step.table));
      t.true(tables.length > 0, sql);
      for (const step of tables) {
        t.is(step.key, "tx_key", sql);
        // The plan reads one row for each row of the derived table, or one range per key.
        t.true(step.type === "eq_ref" || (step.type === "range" && Number(step.rows) <= some.length), sql);
      }
    }
  }
});

test("if replies are lost after the commit, each claim and settle still gets the right result", async (t) => {
  const { url, game } = await replicas;
  const { merchantId } = freshMerchants();
  const proxy = await startCuttingProxy(url);
  const database = openDatabase(proxy.through(url));
  try {
    const store = new SqlTransactionStore(database);
    const other = new SqlTransactionStore(await first());
    for (let round = 0; round < 6; round++) {
      const lines = Array.from({ length: 20 }, (_, i) => claimLine(merchantId, game, `${round}-${i}`));
      // Another replica has claimed some of the rows already.
      const theirs = lines.slice(0, 5).map((line) => ({ ...line, token: claimLine(merchantId, game, "x").token }));
      await other.claim(theirs);
      proxy.cut("INSERT INTO tx", 1 + (round % 3));
      const claimed = (await store.claim(lines)) as Claimed[];
      t.deepEqual(
        claimed.map(({ mine }) => mine),
        lines.map((_, i) => i >= 5),
      );
      proxy.cut("UPDATE ", 1 + (round % 2));
      t.deepEqual(
        await store.settle(lines.map(settleLine)),
        lines.map((_, i) => i >= 5),
      );
    }
    t.is(proxy.lost, 21);
  } finally {
    await database.close();
    await proxy.close();
  }
});

test("a row whose game must be read first is returned, even if the reply with the game is lost", async (t) => {
  const { url, game } = await replicas;
  const { merchantId } = freshMerchants();
  const [line] = batch(merchantId, game, 1) as [ClaimLine];
  await new SqlTransactionStore(await first()).claim([line]);
  const proxy = await startCuttingProxy(url);
  const database = openDatabase(proxy.through(url));
  try {
    proxy.cut("games", 1);
    const [row] = await new SqlTransactionStore(database).read([line.content]);
    t.like(row, { txId: line.content.txId, game });
    t.is(proxy.lost, 1);
  } finally {
    await database.close();
    await proxy.close();
  }
});

test("a transaction fails if its server becomes silent; a connection whose session is never prepared is replaced", async (t) => {
  const { url, game } = await replicas;
  const { merchantId } = freshMerchants();
  const lines = batch(merchantId, game, 1);
  await new SqlTransactionStore(await first()).claim(lines);
  await new SqlTransactionStore(await first()).settle(lines.map(settleLine));
  const proxy = await startCuttingProxy(url);
  const database = openDatabase(proxy.through(url), { max: 1, decisiveMax: 1, silenceMs: 300 });
  try {
    const changes = new SqlChangeStore(database);
    const numberings = (await changes.unnumbered([merchantId], 10)).map(numberingOf);
    for (const text of ["BEGIN", "UPDATE tx", "COMMIT;"]) {
      proxy.cut(text, 1, { how: "silence" });
      await t.throwsAsync(changes.number(numberings));
    }
    t.is(proxy.lost, 3);
    proxy.reset();
    proxy.cut("SET SESSION autocommit", 1, { how: "silence" });
    t.deepEqual(await changes.unnumbered([merchantId], 10), [], "the last transaction was committed");
    t.is(proxy.lost, 4);
  } finally {
    await database.close();
    await proxy.close();
  }
});

test("if a connection is killed while its batch waits for a lock, the batch is sent again and applied once", async (t) => {
  const { url, game } = await replicas;
  const { merchantId } = freshMerchants();
  const admin = await first();
  const database = openDatabase(url, { max: 2, decisiveMax: 2 });
  const store = new SqlTransactionStore(database);
  const lines = batch(merchantId, game, 30);
  try {
    await store.claim(lines);
    const settled = await admin.knex.transaction(async (trx) => {
      await trx("tx").where({ merchant_id: merchantId, tx_id: "ACME:t17" }).forUpdate();
      const settling = store.settle(lines.map(settleLine));
      const victim = await waitingUpdate(admin);
      await admin.knex.raw(`KILL ${victim}`);
      await sleep(20);
      return { settling };
    });
    t.true((await settled.settling).every((applied) => applied === true));
    const rows = await admin.knex("tx").where({ merchant_id: merchantId });
    t.true(
      rows.every((row) => Number(row.status) === 1 && readLog(row.attempt_log).length === 1),
      "each attempt is logged once",
    );
  } finally {
    await database.close();
  }
});

async function waitingUpdate(admin: Database): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    // MySQL cannot show a statement with binary values in information_schema.processlist.
    const [connections] = await admin.knex.raw("SHOW PROCESSLIST");
    const waiting = connections.find(
      ({ Info, State }: { Info: string | null; State: string }) => Info?.startsWith("UPDATE ") && State !== "",
    );
    if (waiting !== undefined) return Number(waiting.Id);
    await sleep(10);
  }
  throw new Error("no update waits for a lock");
}

test("a statement that waits for a lock longer than the time-out is sent again", async (t) => {
  const { game } = await replicas;
  const { merchantId } = freshMerchants();
  const database = await first();
  const store = new SqlTransactionStore(database);
  const lines = batch(merchantId, game, 3);
  await store.claim(lines);
  const settling = await database.knex.transaction(async (trx) => {
    await trx("tx").where({ merchant_id: merchantId, tx_id: "ACME:t1" }).forUpdate();
    const settles = store.settle(lines.map(settleLine));
    await sleep(2_300);
    return { settles };
  });
  t.deepEqual(await settling.settles, [true, true, true]);
});

test("a store whose server does not run throws StoreUnavailable", async (t) => {
  const { game, url } = await replicas;
  const unreachable = openDatabase(url.replace(/socketPath=.*/, `socketPath=${encodeURIComponent("/nowhere/s")}`));
  const store = new SqlTransactionStore(unreachable);
  await t.throwsAsync(store.claim([claimLine(1, game, "x")]), { instanceOf: StoreUnavailable });
  await unreachable.close();
});
