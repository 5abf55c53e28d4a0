import test from "ava";
import { readLog } from "../../../../src/adapters/sql/transactions/attempt-log.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import type { RowChange } from "../../../../src/domain/transaction/transaction.ts";
import type { PlayerId, TxId } from "../../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import type { Attempt, Claimed, ClaimLine } from "../../../../src/ports/transactions/transaction-store.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { freshMerchants, serverReplicas, sleep, sqlite } from "../stores.ts";

const silent: RowChange = { state: { status: "pending" }, resolvedBy: null, silent: true, next: wholeMs(0) };
const token = (n: number): string => n.toString(16).padStart(32, "e");
const attempt = (n: number): Attempt => ({
  n,
  at: wholeMs(1_700_000_000_000 + n),
  durationMs: wholeMs(8_000),
  httpStatus: null,
  result: "timeout",
  requestId: "3b241101-e2bb-4255-8caf-4136c566a962",
});

for (const [name, replicas] of [["SQLite", sqlite()] as const, [PRODUCT.name, serverReplicas()] as const]) {
  const open = async () => {
    const { databases, game } = await replicas;
    const database = databases[0];
    const { merchantId } = freshMerchants();
    const store = new SqlTransactionStore(database);
    const content = {
      merchantId,
      txId: "ACME:win" as TxId,
      action: "win" as const,
      playerId: "ana" as PlayerId,
      roundId: "r",
      amountMinor: 1n,
      currency: "BRL" as const,
      game,
      refTxId: null,
    };
    const claim = async (more: Partial<ClaimLine>): Promise<Claimed> =>
      (
        (await store.claim([
          { content, token: token(1), as: "leased", leaseMs: wholeMs(60_000), ...more },
        ])) as Claimed[]
      )[0] as Claimed;
    const stored = async () => database.knex("tx").where({ merchant_id: merchantId, tx_id: content.txId }).first();
    const log = async (): Promise<unknown[]> =>
      ((await stored()).attempt_log ?? "")
        .split("\n")
        .filter(Boolean)
        .map((line: string) => JSON.parse(line));
    return { database, store, content, claim, stored, log };
  };

  test.serial(`${name}: the log has one line of JSON for each attempt that has ended`, async (t) => {
    const { store, content, claim, log, stored } = await open();
    await claim({});
    t.deepEqual(await log(), []);
    await store.settle([{ key: content, token: token(1), change: silent, attempt: attempt(1) }]);
    await store.takeOver([
      {
        key: content,
        seen: { status: "pending", leaseToken: token(1), reversedBy: null },
        token: token(2),
        leaseMs: wholeMs(60_000),
      },
    ]);
    await store.settle([
      {
        key: content,
        token: token(2),
        change: silent,
        attempt: { ...attempt(2), httpStatus: 503, result: "http_5xx", requestId: null },
      },
    ]);
    t.deepEqual(await log(), [
      {
        n: 1,
        at: 1_700_000_000_001,
        duration_ms: 8_000,
        http_status: null,
        result: "timeout",
        request_id: "3b241101-e2bb-4255-8caf-4136c566a962",
      },
      { n: 2, at: 1_700_000_000_002, duration_ms: 8_000, http_status: 503, result: "http_5xx", request_id: null },
    ]);
    t.is((await stored()).last_result, "http_5xx");
  });

  test.serial(`${name}: the beginning of a reply is read back unchanged, even beside lines without one`, async (t) => {
    const { store, content, claim, log, stored } = await open();
    await claim({});
    // Characters with a special meaning in SQL, in JSON or in the log's lines.
    const replyStart = '{"a":"\\n\\u{1b}\\"} \'--; ? @ %_ 😀é\ufffd </html>';
    await store.settle([{ key: content, token: token(1), change: silent, attempt: { ...attempt(1), replyStart } }]);
    await store.takeOver([
      {
        key: content,
        seen: { status: "pending", leaseToken: token(1), reversedBy: null },
        token: token(2),
        leaseMs: wholeMs(60_000),
      },
    ]);
    await store.settle([{ key: content, token: token(2), change: silent, attempt: attempt(2) }]);
    t.deepEqual(
      readLog((await stored()).attempt_log).map((line) => line.replyStart),
      [replyStart, undefined],
    );
    t.false("reply_start" in ((await log())[1] as object), "a line without a reply does not grow");
  });

  test.serial(`${name}: each rejected attempt keeps its code, and a line without one does not grow`, async (t) => {
    const { store, content, claim, log, stored } = await open();
    await claim({});
    const rejected = { ...attempt(1), result: "rejected" as const, error: "PLAYER_BLOCKED" };
    const accepted = { ...attempt(2), result: "accepted" as const, error: undefined };
    await store.settle([{ key: content, token: token(1), change: silent, attempt: rejected }]);
    await store.takeOver([
      {
        key: content,
        seen: { status: "pending", leaseToken: token(1), reversedBy: null },
        token: token(2),
        leaseMs: wholeMs(60_000),
      },
    ]);
    await store.settle([{ key: content, token: token(2), change: silent, attempt: accepted }]);
    const text = (await stored()).attempt_log;
    t.deepEqual(
      readLog(text).map(({ error }) => error),
      ["PLAYER_BLOCKED", undefined],
    );
    t.false("error" in ((await log())[1] as object), "an accepted attempt's line stays as it was");
    // A line of an older release has no code. That of the last attempt is in the row.
    const [first = ""] = text.trim().split("\n");
    const older = first.replace(',"error":"PLAYER_BLOCKED"', "");
    t.deepEqual(
      [readLog(older), readLog(older, "REJECTED"), readLog(`${older}\n${text}`, "REJECTED")].map(
        ([begun]) => begun?.error,
      ),
      [undefined, "REJECTED", undefined],
    );
  });

  test.serial(
    `${name}: if an attempt's process dies, the log has the attempt's beginning, without an end`,
    async (t) => {
      const { store, content, claim, log, stored } = await open();
      await claim({ leaseMs: wholeMs(1) });
      const begun = Number((await stored()).created_at);
      await sleep(10);
      await store.takeOver([
        {
          key: content,
          seen: { status: "pending", leaseToken: token(1), reversedBy: null },
          token: token(2),
          leaseMs: wholeMs(60_000),
        },
      ]);
      t.deepEqual(await log(), [
        { n: 1, at: begun, duration_ms: null, http_status: null, result: null, request_id: null },
      ]);
    },
  );

  test.serial(`${name}: attempts after the first 2 000 are counted, but not logged`, async (t) => {
    const { database, store, content, claim, log, stored } = await open();
    await claim({});
    await database.knex("tx").where({ merchant_id: content.merchantId }).update({ attempts: 1_999 });
    for (const n of [2_000, 2_001, 2_002]) {
      await store.settle([{ key: content, token: token(n - 1_999), change: silent, attempt: attempt(n - 1) }]);
      await store.takeOver([
        {
          key: content,
          seen: { status: "pending", leaseToken: token(n - 1_999), reversedBy: null },
          token: token(n - 1_998),
          leaseMs: wholeMs(60_000),
        },
      ]);
    }
    t.deepEqual(
      (await log()).map((line) => (line as { n: number }).n),
      [1_999, 2_000],
    );
    t.is(Number((await stored()).attempts), 2_002);
  });
}
