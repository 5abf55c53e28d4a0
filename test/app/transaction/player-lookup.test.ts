import test from "ava";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { PlayerLookup } from "../../../src/app/transaction/player-lookup.ts";
import type { PlayerId, ProviderCode } from "../../../src/domain/values/identifiers.ts";
import type { GamePosition, GameSlice } from "../../../src/ports/settings-store.ts";
import { gameRecord, merchantRecord, providerRecord } from "../../../testbed/directory/records.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";
import { MemorySessionStore } from "../../../testbed/memory/session-store.ts";
import { MemorySettingsStore } from "../../../testbed/memory/settings-store.ts";

const HOUR = 3_600_000;
const acme = "ACME" as ProviderCode;

/** A store that delays the games that it reads. */
class HeldSettings extends MemorySettingsStore {
  holds = false;
  readonly held: (() => void)[] = [];
  override async games(after: GamePosition, upTo: bigint, limit: number): Promise<GameSlice> {
    const slice = await super.games(after, upTo, limit);
    if (this.holds) await new Promise<void>((resolve) => void this.held.push(resolve));
    return slice;
  }
}

/** A store that reads a session at once, but delays the result until the test releases it. */
class SlowSessions extends MemorySessionStore {
  readonly held: (() => void)[] = [];
  holds = false;
  override async read(id: string) {
    const session = await super.read(id);
    if (this.holds) await new Promise<void>((resolve) => void this.held.push(resolve));
    return session;
  }
}

async function startLookup(t: { teardown(run: () => void): void }) {
  const clock = new ManualClock();
  const store = new HeldSettings(clock);
  await store.save({ kind: "provider", provider: providerRecord("ACME", []) });
  await store.save({ kind: "games", provider: acme, games: [gameRecord("fruits")] });
  await store.save({ kind: "merchant", merchant: merchantRecord("shop", { products: ["slot"] }) });
  const settings = new Settings(store, clock, new RecordedTelemetry());
  await settings.start();
  t.teardown(() => settings.stop());
  const sessions = new SlowSessions(clock);
  const player = { merchantId: settings.merchant("shop")?.id ?? 0, playerId: "ana" as PlayerId, playerRef: "ref-ana" };
  await sessions.create({
    ...player,
    id: "s1",
    provider: acme,
    game: "fruits",
    demo: false,
    language: "pt",
    country: "BR",
  });
  const players = new PlayerLookup(sessions, settings, clock, 24 * HOUR);
  const find = (game = "") => {
    const provider = settings.provider("ACME");
    if (provider === undefined) throw new Error("no provider");
    return players.find({ provider, sessionId: "s1", playerRef: "", game });
  };
  return { clock, store, settings, sessions, players, find };
}

test("if a session expires during its read, a later caller can place no bet in it", async (t) => {
  const { clock, sessions, players, find } = await startLookup(t);
  clock.jump(24 * HOUR - 1_000);
  sessions.holds = true;
  const first = find();
  await clock.pass(2_000);
  sessions.holds = false;
  for (const release of sessions.held) release();
  await first;
  const later = await find();
  if (!later.ok) return t.fail();
  t.like(await players.gate(later.value, "BRL", [{ roundId: "r", field: "round_id" }]), { code: "SESSION_EXPIRED" });
});

test("a look-up waits for a large change of games that is still being read, and reports an unknown game only after it", async (t) => {
  const { clock, store, find } = await startLookup(t);
  store.holds = true;
  await store.save({
    kind: "games",
    provider: acme,
    games: Array.from({ length: 1_000 }, (_, n) => gameRecord(`many-${n}`)),
  });
  await clock.pass(250);
  const [known, there, missing] = [find(), find("many-999"), find("nothing")];
  t.true((await known).ok, "a lookup of a known game does not wait");
  await clock.pass(2_000);
  t.deepEqual(await there, { ok: false, refusal: { code: "SERVICE_UNAVAILABLE" } });
  t.deepEqual(await missing, { ok: false, refusal: { code: "SERVICE_UNAVAILABLE" } });
  const again = [find("many-999"), find("nothing")] as const;
  store.holds = false;
  for (const release of store.held) release();
  t.true((await again[0]).ok);
  t.like(await again[1], { refusal: { code: "GAME_NOT_FOUND" } });
});
