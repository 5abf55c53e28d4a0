/** The length of a row from its claim to its change number. InnoDB copies whole pages if rows become longer. */

import test, { type ExecutionContext } from "ava";
import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { readLog } from "../../../../src/adapters/sql/transactions/attempt-log.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { numberingOf } from "../../../../src/app/feed/sequencer.ts";
import type { State } from "../../../../src/domain/transaction/transaction.ts";
import type { PlayerId, TxId } from "../../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import type { Attempt } from "../../../../src/ports/transactions/transaction-store.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { freshMerchants, serverReplicas } from "../stores.ts";

/** The bytes of the columns that a settle and the numbering change. A column that is NULL needs no room. */
const LENGTH = ["lease_until", "balance_minor", "feed_seq"]
  .map((column) => `IF(${column} IS NULL, 0, 8)`)
  .concat(["attempt_log", "last_result", "error"].map((column) => `COALESCE(LENGTH(${column}), 0)`))
  .join(" + ");

const replicas = serverReplicas();

async function staysInItsRoom(t: ExecutionContext, state: State, attempt: Partial<Attempt>): Promise<void> {
  const { databases, game } = await replicas;
  const database = databases[0];
  const { merchantId } = freshMerchants();
  const [transactions, changes] = [new SqlTransactionStore(database), new SqlChangeStore(database)];
  const length = async () => {
    const [[row]] = await database.knex.raw(`SELECT ${LENGTH} AS bytes FROM tx WHERE merchant_id = ?`, [merchantId]);
    return Number(row.bytes);
  };
  const content = {
    merchantId,
    txId: "ACME:bet" as TxId,
    action: "bet" as const,
    playerId: "p" as PlayerId,
    roundId: "r",
    amountMinor: 250n,
    currency: "BRL" as const,
    game,
    refTxId: null,
  };
  const token = "0f".repeat(16);
  await transactions.claim([{ content, token, as: "leased", leaseMs: wholeMs(15_000) }]);
  const claimed = await length();

  const made: Attempt = {
    n: 1,
    at: wholeMs(1_800_000_000_000),
    durationMs: wholeMs(7_999),
    httpStatus: 200,
    result: "accepted",
    requestId: "3b241101-e2bb-4255-8caf-4136c566a962",
    ...attempt,
  };
  const change = { state, resolvedBy: null, silent: false, next: null };
  t.deepEqual(await transactions.settle([{ key: content, token, change, attempt: made }]), [true]);
  const settled = await length();
  t.true(settled <= claimed, `${settled} of ${claimed} bytes after the settle`);

  t.true(await changes.number((await changes.unnumbered([merchantId], 10)).map(numberingOf)));
  const last = await length();
  t.true(last <= settled, `${last} of ${settled} bytes after the numbering`);

  const { attempt_log: log } = await database.knex("tx").where({ merchant_id: merchantId }).first("attempt_log");
  t.deepEqual(readLog(log), [made]);
  t.is(log.split("\n").length, 1, "the room is gone");
}

test(`${PRODUCT.name}: an accepted bet does not make its row longer, and leaves no empty lines`, (t) =>
  staysInItsRoom(t, { status: "success", balanceMinor: 9_007_199_254_740_993n }, {}));

test(`${PRODUCT.name}: a bet that the wallet rejects does not make its row longer`, (t) =>
  staysInItsRoom(t, { status: "failed", error: "INSUFFICIENT_FUNDS" }, { result: "rejected" }));
