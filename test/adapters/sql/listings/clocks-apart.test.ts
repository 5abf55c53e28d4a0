import test from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { SqlTransactionReader } from "../../../../src/adapters/sql/listings/transaction-reader.ts";
import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { numberingOf } from "../../../../src/app/feed/sequencer.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import type { ClaimLine } from "../../../../src/ports/transactions/transaction-store.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { contentOf, id } from "../../../contracts/content.ts";
import { freshMerchants, serverReplicas } from "../stores.ts";

const replicas = serverReplicas();

/** The begin of a minute. */
const MINUTE = 1_800_000_000_000;

/** Two nodes of a cluster are two connections whose clocks stand at different times. */
const setClock = async ({ knex, recurring }: Database, ms: number): Promise<void> => {
  for (const pool of [knex, recurring]) await pool.raw("SET timestamp = ?", [ms / 1_000]);
};

test(`${PRODUCT.name}: a feed from the first second of a minute misses no change, if the clocks of the nodes are up to 1 s apart`, async (t) => {
  const { url, game } = await replicas;
  const [fast, slow] = [0, 1].map(() => openDatabase(url, { max: 1, recurringMax: 1, decisiveMax: 1 })) as [
    Database,
    Database,
  ];
  t.teardown(async () => {
    await fast.close();
    await slow.close();
  });
  const { merchantId } = freshMerchants();
  const settle = async (own: string): Promise<void> => {
    const line: ClaimLine = {
      content: contentOf({ merchantId, game }, { txId: id(own) }),
      token: Buffer.from(own.padStart(16)).toString("hex"),
      as: "leased",
      leaseMs: wholeMs(60_000),
    };
    const store = new SqlTransactionStore(fast);
    await store.claim([line]);
    const [settled] = await store.settle([
      {
        key: line.content,
        token: line.token,
        change: { state: { status: "success", balanceMinor: 1n }, resolvedBy: null, silent: false, next: null },
        attempt: {
          n: 1,
          at: wholeMs(1),
          durationMs: wholeMs(1),
          httpStatus: 200,
          result: "accepted",
          requestId: null,
        },
      },
    ]);
    t.true(settled);
  };
  const number = async (): Promise<void> => {
    const changes = new SqlChangeStore(slow);
    t.true(await changes.number((await changes.unnumbered([merchantId], 10)).map(numberingOf)));
  };

  await setClock(fast, MINUTE + 300);
  await setClock(slow, MINUTE - 700);
  await settle("first");
  await number();
  await setClock(fast, MINUTE + 20_000);
  await setClock(slow, MINUTE + 19_000);
  await settle("second");
  await number();

  const reader = new SqlTransactionReader(fast, { pendingSorted: 10, feedWindow: 10 });
  for (const since of [MINUTE, MINUTE + 300]) t.is(await reader.feedStart(merchantId, since), 0n, String(since));
  t.is(await reader.feedStart(merchantId, MINUTE + 1_000), 1n);
});
