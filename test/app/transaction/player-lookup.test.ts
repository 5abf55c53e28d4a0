import test from "ava";
import { MemorySessionStore } from "../../../src/adapters/memory/session-store.ts";
import { MemorySettingsStore } from "../../../src/adapters/memory/settings-store.ts";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { PlayerLookup } from "../../../src/app/transaction/player-lookup.ts";
import type { PlayerId, ProviderCode } from "../../../src/domain/values/identifiers.ts";
import type { GamePosition, GameSlice } from "../../../src/ports/settings-store.ts";
import { gameRecord, merchantRecord, providerRecord } from "../../../testbed/callers/rest-server.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

const HOUR = 3_600_000;
const acme = "ACME" as ProviderCode;

/** Holds the games that it is asked for. */
class HeldSettings extends MemorySettingsStore {
  holds = false;
  readonly held: (() => void)[] = [];
  override async games(after: GamePosition, upTo: bigint, limit: number): Promise<GameSlice> {
    const slice = await super.games(after, upTo, limit);
    if (this.holds) await new Promise<void>((resolve) => void this.held.push(resolve));
    return slice;
  }
}

/** Answers a read with what was there when it was asked, as late as it is told to. */
class SlowSessions extends MemorySessionStore {
  readonly held: (() => void)[] = [];
  holds = false;
  override async read(id: string) {
    const session = await super.read(id);
    if (this.holds) await new Promise<void>((resolve) => void this.held.push(resolve));
    return session;
  }
}

async function seated(t: { teardown(run: () => void): void }) {
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
  await sessions.create({ ...player, id: "s1", provider: acme, game: "fruits", demo: false, language: "pt", country: "BR" });
  const players = new PlayerLookup(sessions, settings, clock, 24 * HOUR);
  const find = (game = "") => {
    const provider = settings.provider("ACME");
    if (provider === undefined) throw new Error("no provider");
    return players.find({ provider, sessionId: "s1", playerRef: "", game });
  };
  return { clock, store, settings, sessions, seats: players, find };
}

test("a session that ran out while it was being read takes no bet of a caller who came later", async (t) => {
  const { clock, sessions, seats: players, find } = await seated(t);
  clock.jump(24 * HOUR - 1_000);
  sessions.holds = true;
  const first = find();
  await clock.pass(2_000);
  sessions.holds = false;
  for (const release of sessions.held) release();
  await first;
  const later = await find();
  if (!later.ok) return t.fail();
  t.like(await players.gate(later.value), { code: "SESSION_EXPIRED" });
});

test("a game of a large change that is still being read is waited for, and is unknown only then", async (t) => {
  const { clock, store, find } = await seated(t);
  store.holds = true;
  await store.save({ kind: "games", provider: acme, games: Array.from({ length: 1_000 }, (_, n) => gameRecord(`many-${n}`)) });
  await clock.pass(250);
  const [known, there, nowhere] = [find(), find("many-999"), find("nothing")];
  t.true((await known).ok, "who knows its game waits for nothing");
  await clock.pass(2_000);
  t.deepEqual(await there, { ok: false, refusal: { code: "SERVICE_UNAVAILABLE" } });
  t.deepEqual(await nowhere, { ok: false, refusal: { code: "SERVICE_UNAVAILABLE" } });
  const again = [find("many-999"), find("nothing")] as const;
  store.holds = false;
  for (const release of store.held) release();
  t.true((await again[0]).ok);
  t.like(await again[1], { refusal: { code: "GAME_NOT_FOUND" } });
});
