import { randomBytes } from "node:crypto";
import test from "ava";
import { SqlConsoleSessionStore } from "../../../src/adapters/sql/access/console-session-store.ts";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../../src/adapters/system/system-random.ts";
import { AdminKeys } from "../../../src/app/access/admin-keys.ts";
import { ConsoleSessions } from "../../../src/app/access/console-sessions.ts";
import { RateLimits } from "../../../src/app/capacity/rate-limits.ts";
import { WrongKeys } from "../../../src/app/capacity/wrong-keys.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

const KEY = "an-admin-key-for-this-test-only";

const database = openDatabase("sqlite::memory:");
test.before(() => migrate(database));
test.after.always(() => database.close());

class CountingStore extends SqlConsoleSessionStore {
  reads = 0;

  override use(idHash: string) {
    this.reads += 1;
    return super.use(idHash);
  }
}

/** Two replicas with one store. */
function replicas(secret: Uint8Array, otherSecret = secret) {
  const [clock, telemetry] = [new SystemClock(), new RecordedTelemetry()];
  const store = new CountingStore(database);
  const keys = new AdminKeys({ adminKeyByHash: () => undefined, readForUnknown: async () => true }, KEY);
  const make = (one: Uint8Array) =>
    new ConsoleSessions(
      keys,
      store,
      { record: async () => {} },
      { ensureFresh: async () => true },
      new WrongKeys(new RateLimits(clock, () => 1), clock, telemetry),
      new SystemRandom(),
      one,
    );
  return { store, first: make(secret), second: make(otherSecret) };
}

test("an invented session id is refused without a read of the store; a real one is found on every replica", async (t) => {
  const { store, first, second } = replicas(randomBytes(32));
  const made = await first.signIn(KEY, "127.0.0.1");
  const id = made.ok ? made.value.id : "";
  const changed = `${id.slice(0, -2)}${id.at(-2) === "A" ? "B" : "A"}${id.at(-1)}`;
  for (const invented of [randomBytes(32).toString("base64url"), changed, id.slice(1), `${id}A`, ""]) {
    t.false(second.isOwn(invented));
    t.deepEqual(await second.find(invented), { ok: true, value: undefined });
  }
  t.is(store.reads, 0);
  const found = await second.find(id);
  t.true(found.ok && found.value?.role === "owner");
  t.is(store.reads, 1);
});

test("invented session ids of an address are limited like wrong keys", (t) => {
  const { first } = replicas(randomBytes(32));
  const codes = Array.from({ length: 70 }, () => first.refuseInvented("192.0.2.1").refusal.code);
  t.is(codes.filter((code) => code === "INVALID_API_KEY").length, 60);
  t.is(codes.at(-1), "RATE_LIMITED");
});

test("a session of a service with another secret is an invented one", async (t) => {
  const { first, second } = replicas(randomBytes(32), randomBytes(32));
  const made = await first.signIn(KEY, "127.0.0.1");
  t.false(second.isOwn(made.ok ? made.value.id : ""));
});
