import test from "ava";
import { hourSums, numbered, Sequencer } from "../../src/app/sequencer.ts";
import { NEVER } from "../../src/domain/transaction.ts";
import { ChangeStore, type HourSum, type NumberLine, type UnnumberedRow } from "../../src/ports/change-store.ts";
import { ManualClock } from "../harness/manual-clock.ts";
import { RecordedTelemetry } from "../harness/recorded-telemetry.ts";

const HOUR = 3_600_000;
const row = (id: bigint, more: Partial<UnnumberedRow> = {}): UnnumberedRow => ({
  id,
  status: "success",
  action: "bet",
  amountMinor: 100n,
  createdAt: 10 * HOUR + 5,
  gameId: 1,
  orphaned: false,
  readAt: 11 * HOUR,
  ...more,
});

test("rows are numbered in their order, as they were seen", (t) => {
  t.deepEqual(numbered([row(30n), row(31n, { status: "failed" })]), [
    { id: 30n, seen: "success" },
    { id: 31n, seen: "failed" },
  ]);
});

test("an orphaned credit is due now; an orphaned debit waits for its provider", (t) => {
  const lines = numbered((["win", "refund", "bet", "rollback"] as const).map((action, i) => row(BigInt(i), { action, status: "pending", orphaned: true })));
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
  ]);
  t.deepEqual(sums, [
    { hour: 10 * HOUR, gameId: 1, action: "bet", count: 2, sumMinor: 150n },
    { hour: 11 * HOUR, gameId: 1, action: "bet", count: 1, sumMinor: 100n },
    { hour: 10 * HOUR, gameId: 1, action: "win", count: 1, sumMinor: 100n },
    { hour: 10 * HOUR, gameId: 2, action: "bet", count: 1, sumMinor: 100n },
  ]);
});

/** Rows per merchant; refuses as many numberings as it is told to, as if another replica were faster. */
class QueuedChanges extends ChangeStore {
  readonly rows = new Map<number, UnnumberedRow[]>();
  readonly asked: number[] = [];
  readonly written: { merchantId: number; lines: readonly NumberLine[]; sums: readonly HourSum[] }[] = [];
  lose = 0;
  #seq = 0n;

  override async unnumbered(merchantId: number, limit: number) {
    this.asked.push(merchantId);
    return { seq: this.#seq, rows: (this.rows.get(merchantId) ?? []).slice(0, limit) };
  }

  override async number(merchantId: number, seq: bigint, lines: readonly NumberLine[], sums: readonly HourSum[]) {
    if (this.lose-- > 0 || seq !== this.#seq) return false;
    this.#seq = seq + BigInt(lines.length);
    this.rows.set(merchantId, (this.rows.get(merchantId) ?? []).slice(lines.length));
    this.written.push({ merchantId, lines, sums });
    return true;
  }
}

test("a changed merchant is numbered in the next round, every merchant within two seconds, a lost race in the round after", async (t) => {
  const clock = new ManualClock();
  const store = new QueuedChanges();
  const sequencer = new Sequencer(store, () => [1, 2], clock, new RecordedTelemetry());
  sequencer.start();
  await clock.pass(500);
  t.deepEqual(store.asked, [1, 2]);

  store.rows.set(2, [row(1n)]);
  store.lose = 1;
  sequencer.changed(2);
  await clock.pass(500);
  t.is(store.written.length, 0);
  await clock.pass(500);
  t.is(store.written.length, 1);

  // Left behind by a replica that died: nobody here knows of it.
  store.rows.set(1, [row(2n)]);
  await clock.pass(2_000);
  t.is(store.written.length, 2);
  await sequencer.stop();
  const asked = store.asked.length;
  await clock.pass(5_000);
  t.is(store.asked.length, asked);
});

test("more rows than one round takes are numbered at once, in pieces", async (t) => {
  const clock = new ManualClock();
  const store = new QueuedChanges();
  store.rows.set(
    1,
    Array.from({ length: 2_300 }, (_, i) => row(BigInt(i))),
  );
  const sequencer = new Sequencer(store, () => [1], clock, new RecordedTelemetry());
  sequencer.start();
  await clock.pass(500);
  t.deepEqual(
    store.written.map((one) => one.lines.length),
    [1_000, 1_000, 300],
  );
  t.is((await store.unnumbered(1, 1)).seq, 2_300n);
  await sequencer.stop();
});
