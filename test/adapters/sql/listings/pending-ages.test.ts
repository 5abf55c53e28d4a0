import test from "ava";
import { SqlPendingAges } from "../../../../src/adapters/sql/listings/pending-ages.ts";
import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { numberingOf } from "../../../../src/app/feed/sequencer.ts";
import type { RowChange } from "../../../../src/domain/transaction/transaction.ts";
import type { PlayerId, TxId } from "../../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import { PENDING_COUNTED_MAX } from "../../../../src/ports/transactions/pending-ages.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { freshMerchants, serverReplicas, sqlite } from "../stores.ts";

const MINUTE_MS = 60_000;
const token = (n: number): string => n.toString(16).padStart(32, "f");

const embedded = sqlite();
for (const [name, replicas] of [["SQLite", embedded] as const, [PRODUCT.name, serverReplicas()] as const]) {
  test.serial(
    `${name}: pending rows are counted by age and merchant, even if they are never resent; no other rows are counted`,
    async (t) => {
      const { databases, game } = await replicas;
      const [database] = databases;
      const { merchantId, otherMerchantId } = freshMerchants();
      const store = new SqlTransactionStore(database);
      let serial = 0;
      const put = async (
        change: RowChange["state"],
        next: RowChange["next"],
        minutesAgo: number,
        merchant = merchantId,
        leaseMs = MINUTE_MS,
      ) => {
        const n = ++serial;
        const content = {
          merchantId: merchant,
          txId: `ACME:${n}` as TxId,
          action: "win",
          playerId: "ana" as PlayerId,
          roundId: "r",
        } as const;
        const all = { ...content, amountMinor: 1n, currency: "BRL", game, refTxId: null } as const;
        await store.claim([{ content: all, token: token(n), as: "leased", leaseMs: wholeMs(leaseMs) }]);
        const attempt = {
          n: 1,
          at: wholeMs(1),
          durationMs: wholeMs(1),
          httpStatus: null,
          result: "timeout",
          requestId: null,
        } as const;
        if (leaseMs === MINUTE_MS)
          await store.settle([
            { key: content, token: token(n), change: { state: change, resolvedBy: null, silent: true, next }, attempt },
          ]);
        const created = Number(
          (await database.knex("tx").where({ merchant_id: merchant, tx_id: content.txId }).first("created_at"))
            .created_at,
        );
        await database
          .knex("tx")
          .where({ merchant_id: merchant, tx_id: content.txId })
          .update({ created_at: created - minutesAgo * MINUTE_MS });
      };
      const pending = { status: "pending" } as const;
      const ages = new SqlPendingAges(database);
      const count = () =>
        ages.count(
          [merchantId, otherMerchantId, 999_999],
          [0, MINUTE_MS, 60 * MINUTE_MS],
          new AbortController().signal,
        );
      t.deepEqual(await count(), []);

      await put({ status: "success", balanceMinor: 1n }, null, 90);
      await put({ status: "failed", error: "X" }, null, 90);
      await put(pending, "never", 90);
      await put(pending, wholeMs(300_000), 2);
      await put(pending, wholeMs(0), 0);
      await put(pending, "never", 61, otherMerchantId);
      // The row's first attempt is in flight. Later the lease ends, because the process has died.
      await put(pending, null, 5, merchantId, 2 * MINUTE_MS);
      t.deepEqual(await count(), [
        { merchantId, counts: [3, 2, 1] },
        { merchantId: otherMerchantId, counts: [1, 1, 1] },
      ]);
      t.deepEqual(
        await ages.count([merchantId], [0], AbortSignal.abort()),
        [],
        "after its abort it reads no more merchants",
      );
      await database
        .knex("tx")
        .whereNotNull("lease_until")
        .where({ merchant_id: merchantId })
        .update({ lease_until: 1 });
      const changes = new SqlChangeStore(database);
      const found = await changes.unnumbered([merchantId], 100);
      t.true(await changes.number(found.map((unnumbered) => ({ ...numberingOf(unnumbered), sums: [] }))));
      t.deepEqual((await count())[0], { merchantId, counts: [4, 3, 1] });
    },
  );
}

test.serial(
  "SQLite: the count of very many rows stops at its maximum, and includes the rows that are never resent",
  async (t) => {
    const { databases, game } = await embedded;
    const { merchantId } = freshMerchants();
    await databases[0].knex.raw(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ?)
     INSERT INTO tx (merchant_id, tx_id, action, status, player_id, round_id, amount_minor, currency, provider_id, game_id, attempts, lease_token, next_at, created_at, opened_at, updated_at, feed_seq)
     SELECT ?, 'ACME:' || i, 1, 0, 'ana', 'r', 1, 'BRL', ?, ?, 1, zeroblob(16), iif(i = 1, 9000000000000000, i), iif(i = 1, 0, 9000000000000), 0, 0, 1 FROM n`,
      [PENDING_COUNTED_MAX, merchantId, game.providerId, game.id],
    );
    // All rows except the first are from the future, so only the first row is old.
    t.deepEqual(await new SqlPendingAges(databases[0]).count([merchantId], [-1e15, 0], new AbortController().signal), [
      { merchantId, counts: [PENDING_COUNTED_MAX, 1] },
    ]);
  },
);
