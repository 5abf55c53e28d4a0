import test, { type ExecutionContext } from "ava";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { SqlSourceHours } from "../../../src/adapters/sql/reports/source-hours.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { ReadSourceHealth } from "../../../src/app/console/source-health.ts";
import { SourceRecorder } from "../../../src/app/console/source-recorder.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { OpenFailed } from "../../../src/ports/sources/game-launcher.ts";
import { HOUR_MS, type SourceHour } from "../../../src/ports/sources/source-hours.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

/** A whole hour. */
const BEGIN = 1_767_225_600_000;
const ONE = "http://one:1";

/** A store that can be out of order. */
class BreakingHours extends SqlSourceHours {
  broken = false;
  override async store(replica: string, hours: readonly SourceHour[]): Promise<void> {
    if (this.broken) throw new Error("no database");
    await super.store(replica, hours);
  }
}

const opened = (recorder: SourceRecorder, provider: string, address: string, durationMs: number): void =>
  recorder.sourceAnswer({ provider, address, game: "fruits", durationMs });
const failed = (recorder: SourceRecorder, provider: string, address: string, fault: Error): void =>
  recorder.sourceAnswer({ provider, address, game: "fruits", durationMs: 5, fault });

/** Recorders of two replicas, and the health that both together have. */
async function replicas(t: ExecutionContext) {
  const database = openDatabase("sqlite::memory:");
  t.teardown(() => database.close());
  await migrate(database);
  const clock = new ManualClock(BEGIN + 10_000);
  const telemetry = new RecordedTelemetry();
  const store = new BreakingHours(database);
  const settings = { databaseNow: () => wholeMs(clock.now()) };
  const [a, b] = ["a", "b"].map((name) => new SourceRecorder(store, name, settings, clock, telemetry));
  if (a === undefined || b === undefined) throw new Error("no recorder");
  const health = new ReadSourceHealth(store, settings);
  const read = async (address = ONE, provider = "ACME") => (await health.of(["ACME", "NOVA"]))(provider, address);
  return { clock, telemetry, store, a, b, read };
}

test("the launches of all replicas are added up by provider and source, with the last success and failure", async (t) => {
  const { clock, a, b, read } = await replicas(t);
  opened(a, "ACME", ONE, 40.4);
  opened(a, "NOVA", ONE, 7);
  failed(b, "ACME", ONE, new OpenFailed("timeout", "too late"));
  clock.jump(5_000);
  opened(b, "ACME", ONE, 61);
  failed(a, "ACME", ONE, new Error("an error of another kind"));
  clock.jump(1_000);
  failed(b, "ACME", ONE, new OpenFailed("unreachable", "no connection"));
  t.is(await read(), undefined, "nothing is stored yet");
  await a.stop();
  await b.stop();
  t.deepEqual(await read(), {
    opened: 2,
    failed: 3,
    lastOpened: { at: BEGIN + 15_000, durationMs: 61 },
    lastFailed: { at: BEGIN + 16_000, fault: "unreachable", message: "no connection" },
  });
  t.like(await read(ONE, "NOVA"), { opened: 1, failed: 0, lastFailed: null });
  t.is(await read("http://two:1"), undefined);
});

test("new results are stored every 2 s, also those of a time without a database", async (t) => {
  const { clock, telemetry, store, a, read } = await replicas(t);
  a.start();
  opened(a, "ACME", ONE, 1);
  await clock.pass(2_000);
  t.is((await read())?.opened, 1);
  store.broken = true;
  opened(a, "ACME", ONE, 1);
  await clock.pass(2_000);
  t.is(telemetry.errors.length, 1);
  t.is((await read())?.opened, 1);
  store.broken = false;
  await clock.pass(2_000);
  t.is((await read())?.opened, 2);
  await a.stop();
});

test("launches of the last 24 hours are counted, and the last ones of the last 7 days are known", async (t) => {
  const { clock, a, read } = await replicas(t);
  opened(a, "ACME", ONE, 1);
  failed(a, "ACME", ONE, new OpenFailed("refused", "no such game"));
  clock.jump(HOUR_MS);
  opened(a, "ACME", ONE, 2);
  clock.jump(23 * HOUR_MS);
  await a.stop();
  t.like(await read(), { opened: 1, failed: 0, lastFailed: { fault: "refused", message: "no such game" } });
  clock.jump(6 * 24 * HOUR_MS);
  t.like(await read(), { opened: 0, lastOpened: { at: BEGIN + HOUR_MS + 10_000, durationMs: 2 }, lastFailed: null });
  clock.jump(HOUR_MS);
  t.is(await read(), undefined);
});

test("a long message is stored up to its 512th byte, and no character is cut in two", async (t) => {
  const { a, read } = await replicas(t);
  failed(a, "ACME", ONE, new OpenFailed("refused", "🎲".repeat(1_000)));
  await a.stop();
  const message = (await read())?.lastFailed?.message ?? "";
  t.true(message.length > 100 && Buffer.byteLength(message) <= 512, String(Buffer.byteLength(message)));
  t.true(message.isWellFormed());
});
