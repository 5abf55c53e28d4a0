import test from "ava";
import type { AttemptResult } from "../../../contract/wallet/results.ts";
import { WalletPermits } from "../../../src/app/capacity/wallet-permits.ts";
import { WalletRecorder } from "../../../src/app/console/wallet-recorder.ts";
import { percentile } from "../../../src/domain/values/latency-histogram.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { SPANS, type WalletSums } from "../../../src/ports/transactions/wallet-minutes.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";
import { MemoryWalletMinutes } from "../../../testbed/memory/wallet-minutes.ts";

/** A whole hour. */
const BEGIN = 1_767_225_600_000;
const MINUTE = SPANS.minute;

/** A store that a test can make fail. */
class BreakingMinutes extends MemoryWalletMinutes {
  broken = false;
  override async store(replica: string, sums: readonly WalletSums[]): Promise<void> {
    if (this.broken) throw new Error("no database");
    await super.store(replica, sums);
  }
}

const record = (recorder: WalletRecorder, merchantId: number, result: AttemptResult, durationMs: number): void =>
  recorder.walletCall({ merchantId, merchantCode: `m${merchantId}`, kind: "money", result, durationMs });

function recorder(startMs = 10_000) {
  const clock = new ManualClock(BEGIN + startMs);
  const telemetry = new RecordedTelemetry();
  const minutes = new BreakingMinutes(() => clock.now());
  const permits = new WalletPermits(clock, telemetry, 64);
  let backMs = 0;
  const settings = { databaseNow: () => wholeMs(clock.now() - backMs) };
  const recorded = new WalletRecorder(minutes, "a", permits, settings, clock, telemetry);
  recorded.start();
  const setBack = (ms: number) => {
    backMs = ms;
  };
  const read = (span: WalletSums["span"] = MINUTE) => minutes.read([1, 2], span, 0, Number.MAX_SAFE_INTEGER);
  return { clock, telemetry, minutes, permits, recorded, setBack, read };
}

test("the calls of a minute are stored when the minute is over, by merchant and result", async (t) => {
  const { clock, recorded, read } = recorder();
  for (const result of ["accepted", "accepted", "rejected", "timeout", "http_5xx", "connect", "tls"] as const)
    record(recorded, 1, result, 20);
  for (const result of ["not_json", "no_ok", "no_balance", "too_large"] as const) record(recorded, 2, result, 900);
  await clock.pass(45_000);
  t.deepEqual(await read(), []);
  await clock.pass(10_000);
  const stored = await read();
  t.deepEqual(
    stored.map(({ merchantId, at, calls }) => [merchantId, at, calls]),
    [
      [1, BEGIN, [2, 1, 1, 1, 0, 2]],
      [2, BEGIN, [0, 0, 0, 0, 4, 0]],
    ],
  );
  t.is(percentile(stored[0]?.durations ?? [], 0.5), 19);
  t.is(percentile(stored[1]?.durations ?? [], 0.99), 861);
});

test("a call counts in the minute in which it ended, also before the recorder's next round", async (t) => {
  const { clock, recorded, read } = recorder(12_000);
  record(recorded, 1, "accepted", 5);
  // The last round is at 57 s, the next at 62 s.
  await clock.pass(49_000);
  record(recorded, 1, "rejected", 5);
  await clock.pass(2 * MINUTE);
  t.deepEqual(
    (await read()).map(({ at, calls }) => [at, calls.slice(0, 2)]),
    [
      [BEGIN, [1, 0]],
      [BEGIN + MINUTE, [0, 1]],
    ],
  );
});

test("if the database's clock steps back into the minute before, no call is lost", async (t) => {
  const { clock, recorded, setBack, read } = recorder(12_000);
  record(recorded, 1, "accepted", 5);
  await clock.pass(48_000);
  record(recorded, 1, "accepted", 5);
  setBack(500);
  record(recorded, 1, "accepted", 5);
  await clock.pass(2 * MINUTE);
  t.deepEqual(
    (await read()).map(({ at, calls }) => [at, calls[0]]),
    [
      [BEGIN, 1],
      [BEGIN + MINUTE, 2],
    ],
  );
});

test("the sums of an hour are those of its minutes, and the next hour begins with zero", async (t) => {
  const { clock, recorded, read } = recorder();
  for (let minute = 0; minute < 61; minute++) {
    record(recorded, 1, "accepted", 5);
    await clock.pass(MINUTE);
  }
  const hours = await read(SPANS.hour);
  t.deepEqual(
    hours.map(({ at, calls }) => [at, calls[0]]),
    [
      [BEGIN, 60],
      [BEGIN + SPANS.hour, 1],
    ],
  );
  t.is((await read()).length, 61);
});

test("sums that can't be stored are stored later, and the failure is reported", async (t) => {
  const { clock, recorded, minutes, telemetry, read } = recorder();
  minutes.broken = true;
  record(recorded, 1, "accepted", 5);
  await clock.pass(MINUTE);
  record(recorded, 1, "rejected", 5);
  await clock.pass(MINUTE);
  t.deepEqual(await read(), []);
  t.true(telemetry.errors.length > 0);
  minutes.broken = false;
  await clock.pass(5_000);
  t.deepEqual(
    (await read()).map(({ at, calls }) => [at, calls.slice(0, 2)]),
    [
      [BEGIN, [1, 0]],
      [BEGIN + MINUTE, [0, 1]],
    ],
  );
});

test("while the database is unavailable, only the newest sums are kept, up to a limit", async (t) => {
  const { clock, recorded, minutes, read } = recorder();
  minutes.broken = true;
  // Two lines a minute for each merchant, and 10 000 lines are kept.
  for (let minute = 0; minute < 3; minute++) {
    for (let merchant = 1; merchant <= 4_000; merchant++) record(recorded, merchant, "accepted", 5);
    await clock.pass(MINUTE);
  }
  minutes.broken = false;
  await clock.pass(5_000);
  const all = await minutes.read(
    Array.from({ length: 4_000 }, (_, i) => i + 1),
    MINUTE,
    0,
    Number.MAX_SAFE_INTEGER,
  );
  t.is(all.length, 5_000);
  t.is((await read()).at(-1)?.at, wholeMs(BEGIN + 2 * MINUTE));
});

test("the highest number of permits in use and an open breaker are stored, even without a call", async (t) => {
  const { clock, recorded, permits, read } = recorder();
  const held = await Promise.all([1, 2, 3].map(() => permits.take(1, "debit", clock.monotonic() + 1_000)));
  for (const permit of held) permit?.release();
  record(recorded, 1, "accepted", 5);
  await clock.pass(MINUTE);
  for (let n = 0; n < 10; n++) permits.silent(1);
  await clock.pass(MINUTE);
  await clock.pass(MINUTE);
  t.deepEqual(
    (await read()).map(({ at, calls, permitsHeld, permits: most, breakerPermits }) => [
      (at - BEGIN) / MINUTE,
      calls[0],
      permitsHeld,
      most,
      breakerPermits,
    ]),
    [
      [0, 1, 3, 64, null],
      [1, 0, 0, 64, 4],
      [2, 0, 0, 64, 4],
    ],
  );
});

test("a stop stores the sums of the minute that has begun", async (t) => {
  const { clock, recorded, read } = recorder();
  record(recorded, 1, "accepted", 5);
  await clock.pass(1_000);
  await recorded.stop();
  t.deepEqual(
    (await read()).map(({ calls }) => calls[0]),
    [1],
  );
});
