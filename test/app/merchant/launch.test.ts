import test from "ava";
import { SystemRandom } from "../../../src/adapters/system/system-random.ts";
import { LaunchGame } from "../../../src/app/merchant/launch.ts";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { readLaunch } from "../../../src/domain/merchant/launch-policy.ts";
import type { Merchant, Source } from "../../../src/ports/settings-store.ts";
import { GameLauncher, type OpenGame } from "../../../src/ports/sources/game-launcher.ts";
import { gameRecord, merchantRecord, providerRecord } from "../../../testbed/directory/records.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";
import { MemorySessionStore } from "../../../testbed/memory/session-store.ts";
import { MemorySettingsStore } from "../../../testbed/memory/settings-store.ts";

/** Sources that never answer: each attempt takes its full deadline. */
class HangingLauncher extends GameLauncher {
  readonly deadlines: number[] = [];
  readonly #clock: ManualClock;
  constructor(clock: ManualClock) {
    super();
    this.#clock = clock;
  }
  override async open(_source: Source, _game: OpenGame, deadlineMs: number): Promise<string> {
    this.deadlines.push(deadlineMs);
    this.#clock.jump(deadlineMs);
    throw new Error("deadline exceeded");
  }
}

async function world(sessions?: MemorySessionStore) {
  const clock = new ManualClock();
  const store = new MemorySettingsStore(clock);
  const acme = providerRecord("ACME", ["http://a:1", "http://b:1", "http://c:1"]);
  const sources = acme.sources.map((source, i) => ({ ...source, enabled: i > 0 }));
  await store.save({ kind: "merchant", merchant: merchantRecord("casa") });
  await store.save({
    kind: "provider",
    provider: { ...acme, sources: [...sources, { address: "http://d:1", deadlineMs: 5_000, enabled: true }] },
  });
  await store.save({ kind: "games", provider: acme.code, games: [gameRecord("fruits")] });
  const telemetry = new RecordedTelemetry();
  const settings = new Settings(store, clock, telemetry);
  await settings.start();
  settings.stop();
  const launcher = new HangingLauncher(clock);
  const launchGame = new LaunchGame(
    settings,
    sessions ?? new MemorySessionStore(clock),
    launcher,
    new SystemRandom(),
    clock,
    telemetry,
    null,
  );
  const request = readLaunch({ player_id: "u", game: "fruits" });
  if (!request.ok) throw new Error("the launch has faults");
  return {
    launchGame,
    launcher,
    telemetry,
    merchant: settings.merchant("casa") as Merchant,
    request: request.value,
  };
}

test("each source that doesn't answer gets 5 s, all sources together get 9 s, and a disabled source is not called", async (t) => {
  const { launchGame, launcher, telemetry, merchant, request } = await world();
  const launched = await launchGame.launch(merchant, request);
  t.deepEqual(launched, { ok: false, refusal: { code: "LAUNCH_FAILED" } });
  t.deepEqual(launcher.deadlines, [5_000, 4_000]);
  t.deepEqual(
    telemetry.sourceAnswers.map(({ provider, address, fault }) => [provider, address, (fault as Error).message]),
    [
      ["ACME", "http://b:1", "deadline exceeded"],
      ["ACME", "http://c:1", "deadline exceeded"],
    ],
    "each result is counted",
  );
});

test("an internal error gets LAUNCH_GAME_FAILED, and no source is called", async (t) => {
  class Broken extends MemorySessionStore {
    override async create(): Promise<never> {
      throw new Error("no database");
    }
  }
  const { launchGame, launcher, telemetry, merchant, request } = await world(new Broken(new ManualClock()));
  t.deepEqual(await launchGame.launch(merchant, request), {
    ok: false,
    refusal: { code: "LAUNCH_GAME_FAILED" },
  });
  t.deepEqual(launcher.deadlines, []);
  t.is(String(telemetry.errors[0]?.cause), "Error: no database");
});
