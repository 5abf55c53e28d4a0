import { createHash } from "node:crypto";
import test from "ava";
import { Settings } from "../../../src/app/runtime/settings.ts";
import type { ProviderCode } from "../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import type { EpochReading, GamePosition, GameSlice, SettingsChanges } from "../../../src/ports/settings-store.ts";
import { gameRecord, merchantRecord, providerRecord } from "../../../testbed/directory/records.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";
import { MemorySettingsStore } from "../../../testbed/memory/settings-store.ts";

/** Counts its queries, and fails or hangs on demand. */
class CountingStore extends MemorySettingsStore {
  epochs = 0;
  loads = 0;
  state: "well" | "down" | "hung" = "well";

  override async epoch(): Promise<EpochReading> {
    this.epochs += 1;
    if (this.state === "down") throw new Error("no database");
    if (this.state === "hung") return new Promise(() => {});
    return super.epoch();
  }

  override async load(since: bigint): Promise<SettingsChanges> {
    this.loads += 1;
    return super.load(since);
  }
}

async function started(t: { teardown(run: () => void): void }) {
  const clock = new ManualClock();
  const store = new CountingStore(clock);
  const telemetry = new RecordedTelemetry();
  const settings = new Settings(store, clock, telemetry);
  await settings.start();
  t.teardown(() => settings.stop());
  const saveMerchant = (secret: string) =>
    store.save({ kind: "merchant", merchant: merchantRecord("casa", { secret }) });
  return { clock, store, settings, telemetry, saveMerchant };
}

test("a change of the settings is known at most a quarter of a second later", async (t) => {
  const { clock, settings, store, saveMerchant } = await started(t);
  await saveMerchant("one");
  t.is(settings.merchant("casa"), undefined);
  await clock.pass(250);
  const merchant = settings.merchant("casa");
  t.is(merchant?.secret, "one");
  t.is(settings.merchantById(merchant?.id ?? 0), merchant);
  await saveMerchant("two");
  await clock.pass(250);
  t.is(settings.merchant("casa")?.secret, "two");
  t.is(settings.merchantById(merchant?.id ?? 0)?.secret, "two");
  t.is(settings.merchants().length, 1);
  const loads = store.loads;
  await clock.pass(2_500);
  t.is(store.loads, loads, "nothing changed, nothing loaded");
});

test("the overlap of two secrets ends by the store's clock, even between two reads", async (t) => {
  const clock = new ManualClock();
  const storeClock = new ManualClock();
  let aheadMs = 7_200_000;
  storeClock.now = () => clock.now() + aheadMs;
  const store = new MemorySettingsStore(storeClock);
  const rotationEndsAt = storeClock.now() + 1_600;
  const secrets = { secret: "new", secretVersion: 2, previousSecret: "old", rotationEndsAt };
  await store.save({ kind: "merchant", merchant: merchantRecord("casa", secrets) });
  const settings = new Settings(store, clock, new RecordedTelemetry());
  await settings.start();
  t.teardown(() => settings.stop());
  const counting = () => Object.values(settings.secretsOf(settings.merchant("casa") ?? t.fail()));
  t.is(settings.databaseNow(), wholeMs(storeClock.now()));
  for (let ms = 0; ms < 1_500; ms += 100) {
    t.deepEqual(counting(), ["old", "new"], `after ${ms} ms`);
    await clock.pass(100);
  }
  await clock.pass(99);
  t.deepEqual(counting(), ["old", "new"]);
  await clock.pass(1);
  t.deepEqual(counting(), ["new", null]);

  // The store's clock is set back; the next read of the epoch notices it.
  aheadMs -= 60_000;
  await clock.pass(250);
  t.deepEqual(counting(), ["old", "new"]);
});

test("settings are fresh if their last read began within the last second; a replica with stale settings reads them before it answers", async (t) => {
  const { clock, settings, saveMerchant } = await started(t);
  t.true(settings.isFresh());
  clock.jump(1_000);
  t.true(settings.isFresh());
  clock.jump(1);
  t.false(settings.isFresh(), "its loop was blocked: no timer ran");
  await saveMerchant("one");
  t.true(await settings.ensureFresh());
  t.is(settings.merchant("casa")?.secret, "one");
});

test("ensureFresh reads nothing while the settings are fresh, and concurrent callers share one read", async (t) => {
  const { clock, settings, store } = await started(t);
  const before = store.epochs;
  t.true(await settings.ensureFresh());
  t.is(store.epochs, before);
  clock.jump(5_000);
  t.deepEqual(await Promise.all(Array.from({ length: 50 }, () => settings.ensureFresh())), Array(50).fill(true));
  t.is(store.epochs, before + 1);
});

test("settings become stale while the database is unavailable, and fresh again when it is available", async (t) => {
  const { clock, settings, store, telemetry } = await started(t);
  store.state = "down";
  await clock.pass(900);
  t.true(settings.isFresh());
  await clock.pass(300);
  t.false(await settings.ensureFresh());
  t.true(telemetry.errors.length > 0);
  store.state = "well";
  t.true(await settings.ensureFresh());
});

test("a hanging database read is abandoned after a second and repeated", async (t) => {
  const { clock, settings, store } = await started(t);
  store.state = "hung";
  await clock.pass(1_300);
  const fresh = settings.ensureFresh();
  await clock.pass(2_000);
  t.false(await fresh);
  store.state = "well";
  await clock.pass(1_500);
  t.true(settings.isFresh());
});

/** Holds chosen reads until the test releases them. */
class HeldStore extends MemorySettingsStore {
  readonly held: (() => void)[] = [];
  holds: "load" | "games" | null = null;
  loads = 0;
  gamesRead = 0;
  /** The largest number of concurrent reads of settings and games. */
  most = 0;
  #now = 0;

  override async load(since: bigint): Promise<SettingsChanges> {
    this.loads += 1;
    return this.#hold("load", () => super.load(since));
  }

  override async games(after: GamePosition, upTo: bigint, limit: number): Promise<GameSlice> {
    const slice = await this.#hold("games", () => super.games(after, upTo, limit));
    this.gamesRead += slice.games.length;
    return slice;
  }

  async #hold<T>(what: "load" | "games", read: () => Promise<T>): Promise<T> {
    this.#now += 1;
    this.most = Math.max(this.most, this.#now);
    const answer = await read();
    if (this.holds === what) await new Promise<void>((resolve) => void this.held.push(resolve));
    this.#now -= 1;
    return answer;
  }

  release(): void {
    for (const release of this.held.splice(0)) release();
  }
}

async function holding(t: { teardown(run: () => void): void }) {
  const clock = new ManualClock();
  const store = new HeldStore(clock);
  const settings = new Settings(store, clock, new RecordedTelemetry());
  await settings.start();
  t.teardown(() => settings.stop());
  const saveMerchant = (secret: string) =>
    store.save({ kind: "merchant", merchant: merchantRecord("casa", { secret }) });
  const saveGames = (...games: readonly ReturnType<typeof gameRecord>[]) =>
    store.save({ kind: "games", provider: "ACME" as ProviderCode, games });
  await store.save({ kind: "provider", provider: providerRecord("ACME", []) });
  await saveGames(gameRecord("fruits"));
  await clock.pass(250);
  store.loads = 0;
  return { clock, store, settings, saveMerchant, saveGames };
}

const manyGames = (count: number) => Array.from({ length: count }, (_, n) => gameRecord(`many-${n}`));

test("a load of the settings that takes more than a second runs alone, and its result is used", async (t) => {
  const { clock, store, settings, saveMerchant } = await holding(t);
  store.holds = "load";
  store.most = 0;
  await saveMerchant("one");
  await clock.pass(3_000);
  t.is(store.loads, 1, "no second load began beside it");
  t.is(store.most, 1);
  const fresh = settings.ensureFresh();
  store.holds = null;
  await saveMerchant("two");
  store.release();
  t.true(await fresh, "who waited for it is served");
  t.is(settings.merchant("casa")?.secret, "two", "by what was read after the long load");
  await clock.pass(1_000);
  t.true(settings.isFresh());
});

test("the games of a large change are read in the background: merchants stay fresh, and a single changed game is read next", async (t) => {
  const { clock, store, settings, saveMerchant, saveGames } = await holding(t);
  store.holds = "games";
  store.gamesRead = 0;
  await saveGames(...manyGames(2_000));
  await clock.pass(3_000);
  t.true(settings.isFresh(), "not a slice of them has come");
  t.is(settings.games().length, 2);
  await saveMerchant("one");
  await saveGames(gameRecord("fruits", { active: false }));
  await clock.pass(250);
  t.is(settings.merchant("casa")?.secret, "one");
  // One slice of the large change is in progress; the single game is next.
  store.release();
  await clock.pass(0);
  store.release();
  await clock.pass(0);
  t.false(settings.game("ACME", "fruits")?.active);
  t.true(store.gamesRead < 600, `${store.gamesRead} games were read before it`);
  t.true(settings.isFresh());

  const [all, some] = [settings.refreshGames(), settings.refresh()];
  t.true(await some, "who needs no games does not wait for them");
  store.holds = null;
  store.release();
  t.true(await all);
  t.is(settings.games().length, 2_002);
  t.is(store.most, 2, "one slice, and a load beside it");
});

test("settings are not fresh until the games of a small change are read", async (t) => {
  const { clock, store, settings, saveGames } = await holding(t);
  store.holds = "games";
  await saveGames(gameRecord("fruits", { active: false }));
  await clock.pass(1_500);
  t.false(settings.isFresh());
  store.holds = null;
  store.release();
  await clock.pass(250);
  t.true(settings.isFresh());
  t.false(settings.game("ACME", "fruits")?.active);
});

test("games that can't be read are read again, and no change is lost", async (t) => {
  class Failing extends MemorySettingsStore {
    failures = 0;
    override async games(after: GamePosition, upTo: bigint, limit: number): Promise<GameSlice> {
      if (this.failures-- > 0) throw new Error("no database");
      return super.games(after, upTo, limit);
    }
  }
  const clock = new ManualClock();
  const store = new Failing(clock);
  const telemetry = new RecordedTelemetry();
  const settings = new Settings(store, clock, telemetry);
  await settings.start();
  t.teardown(() => settings.stop());
  await store.save({ kind: "provider", provider: providerRecord("ACME", []) });
  store.failures = 2;
  await store.save({ kind: "games", provider: "ACME" as ProviderCode, games: manyGames(1_200) });
  await clock.pass(1_250);
  t.is(settings.games().length, 1_201);
  t.true(telemetry.errors.length > 0);
  store.failures = Number.POSITIVE_INFINITY;
  await store.save({ kind: "games", provider: "ACME" as ProviderCode, games: manyGames(1_300) });
  await clock.pass(0);
  t.false(await settings.refreshGames(), "the waiting caller gets false");
  store.failures = 0;
  t.true(await settings.refreshGames());
  t.is(settings.games().length, 1_301);
});

test("a caller that asks for a refresh during a read gets the settings of a later read", async (t) => {
  const { clock, store, settings, saveMerchant } = await holding(t);
  await saveMerchant("one");
  store.holds = "load";
  const first = settings.refresh();
  await clock.pass(0);
  await saveMerchant("two");
  const second = settings.refresh();
  const third = settings.refresh();
  store.holds = null;
  store.release();
  t.true(await first);
  t.is(settings.merchant("casa")?.secret, "one");
  t.deepEqual(await Promise.all([second, third]), [true, true]);
  t.is(settings.merchant("casa")?.secret, "two");
  t.is(store.loads, 2, "the two that waited share one");
});

test("a refresh whose read hangs is repeated once; it fails if the second read fails, too", async (t) => {
  const { clock, settings, store, saveMerchant } = await started(t);
  await saveMerchant("one");
  store.state = "hung";
  const first = settings.refresh();
  store.state = "well";
  await clock.pass(1_000);
  t.true(await first);
  t.is(settings.merchant("casa")?.secret, "one");
  store.state = "hung";
  const second = settings.refresh();
  await clock.pass(2_000);
  t.false(await second);
});

test("readForUnknown: callers share a read that begins after their calls; there are at most ten such reads a second", async (t) => {
  const { clock, settings, store, saveMerchant } = await started(t);
  const before = store.epochs;
  await saveMerchant("one");
  t.deepEqual(await Promise.all([settings.readForUnknown(), settings.readForUnknown()]), [true, true]);
  t.is(settings.merchant("casa")?.secret, "one");
  t.is(store.epochs, before + 1);

  const looks: Promise<boolean>[] = [];
  for (let ms = 0; ms < 1_000; ms += 5) {
    looks.push(settings.readForUnknown());
    await clock.pass(5);
  }
  await clock.pass(100);
  await Promise.all(looks);
  const polls = 4;
  t.true(store.epochs - before - 1 <= 10 + polls + 1, `${store.epochs - before - 1} reads in a second`);

  await saveMerchant("two");
  const look = settings.readForUnknown();
  await clock.pass(100);
  t.true(await look);
  t.is(settings.merchant("casa")?.secret, "two");
  store.state = "down";
  const failed = settings.readForUnknown();
  await clock.pass(100);
  t.false(await failed);
});

test("a provider is found by each of its keys until the key is revoked or expires", async (t) => {
  const { clock, settings, store } = await started(t);
  const hash = (key: string) => createHash("sha256").update(key).digest("hex");
  const key = (name: string, more = {}) => ({ name, hash: hash(name), expiresAt: null, revoked: false, ...more });
  const acme = providerRecord("ACME", []);
  await store.save({
    kind: "provider",
    provider: {
      ...acme,
      keys: [key("good"), key("soon over", { expiresAt: clock.now() + 1_000 }), key("bad", { revoked: true })],
    },
  });
  await clock.pass(250);
  for (const name of ["good", "soon over"]) t.is(settings.providerByKey(name)?.code, "ACME" as ProviderCode, name);
  for (const name of ["bad", "unknown", "", hash("good")]) t.is(settings.providerByKey(name), undefined, name);
  await clock.pass(1_000);
  t.is(settings.providerByKey("soon over"), undefined);

  await store.save({ kind: "provider", provider: { ...acme, keys: [key("next")] } });
  await clock.pass(250);
  t.is(settings.providerByKey("good"), undefined, "taken away");
  t.is(settings.providerByKey("next")?.code, "ACME" as ProviderCode);
});

test("a game is found by provider and code, or by code alone; the list of all games is sorted", async (t) => {
  const { clock, settings, store } = await started(t);
  for (const code of ["B_ONE", "A_ONE"]) {
    await store.save({ kind: "provider", provider: providerRecord(code, []) });
    await store.save({ kind: "games", provider: code as ProviderCode, games: [gameRecord("z"), gameRecord("a")] });
  }
  await clock.pass(250);
  const names = (games: ReturnType<Settings["games"]>) => games.map((game) => `${game.provider}/${game.code}`);
  t.deepEqual(names(settings.games()), ["A_ONE/a", "A_ONE/z", "B_ONE/a", "B_ONE/z", "SPORTSBOOK/sportsbook"]);
  t.deepEqual(names(settings.gamesByCode("z")).sort(), ["A_ONE/z", "B_ONE/z"]);
  t.deepEqual(settings.gamesByCode("nothing"), []);
  await store.save({
    kind: "games",
    provider: "A_ONE" as ProviderCode,
    games: [gameRecord("z", { active: false }), gameRecord("b")],
  });
  await clock.pass(250);
  t.false(settings.game("A_ONE", "z")?.active);
  t.deepEqual(
    settings
      .gamesByCode("z")
      .map((game) => game.active)
      .sort(),
    [false, true],
  );
  t.deepEqual(names(settings.games()).slice(0, 3), ["A_ONE/a", "A_ONE/b", "A_ONE/z"]);
});

test("start throws if the database is unavailable", async (t) => {
  class Broken extends MemorySettingsStore {
    override async load(): Promise<SettingsChanges> {
      throw new Error("no database");
    }
  }
  const clock = new ManualClock();
  await t.throwsAsync(new Settings(new Broken(clock), clock, new RecordedTelemetry()).start(), {
    message: "no database",
  });
});
