/** Another session has locked a row. The lines of other merchants in the same batch must not fail or wait with it. */
import test from "ava";
import type { Knex } from "knex";
import type { Database } from "../../../../src/adapters/sql/connection/database.ts";
import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { Sequencer } from "../../../../src/app/feed/sequencer.ts";
import type { RowChange, Transaction } from "../../../../src/domain/transaction/transaction.ts";
import type { TxId } from "../../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import {
  type Claimed,
  type ClaimLine,
  LineLocked,
  type LineResult,
  type SettleLine,
} from "../../../../src/ports/transactions/transaction-store.ts";
import { ManualClock } from "../../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../../testbed/in-process/recorded-telemetry.ts";
import { contentOf, id } from "../../../contracts/content.ts";
import { freshMerchants, numbers, serverReplicas } from "../stores.ts";

const replicas = serverReplicas();
const first = async (): Promise<Database> => (await replicas).databases[0];
let serial = 0;
const token = (): string => (++serial).toString(16).padStart(32, "a");

const claimLine = async (merchantId: number, own: string, leaseMs = wholeMs(60_000)): Promise<ClaimLine> => ({
  content: contentOf({ merchantId, game: (await replicas).game }, { txId: id(own) }),
  token: token(),
  as: "leased",
  leaseMs,
});
const change: RowChange = {
  state: { status: "success", balanceMinor: 1n },
  resolvedBy: null,
  silent: false,
  next: null,
};
const settleLine = ({ content, token }: ClaimLine): SettleLine => ({
  key: content,
  token,
  change,
  attempt: { n: 1, at: wholeMs(1), durationMs: wholeMs(1), httpStatus: 200, result: "accepted", requestId: null },
});
/** What became of each line, in a word. */
const words = (results: readonly LineResult<unknown>[]): string[] =>
  results.map((result) => {
    if (result instanceof LineLocked) return "locked";
    return result === undefined
      ? "nothing"
      : result === true
        ? "done"
        : (result as Claimed).mine === false
          ? "known"
          : "mine";
  });

/** Holds a lock of another session on a row while `use` runs. */
async function whileLocked(table: string, where: Record<string, unknown>, use: () => Promise<void>): Promise<void> {
  const other: Knex.Transaction = await (await replicas).databases[2 as 0].knex.transaction();
  try {
    await other(table).where(where).forUpdate();
    await use();
  } finally {
    await other.rollback();
  }
}

const lockWaits = async (): Promise<number> => {
  const [found] = await (await first()).knex.raw("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'");
  return Number(found[0].Value);
};

test.serial(
  "a claim of a locked row is answered from the row; claims of other merchants in its batch are made",
  async (t) => {
    const { merchantId, otherMerchantId } = freshMerchants();
    const store = new SqlTransactionStore(await first());
    const known = await claimLine(merchantId, "known");
    await store.claim([known]);
    await whileLocked("tx", { merchant_id: merchantId }, async () => {
      const repeat = { ...known, token: token() };
      t.deepEqual(words(await store.claim([repeat, await claimLine(otherMerchantId, "a")])), ["known", "mine"]);
      const waits = await lockWaits();
      const next = [repeat, await claimLine(merchantId, "new"), await claimLine(otherMerchantId, "b")];
      t.deepEqual(words(await store.claim(next)), ["known", "mine", "mine"]);
      t.is(await lockWaits(), waits, "after the first wait nobody waits for this row again");
    });
  },
);

test.serial("a settle of a locked row is refused alone, and can be sent again", async (t) => {
  const { merchantId, otherMerchantId } = freshMerchants();
  const store = new SqlTransactionStore(await first());
  const lines = [
    await claimLine(merchantId, "a"),
    await claimLine(merchantId, "b"),
    await claimLine(otherMerchantId, "c"),
  ];
  await store.claim(lines);
  const settles = lines.map(settleLine);
  await whileLocked("tx", { merchant_id: merchantId, tx_id: "ACME:a" }, async () => {
    t.deepEqual(words(await store.settle(settles)), ["locked", "done", "done"]);
    const waits = await lockWaits();
    t.deepEqual(words(await store.settle(settles)), ["locked", "done", "done"]);
    t.is(await lockWaits(), waits);
  });
  t.deepEqual(words(await store.settle(settles)), ["done", "done", "done"]);
});

test.serial("a take-over, an adoption, a mark and a schedule of a locked row are refused alone", async (t) => {
  const store = new SqlTransactionStore(await first());
  const read = async (line: ClaimLine) => (await store.read([line.content]))[0] as Transaction;
  for (const kind of ["takeOver", "schedule", "adopt", "mark"] as const) {
    const { merchantId, otherMerchantId } = freshMerchants();
    const lines: ClaimLine[] = [];
    for (const merchant of [merchantId, otherMerchantId]) {
      const isVoid = kind === "adopt" || kind === "mark";
      const line = { ...(await claimLine(merchant, "r", wholeMs(1))), ...(isVoid && { as: "void" as const }) };
      const refund = { ...line, content: { ...line.content, action: "refund" as const, refTxId: "ACME:o" as TxId } };
      lines.push(kind === "mark" ? refund : line);
      if (kind === "mark") await store.claim([await claimLine(merchant, "o", wholeMs(1))]);
    }
    await store.claim(lines);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const rows = [await read(lines[0] as ClaimLine), await read(lines[1] as ClaimLine)];
    const run = (): Promise<LineResult<unknown>[]> => {
      if (kind === "takeOver")
        return store.takeOver(rows.map((row) => ({ key: row, seen: row, token: token(), leaseMs: wholeMs(1) })));
      if (kind === "schedule") return store.schedule(rows.map((row) => ({ key: row, seen: row, inMs: wholeMs(0) })));
      if (kind === "adopt") return store.adopt(lines.map((line) => ({ ...line, seen: line.token, token: token() })));
      return store.mark(rows.map((row) => ({ key: row, seen: row.leaseToken, reversed: "ACME:o" as TxId })));
    };
    // The original of the mark's reversal is locked, not the reversal.
    const own = kind === "mark" ? "ACME:o" : "ACME:r";
    await whileLocked("tx", { merchant_id: merchantId, tx_id: own }, async () => {
      const [mine, theirs] = words(await run());
      t.is(mine, "locked", kind);
      t.not(theirs, "locked", kind);
      t.not(theirs, "nothing", kind);
    });
  }
});

test.serial(
  "a merchant whose last number or row is locked delays no other merchant's numbers, and gets what is not locked",
  async (t) => {
    const { merchantId, otherMerchantId } = freshMerchants();
    const database = await first();
    const store = new SqlTransactionStore(database);
    const write = async (merchant: number, own: string) => {
      const line = await claimLine(merchant, own);
      await store.claim([line]);
      await store.settle([settleLine(line)]);
    };
    const clock = new ManualClock();
    const telemetry = new RecordedTelemetry();
    const sequencer = new Sequencer(new SqlChangeStore(database), () => [], clock, telemetry);
    sequencer.start();
    const numbered = async (merchant: number, wanted: readonly (bigint | null)[]) => {
      for (;;) {
        const now = await numbers(database, merchant);
        if (JSON.stringify(now.map(String)) === JSON.stringify(wanted.map(String))) return;
        await clock.pass(100);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    const round = async (own: string) => {
      for (const merchant of [merchantId, otherMerchantId]) {
        await write(merchant, own);
        sequencer.changed(merchant);
      }
    };
    await round("a");
    await numbered(merchantId, [1n]);
    await numbered(otherMerchantId, [1n]);
    await whileLocked("feed_head", { merchant_id: merchantId }, async () => {
      const waits = await lockWaits();
      await round("b");
      await numbered(otherMerchantId, [1n, 2n]);
      await round("c");
      await numbered(otherMerchantId, [1n, 2n, 3n]);
      t.is(await lockWaits(), waits, "nothing waits for the locked merchant");
      t.deepEqual(await numbers(database, merchantId), [1n, null, null]);
    });
    await numbered(merchantId, [1n, 2n, 3n]);
    await round("d");
    await round("e");
    await whileLocked("tx", { merchant_id: merchantId, tx_id: "ACME:d" }, async () => {
      await numbered(otherMerchantId, [1n, 2n, 3n, 4n, 5n]);
      await numbered(merchantId, [1n, 2n, 3n, null, 4n]);
    });
    await numbered(merchantId, [1n, 2n, 3n, 5n, 4n]);
    await sequencer.stop();
    t.deepEqual(telemetry.errors, []);
  },
);
