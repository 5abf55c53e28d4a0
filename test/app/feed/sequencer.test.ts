import test from "ava";
import { hourSums, numbered, Sequencer } from "../../../src/app/feed/sequencer.ts";
import { NEVER } from "../../../src/domain/transaction/transaction.ts";
import { ChangeStore, type Numbering, type UnnumberedRow } from "../../../src/ports/transactions/change-store.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

const HOUR = 3_600_000;
const row = (id: bigint, more: Partial<UnnumberedRow> = {}): UnnumberedRow => ({
  id,
  status: "success",
  action: "bet",
  amountMinor: 100n,
  kind: null,
  createdAt: 10 * HOUR + 5,
  gameId: 1,
  refused: false,
  endedLater: false,
  orphaned: false,
  readAt: 11 * HOUR,
  ...more,
});

test("rows are numbered in the order in which they were read", (t) => {
  t.deepEqual(numbered([row(30n), row(31n, { status: "failed" })]), [
    { id: 30n, seen: "success" },
    { id: 31n, seen: "failed" },
  ]);
});

test("a changed row is noted for the check of stuck money only if it may be stuck now or may have been stuck before", (t) => {
  const marks = [
    row(1n),
    row(2n, { status: "failed", refused: true }),
    row(3n, { status: "failed", action: "win", refused: true }),
    row(4n, { status: "failed", action: "rollback", refused: true }),
    row(5n, { refused: true, endedLater: true }),
    row(6n, { action: "win" }),
    row(7n, { action: "win", endedLater: true }),
    row(8n, { action: "rollback", endedLater: true }),
    row(9n, { action: "win", status: "pending", endedLater: true }),
  ];
  t.deepEqual(
    numbered(marks).map(({ stuck }) => stuck),
    [undefined, undefined, "check", "check", "check", undefined, "over", undefined, undefined],
  );
});

test("a win or refund whose process died is due now; a bet or rollback whose process died is never due", (t) => {
  const lines = numbered(
    (["win", "refund", "bet", "rollback"] as const).map((action, i) =>
      row(BigInt(i), { action, status: "pending", orphaned: true }),
    ),
  );
  t.deepEqual(
    lines.map((line) => line.nextAt),
    [11 * HOUR, 11 * HOUR, NEVER, NEVER],
  );
});

test("only successes are added up, each in the hour of its creation", (t) => {
  const sums = hourSums([
    row(1n),
    row(2n, { amountMinor: 50n }),
    row(3n, { createdAt: 11 * HOUR }),
    row(4n, { action: "win" }),
    row(5n, { status: "pending" }),
    row(6n, { status: "failed" }),
    row(7n, { gameId: 2 }),
    row(8n, { kind: "tip" }),
  ]);
  t.deepEqual(sums, [
    { hour: 10 * HOUR, gameId: 1, action: "bet", kind: null, count: 2, sumMinor: 150n },
    { hour: 11 * HOUR, gameId: 1, action: "bet", kind: null, count: 1, sumMinor: 100n },
    { hour: 10 * HOUR, gameId: 1, action: "win", kind: null, count: 1, sumMinor: 100n },
    { hour: 10 * HOUR, gameId: 2, action: "bet", kind: null, count: 1, sumMinor: 100n },
    { hour: 10 * HOUR, gameId: 1, action: "bet", kind: "tip", count: 1, sumMinor: 100n },
  ]);
});

/** Rows for each merchant. It refuses a given number of attempts to number rows, as if another replica were faster. */
class QueuedChanges extends ChangeStore {
  readonly rows = new Map<number, UnnumberedRow[]>();
  /** The recorded statements: `waiting <number of merchants>`, or `rows <number of merchants>`. */
  readonly queries: string[] = [];
  readonly written: Numbering[] = [];
  /** The merchants of each transaction that numbered rows. */
  readonly transactions: number[][] = [];
  /** The rows of these merchants can't be read. */
  readonly broken = new Set<number>();
  /** The rows of these merchants can't be numbered. */
  readonly locked = new Set<number>();
  /** Statements that number rows wait for this promise. */
  held: Promise<void> | undefined;
  lose = 0;
  readonly #seqs = new Map<number, bigint>();

  override async waiting(merchantIds: readonly number[]) {
    this.queries.push(`waiting ${merchantIds.length}`);
    return merchantIds.filter((id) => (this.rows.get(id) ?? []).length > 0);
  }

  override async unnumbered(merchantIds: readonly number[], limit: number) {
    this.queries.push(`rows ${merchantIds.length}`);
    if (merchantIds.some((id) => this.broken.has(id))) throw new Error("a broken row");
    return merchantIds
      .map((merchantId) => ({
        merchantId,
        seq: this.lastNumber(merchantId),
        rows: (this.rows.get(merchantId) ?? []).slice(0, limit),
      }))
      .filter(({ rows }) => rows.length > 0);
  }

  override async number(numberings: readonly Numbering[]) {
    await this.held;
    if (numberings.some(({ merchantId }) => this.locked.has(merchantId))) throw new Error("a locked row");
    if (this.lose-- > 0 || numberings.some(({ merchantId, seq }) => seq !== this.lastNumber(merchantId))) return false;
    for (const { merchantId, seq, lines } of numberings) {
      this.#seqs.set(merchantId, seq + BigInt(lines.length));
      this.rows.set(merchantId, (this.rows.get(merchantId) ?? []).slice(lines.length));
    }
    this.written.push(...numberings);
    this.transactions.push(numberings.map(({ merchantId }) => merchantId));
    return true;
  }

  lastNumber(merchantId: number): bigint {
    return this.#seqs.get(merchantId) ?? 0n;
  }
}

function begin(count: number) {
  const [clock, store, telemetry] = [new ManualClock(), new QueuedChanges(), new RecordedTelemetry()];
  const sequencer = new Sequencer(store, () => Array.from({ length: count }, (_, i) => i + 1), clock, telemetry);
  sequencer.start();
  return { clock, store, telemetry, sequencer };
}

const times = (count: number, of = 0n): UnnumberedRow[] => Array.from({ length: count }, (_, i) => row(of + BigInt(i)));

test("a changed merchant's rows are numbered in the next round, rows of another replica within a second, and a refused batch one round later", async (t) => {
  const { clock, store, sequencer } = begin(2);
  await clock.pass(500);
  t.deepEqual(store.queries, ["waiting 2"]);

  store.rows.set(2, [row(1n)]);
  store.lose = 1;
  sequencer.changed(2);
  await clock.pass(500);
  t.is(store.written.length, 0);
  await clock.pass(500);
  t.is(store.written.length, 1);

  // A replica that died left these rows. This replica does not have them in its list of changed merchants.
  store.rows.set(1, [row(2n)]);
  await clock.pass(1_000);
  t.is(store.written.length, 2);
  await sequencer.stop();
  const queryCount = store.queries.length;
  await clock.pass(5_000);
  t.is(store.queries.length, queryCount);
});

test("5 000 merchants without changes need ten statements a second, and all merchants with changes of a scan one more", async (t) => {
  const { clock, store, sequencer } = begin(5_000);
  await clock.pass(10_000);
  t.is(store.queries.length, 100);
  t.true(store.queries.every((query) => query === "waiting 500"));

  store.queries.length = 0;
  for (const merchantId of [1, 2_500, 5_000]) store.rows.set(merchantId, [row(BigInt(merchantId))]);
  sequencer.changed(2_500);
  await clock.pass(1_000);
  t.deepEqual(store.written.map(({ merchantId }) => merchantId).sort(), [1, 2_500, 5_000]);
  t.is(store.written[0]?.merchantId, 2_500, "what changed here comes first");
  t.deepEqual(
    store.queries.filter((query) => query.startsWith("rows")),
    ["rows 1", "rows 1", "rows 1"],
  );
  t.is(store.queries.length, 13);
  await sequencer.stop();
});

test("each scan of all merchants begins with another merchant than the scan before it", async (t) => {
  const { clock, store, sequencer } = begin(1_500);
  const firsts: (number | undefined)[] = [];
  for (let look = 0; look < 3; look++) {
    for (const merchantId of [1, 501, 1_001]) store.rows.set(merchantId, [row(1n)]);
    const before = store.written.length;
    await clock.pass(1_000);
    firsts.push(store.written[before]?.merchantId);
  }
  t.deepEqual(firsts, [1, 501, 1_001]);
  await sequencer.stop();
});

for (const [title, fault] of [
  ["read", "broken"],
  ["numbered", "locked"],
] as const)
  test(`a merchant whose rows can't be ${title} is reported, and delays no other merchant`, async (t) => {
    const { clock, store, telemetry, sequencer } = begin(9);
    for (let merchantId = 1; merchantId <= 9; merchantId++) {
      store.rows.set(merchantId, [row(BigInt(merchantId))]);
      sequencer.changed(merchantId);
    }
    for (const merchantId of [1, 2, 3, 4, 5]) store[fault].add(merchantId);
    await clock.pass(500);
    t.deepEqual(store.written.map(({ merchantId }) => merchantId).sort(), [6, 7, 8, 9]);
    t.is(telemetry.errors[0]?.what, "numbering the changes of merchant 1");
    t.true(telemetry.errors.every(({ what }) => /merchant [1-5]$/.test(what)));
    store[fault].clear();
    await clock.pass(1_000);
    t.is(store.written.length, 9);
    await sequencer.stop();
  });

test("the changed merchants are numbered together, 32 in a transaction and at most 1 000 rows", async (t) => {
  const { clock, store, sequencer } = begin(70);
  for (let merchantId = 1; merchantId <= 70; merchantId++) {
    store.rows.set(merchantId, times(merchantId <= 3 ? 400 : 2, 1_000n * BigInt(merchantId)));
    sequencer.changed(merchantId);
  }
  await clock.pass(500);
  t.deepEqual(
    store.transactions.map((merchants) => merchants.length).sort((a, b) => a - b),
    [2, 6, 30, 32],
    "the third of the large merchants did not fit into the first transaction",
  );
  t.deepEqual(
    store.queries.filter((query) => query.startsWith("rows")),
    ["rows 32", "rows 32", "rows 6"],
  );
  t.is(store.written.length, 70);
  await sequencer.stop();
});

test("after another replica was faster with one merchant, the others of its transaction are numbered in the same round", async (t) => {
  const { clock, store, sequencer } = begin(3);
  for (const merchantId of [1, 2, 3]) {
    store.rows.set(merchantId, [row(BigInt(merchantId))]);
    sequencer.changed(merchantId);
  }
  store.lose = 1;
  await clock.pass(500);
  t.deepEqual(store.transactions, [[1], [2], [3]]);
  await sequencer.stop();
});

test("many rows are numbered in several transactions without a pause, and other merchants' rows between them", async (t) => {
  const { clock, store, sequencer } = begin(2);
  store.rows.set(1, times(2_300));
  store.rows.set(2, times(1, 5_000n));
  sequencer.changed(1);
  sequencer.changed(2);
  await clock.pass(500);
  t.deepEqual(
    store.written.map(({ merchantId, lines }) => [merchantId, lines.length]),
    [
      [1, 1_000],
      [2, 1],
      [1, 1_000],
      [1, 300],
    ],
  );
  t.is(store.lastNumber(1), 2_300n);
  await sequencer.stop();
});

test("a stop waits for the transactions in progress, and begins no other merchant", async (t) => {
  const { clock, store, sequencer } = begin(5_000);
  const held = Promise.withResolvers<void>();
  store.held = held.promise;
  for (let merchantId = 1; merchantId <= 5_000; merchantId++) store.rows.set(merchantId, times(2_000));
  for (let merchantId = 1; merchantId <= 100; merchantId++) sequencer.changed(merchantId);
  await clock.pass(500);
  const stopped = sequencer.stop();
  held.resolve();
  await stopped;
  await clock.pass(5_000);
  t.deepEqual(store.queries, ["rows 32", "rows 32", "rows 32", "rows 4"]);
  t.deepEqual(
    store.written.map(({ merchantId }) => merchantId).sort((a, b) => a - b),
    [1, 33, 65, 97],
  );
});

test("the lag is the age of the oldest change without a number; it grows while the store fails, and ends when the change is numbered", async (t) => {
  const { clock, store, sequencer } = begin(2);
  t.is(sequencer.lagMs, 0);
  store.rows.set(1, [row(1n)]);
  store.broken.add(1);
  sequencer.changed(1);
  await clock.pass(5_000);
  t.is(sequencer.lagMs, 5_000);
  t.true(sequencer.scanAgeMs <= 1_000);
  store.rows.set(2, [row(2n)]);
  sequencer.changed(2);
  await clock.pass(1_000);
  t.is(sequencer.lagMs, 6_000, "another merchant's number does not end it");
  store.broken.clear();
  await clock.pass(500);
  t.is(sequencer.lagMs, 0);
  await sequencer.stop();
  await clock.pass(3_000);
  t.true(sequencer.scanAgeMs >= 3_000);
});

test("the age of a change that comes during a numbering is counted from the beginning of this numbering", async (t) => {
  const { clock, store, sequencer } = begin(1);
  const held = Promise.withResolvers<void>();
  store.held = held.promise;
  store.rows.set(1, [row(1n)]);
  sequencer.changed(1);
  await clock.pass(700);
  sequencer.changed(1);
  await clock.pass(100);
  t.is(sequencer.lagMs, 800);
  held.resolve();
  await clock.pass(100);
  t.is(sequencer.lagMs, 400);
  await clock.pass(1_000);
  t.is(sequencer.lagMs, 0);
  await sequencer.stop();
});
