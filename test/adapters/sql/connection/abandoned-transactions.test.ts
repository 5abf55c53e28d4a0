/** The host of a replica vanishes inside a transaction, and the server gets no FIN. The locks must not stay. */
import test from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { SqlAdminStore } from "../../../../src/adapters/sql/settings/admin-store.ts";
import { SecretBox } from "../../../../src/adapters/sql/settings/secret-box.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { numberingOf } from "../../../../src/app/feed/sequencer.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import type { NewAuditEntry } from "../../../../src/ports/admin-store.ts";
import { StoreFault } from "../../../../src/ports/transactions/transaction-store.ts";
import { startCuttingProxy } from "../../../../testbed/database/cutting-proxy.ts";
import { INTERACTIVE } from "../../../../testbed/database/interactive/transactions.ts";
import { contentOf, id } from "../../../contracts/content.ts";
import { freshMerchants, numbers, serverReplicas, sleep } from "../stores.ts";

const replicas = serverReplicas();
const first = async (): Promise<Database> => (await replicas).databases[0];
const box = new SecretBox([Buffer.alloc(32, 7)]);
const audit: NewAuditEntry = { actor: "maria", action: "test", target: "all", reason: null, changes: [] };

/** Without a limit at the server, a transaction would stay open for 8 hours. */
const MUCH_TOO_LONG_MS = 60_000;
/** InnoDB refreshes its list of transactions only if nobody has read it for 100 ms. */
const POLL_MS = 200;

async function openTransactions(): Promise<number> {
  const [open] = await (await first()).knex.raw("SELECT trx_mysql_thread_id FROM information_schema.innodb_trx");
  return open.length;
}

async function until(happened: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + MUCH_TOO_LONG_MS; performance.now() < end; await sleep(POLL_MS))
    if (await happened()) return true;
  return false;
}

/** A pending bet whose lease is over, and that has no number yet. */
async function deadBet(merchantId: number, own: string) {
  const store = new SqlTransactionStore(await first());
  const content = contentOf({ merchantId, game: (await replicas).game }, { txId: id(own) });
  await store.claim([{ content, token: "e".repeat(32), as: "leased", leaseMs: wholeMs(1) }]);
  await sleep(5);
  const [row] = await store.read([content]);
  if (row === undefined || row instanceof StoreFault) throw new Error("no row");
  return row;
}

for (const { name, inside, begin } of INTERACTIVE)
  test.serial(`the server ends the transaction of a host that vanished: ${name}`, async (t) => {
    const { url } = await replicas;
    const proxy = await startCuttingProxy(url);
    const database = openDatabase(proxy.through(url), { max: 1, decisiveMax: 1, silenceMs: 300 });
    try {
      const act = await begin(database);
      proxy.cut(inside, 1, { how: "vanish" });
      const ended = act().catch(() => {});
      t.true(await until(async () => proxy.lost === 1 && (await openTransactions()) > 0));
      t.true(await until(async () => (await openTransactions()) === 0));
      await database.close(0);
      await ended;
    } finally {
      await proxy.close();
    }
  });

test.serial(
  "the server ends the transaction of a host that vanished while it numbered changes, and another replica numbers them",
  async (t) => {
    const { url } = await replicas;
    const { merchantId } = freshMerchants();
    await deadBet(merchantId, "numbered");
    const proxy = await startCuttingProxy(url);
    const database = openDatabase(proxy.through(url), { max: 1, decisiveMax: 1, silenceMs: 300 });
    try {
      const changes = new SqlChangeStore(database);
      const found = await changes.unnumbered([merchantId], 10);
      proxy.cut("UPDATE feed_head", 1, { how: "vanish" });
      await t.throwsAsync(changes.number(found.map(numberingOf)));
      t.is(proxy.lost, 1);
      t.true(await until(async () => (await openTransactions()) === 0));
      t.deepEqual(await numbers(await first(), merchantId), [null]);
      t.true(await new SqlChangeStore(await first()).number(found.map(numberingOf)));
      t.deepEqual(await numbers(await first(), merchantId), [1n]);
    } finally {
      await database.close(0);
      await proxy.close();
    }
  },
);

test.serial("after a transaction, a connection of the pool may be idle for as long as before it", async (t) => {
  const { url } = await replicas;
  const { merchantId } = freshMerchants();
  await deadBet(merchantId, "idle");
  const database = openDatabase(url, { max: 1, decisiveMax: 1 });
  const limit = async () => (await database.knex.raw("SELECT @@wait_timeout AS s"))[0][0].s;
  try {
    const before = await limit();
    await new SqlAdminStore(database, box).record(audit);
    t.is(await limit(), before);
    const changes = new SqlChangeStore(database);
    const found = (await changes.unnumbered([merchantId], 10)).map(numberingOf);
    t.true(await changes.number(found));
    t.is(await limit(), before);
    t.false(await changes.number(found), "these rows have their numbers already");
    t.is(await limit(), before);
  } finally {
    await database.close();
  }
});
