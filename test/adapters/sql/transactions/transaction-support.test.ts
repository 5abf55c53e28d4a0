/** The changes to the table when support resolves a row, on both databases. */
import test, { type ExecutionContext } from "ava";
import type { Database } from "../../../../src/adapters/sql/connection/database.ts";
import { SqlTransactionReader } from "../../../../src/adapters/sql/listings/transaction-reader.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { SqlTransactionSupport } from "../../../../src/adapters/sql/transactions/transaction-support.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import {
  ClosingCase,
  NOT_FOUND,
  type TransactionSupportSetup,
  transactionSupportContract,
} from "../../../contracts/transaction-support.ts";
import { freshMerchants, type Replicas, serverReplicas, sleep, sqlite } from "../stores.ts";

const databases = { SQLite: sqlite(), [PRODUCT.name]: serverReplicas() };

const setup = ({ databases: [database], game }: Replicas): TransactionSupportSetup => ({
  support: new SqlTransactionSupport(database),
  transactions: new SqlTransactionStore(database),
  merchantId: freshMerchants().merchantId,
  game,
  pass: sleep,
});

for (const [name, replicas] of Object.entries(databases))
  transactionSupportContract(name, async () => setup(await replicas));

const audited = async (database: Database, { audit }: ClosingCase): Promise<number> =>
  (await database.knex("audit").where({ target: audit.target })).length;

const on = (title: string, run: (t: ExecutionContext, of: ClosingCase, database: Database) => Promise<void>): void => {
  for (const [name, replicas] of Object.entries(databases)) {
    test.serial(`${name}: ${title}`, async (t) =>
      run(t, new ClosingCase(setup(await replicas)), (await replicas).databases[0]),
    );
  }
};

on(
  "one statement resolves a refund and its bet, with one audit entry, however often it is sent",
  async (t, of, database) => {
    const { bet, refund } = await of.pair();
    const updates: string[] = [];
    const listen = ({ sql }: { sql: string }) => void (/UPDATE tx|UPDATE \(/.test(sql) && updates.push(sql));
    database.knex.on("query", listen);
    const line = of.line(refund, bet);
    t.true(await of.support.resolve(line, of.audit));
    database.knex.off("query", listen);
    t.is(updates.length, 1);
    t.true(await of.support.resolve(line, of.audit));
    t.is(await audited(database, of), 1);
  },
);

on("a row that was not resolved has no audit entry", async (t, of, database) => {
  const { bet, refund } = await of.pair({ refundLeaseMs: 60_000 });
  t.false(await of.support.resolve(of.line(refund, bet), of.audit));
  t.is(await audited(database, of), 0);
});

on("an attempt whose process died stays in the log without an end, in both rows", async (t, of, database) => {
  const { bet, refund } = await of.pair();
  await of.support.resolve(of.line(refund, bet, { change: NOT_FOUND }), of.audit);
  const reader = new SqlTransactionReader(database);
  for (const row of [bet, refund]) {
    t.deepEqual(
      (await reader.find(row))?.log,
      [{ n: 1, at: row.updatedAt, durationMs: null, httpStatus: null, result: null, requestId: null }],
      row.txId,
    );
    t.is((await of.row(row.txId)).silentAt, row.leaseUntil, row.txId);
  }
});

on("a bet without a mark is resolved alone, and the attempt of its dead process is logged", async (t, of, database) => {
  const { bet } = await of.pair();
  await database.knex("tx").where({ merchant_id: of.merchantId, tx_id: bet.txId }).update({ reversed_by: null });
  const { reversed: _, ...alone } = of.line({ ...bet, reversedBy: null }, bet);
  t.true(await of.support.resolve(alone, of.audit));
  const found = await new SqlTransactionReader(database).find(bet);
  t.like(found?.transaction, { status: "success", resolvedBy: "manual" });
  t.is(found?.log.length, 1);
});
