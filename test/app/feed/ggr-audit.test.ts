import test from "ava";
import { GgrAudit } from "../../../src/app/feed/ggr-audit.ts";
import { type GgrDifference, GgrStore } from "../../../src/ports/transactions/ggr-store.ts";
import { merchantRecord } from "../../../testbed/directory/records.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";
import { MemoryGgrAudits } from "../../../testbed/memory/ggr-audits.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** A store in which the comparisons of chosen merchants find wrong sums or fail. Each comparison takes `tookMs`. */
class Sums extends GgrStore {
  readonly queries: string[] = [];
  readonly broken = new Set<number>();
  /** The days without sums by game; undefined: they can't be read. */
  incomplete: Map<number, readonly string[]> | undefined = new Map();
  readonly #clock: ManualClock;
  tookMs = 1;

  constructor(clock: ManualClock) {
    super();
    this.#clock = clock;
  }

  override read(): never {
    throw new Error("nobody asks for a report here");
  }

  override async incompleteDays(merchantId: number, before: number): Promise<number[]> {
    if (this.incomplete === undefined) throw new Error("the read took too long");
    return (this.incomplete.get(merchantId) ?? []).map((day) => Date.parse(day)).filter((day) => day < before);
  }

  override async sumGames(merchantId: number, day: number): Promise<void> {
    this.queries.push(`${merchantId} games of ${new Date(day).toISOString().slice(0, 10)}`);
    await new Promise<void>((resolve) => void this.#clock.after(this.tookMs, resolve));
  }

  override async difference(merchantId: number, from: number, to: number): Promise<GgrDifference | null> {
    this.queries.push(`${merchantId} ${new Date(from).toISOString().slice(0, 13)} ${(to - from) / HOUR_MS}`);
    await new Promise<void>((resolve) => void this.#clock.after(this.tookMs, resolve));
    if (this.broken.has(merchantId)) throw new Error("a row is locked");
    return merchantId === 8 ? { text: "a bet too many", ggrMinor: -1_250n } : null;
  }
}

const named = (id: number) => ({ ...merchantRecord(id === 8 ? "wrong" : `shop-${id}`), id });

function begin(merchants: readonly number[], at: string) {
  const clock = new ManualClock(Date.parse(at));
  const [store, audits, telemetry] = [new Sums(clock), new MemoryGgrAudits(() => clock.now()), new RecordedTelemetry()];
  let replicas = 0;
  const start = () => {
    const audit = new GgrAudit(store, audits, `replica-${++replicas}`, () => merchants.map(named), clock, telemetry);
    audit.start();
    return audit;
  };
  return { clock, store, audits, telemetry, start };
}

test("yesterday's sums are compared once after 03:00 UTC, for any number of replicas and starts; a difference raises one alert", async (t) => {
  const { clock, store, telemetry, start } = begin([7, 8], "2026-01-02T02:00Z");
  const replicas = [start(), start(), start()];
  await clock.pass(HOUR_MS - 1);
  t.deepEqual(
    store.queries,
    ["7 2025-12-31T00 24", "8 2025-12-31T00 24"],
    "the last day that was over for three hours",
  );
  replicas.push(start());
  await clock.pass(24 * HOUR_MS);
  t.deepEqual(store.queries.slice(2), ["7 2026-01-01T00 24", "8 2026-01-01T00 24"]);
  const told = { difference: "a bet too many", ggr: "-12.5 BRL" };
  t.deepEqual(telemetry.alerts, [
    { name: "ggr_differs", fields: { merchant: "wrong", day: "2025-12-31", ...told } },
    { name: "ggr_differs", fields: { merchant: "wrong", day: "2026-01-01", ...told } },
  ]);
  for (const replica of replicas) await replica.stop();
  await clock.pass(48 * HOUR_MS);
  t.is(store.queries.length, 4);
});

test("a merchant whose sums can't be compared is reported, delays no other merchant, and only it is tried again", async (t) => {
  const { clock, store, telemetry, start } = begin([6, 7, 8], "2026-01-02T04:00Z");
  store.broken.add(6);
  const replica = start();
  await clock.pass(15 * MINUTE_MS);
  t.deepEqual(
    store.queries.map((query) => query[0]),
    ["6", "7", "8"],
  );
  t.deepEqual(
    telemetry.errors.map(({ what }) => what),
    ["the nightly comparison of sums of merchant shop-6"],
  );
  store.broken.clear();
  await clock.pass(HOUR_MS);
  t.deepEqual(
    store.queries.map((query) => query[0]),
    ["6", "7", "8", "6"],
  );
  t.is(telemetry.alerts.length, 1);
  await replica.stop();
});

test("a stop finishes the present merchant, and another replica continues with the next one", async (t) => {
  const { clock, store, start } = begin([1, 2, 3, 4], "2026-01-02T04:00Z");
  store.tookMs = MINUTE_MS;
  const replica = start();
  await clock.pass(10 * MINUTE_MS + 90_000);
  t.is(store.queries.length, 2);
  const stopped = replica.stop();
  await clock.pass(MINUTE_MS);
  await stopped;
  const other = start();
  await clock.pass(15 * MINUTE_MS);
  t.deepEqual(
    store.queries.map((query) => query[0]),
    ["1", "2", "3", "4"],
  );
  await other.stop();
});

test("the claim of a dead replica expires and another replica takes it; a working replica keeps its claim", async (t) => {
  const { clock, store, audits, telemetry, start } = begin([5, 6, 7, 8], "2026-01-02T04:00Z");
  await audits.claim("died", 25 * MINUTE_MS);
  const replicas = [start(), start()];
  await clock.pass(25 * MINUTE_MS);
  t.deepEqual(store.queries, []);
  // The whole comparison takes longer than the duration of a claim.
  store.tookMs = 12 * MINUTE_MS;
  await clock.pass(3 * HOUR_MS);
  t.deepEqual(
    store.queries.map((query) => query[0]),
    ["5", "6", "7", "8"],
  );
  t.is(telemetry.alerts.length, 1);
  await Promise.all(replicas.map((replica) => replica.stop()));
});

test("a replica that was paused until another took its claim raises no alert", async (t) => {
  const { clock, store, telemetry, start } = begin([8], "2026-01-02T04:00Z");
  store.tookMs = 44 * MINUTE_MS;
  const first = start();
  await clock.pass(11 * MINUTE_MS);
  store.tookMs = 15 * MINUTE_MS;
  const second = start();
  await clock.pass(44 * MINUTE_MS - 1);
  t.is(store.queries.length, 2);
  t.is(telemetry.alerts.length, 0, "the first one has its answer and no claim any more");
  await clock.pass(HOUR_MS);
  t.is(store.queries.length, 2);
  t.is(telemetry.alerts.length, 1);
  await Promise.all([first.stop(), second.stop()]);
});

test("before a merchant's sums are compared, days without sums by game are summed up; a failure is reported and does not stop the comparison", async (t) => {
  const { clock, store, telemetry, start } = begin([6, 7], "2026-01-02T04:00Z");
  store.incomplete = new Map([[6, ["2026-01-02", "2026-01-01", "2025-06-30"]]]);
  const replica = start();
  await clock.pass(15 * MINUTE_MS);
  t.deepEqual(store.queries, [
    "6 games of 2026-01-01",
    "6 games of 2025-06-30",
    "6 2026-01-01T00 24",
    "7 2026-01-01T00 24",
  ]);
  store.queries.length = 0;
  store.incomplete = undefined;
  await clock.pass(24 * HOUR_MS);
  t.deepEqual(store.queries, ["6 2026-01-02T00 24", "7 2026-01-02T00 24"]);
  t.deepEqual(
    telemetry.errors.map(({ what }) => what),
    ["the sums by game of merchant shop-6", "the sums by game of merchant shop-7"],
  );
  await replica.stop();
});

test("a stop waits only for the present day, another replica continues, and a long history does not lose the claim", async (t) => {
  const { clock, store, start } = begin([6], "2026-01-02T04:00Z");
  const days = ["2026-01-01", "2025-12-31", "2025-12-30", "2025-12-29"];
  store.incomplete = new Map([[6, days]]);
  store.tookMs = 20 * MINUTE_MS;
  const [replica, other] = [start(), start()];
  await clock.pass(60 * MINUTE_MS);
  t.deepEqual(store.queries, ["6 games of 2026-01-01", "6 games of 2025-12-31", "6 games of 2025-12-30"]);
  store.incomplete = new Map([[6, days.slice(3)]]);
  const stopped = replica.stop();
  await clock.pass(20 * MINUTE_MS);
  await stopped;
  await clock.pass(60 * MINUTE_MS);
  t.deepEqual(store.queries.slice(3), ["6 games of 2025-12-29", "6 2026-01-01T00 24"]);
  await other.stop();
});
