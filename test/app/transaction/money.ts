/** A provider's requests to the use case, with a real engine: one merchant, one provider, the session s1. */

import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { LoadShedder } from "../../../src/app/capacity/load-shedder.ts";
import { RoundEnds } from "../../../src/app/rounds/round-ends.ts";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { MoveMoneyThroughWallet, type MoveRequest } from "../../../src/app/transaction/move-money.ts";
import { Play, type PlayRequest } from "../../../src/app/transaction/play.ts";
import { PlayerLookup } from "../../../src/app/transaction/player-lookup.ts";
import { QueryBalanceOfWallet } from "../../../src/app/transaction/query-balance.ts";
import type { PlayerId, ProviderCode } from "../../../src/domain/values/identifiers.ts";
import type { NewSession } from "../../../src/ports/session-store.ts";
import type { Merchant } from "../../../src/ports/settings-store.ts";
import { gameRecord, merchantRecord, providerRecord } from "../../../testbed/directory/records.ts";
import { type EngineOptions, startEngine } from "../../../testbed/in-process/engine.ts";
import { MemorySessionStore } from "../../../testbed/memory/session-store.ts";
import { MemorySettingsStore } from "../../../testbed/memory/settings-store.ts";

/** A clock that a test can move forward. */
class ForwardClock extends SystemClock {
  ms = 0;
  override now(): number {
    return super.now() + this.ms;
  }
  override monotonic(): number {
    return super.monotonic() + this.ms;
  }
}

export const HOUR = 3_600_000;

export const session: Omit<NewSession, "id" | "merchantId"> = {
  playerId: "ana" as PlayerId,
  playerRef: "ref-ana",
  provider: "ACME" as ProviderCode,
  game: "fruits",
  demo: false,
  language: "pt",
  country: "BR",
};

export async function startMoney(options: EngineOptions = {}, loadShedder?: LoadShedder) {
  const engine = await startEngine(options);
  const clock = new ForwardClock();
  const store = new MemorySettingsStore(clock);
  const set = async (merchant: Partial<Merchant> = {}, active = true) => {
    await store.save({ kind: "provider", provider: providerRecord("ACME", [], active) });
    await store.save({ kind: "provider", provider: providerRecord("OTHER", []) });
    await store.save({
      kind: "games",
      provider: "ACME" as ProviderCode,
      games: [gameRecord("fruits"), gameRecord("table", { type: "live" })],
    });
    await store.save({ kind: "merchant", merchant: merchantRecord("shop", { products: ["slot"], ...merchant }) });
  };
  await set();
  const settings = new Settings(store, clock, engine.telemetry);
  await settings.start();
  const sessions = new MemorySessionStore(clock);
  const create = (id: string, demo = false) =>
    sessions.create({ ...session, id, demo, merchantId: settings.merchant("shop")?.id ?? 0 });
  await create("s1");
  await sessions.create({
    ...session,
    id: "session-rui",
    playerId: "rui" as PlayerId,
    playerRef: "ref-rui",
    merchantId: settings.merchant("shop")?.id ?? 0,
  });
  await create("demo", true);
  loadShedder ??= new LoadShedder(engine.clock, 1_000);
  const newLookup = () => new PlayerLookup(sessions, settings, clock, 24 * HOUR);
  const newBalance = (own: PlayerLookup) =>
    new QueryBalanceOfWallet(
      own,
      engine.http,
      engine.permits,
      loadShedder,
      engine.telemetry,
      { walletTarget: () => engine.target },
      engine.clock,
    );
  const ends = new RoundEnds(engine.store.rounds, settings, store, engine.clock);
  const money = (): MoveMoneyThroughWallet => {
    const own = newLookup();
    return new MoveMoneyThroughWallet(own, engine.transact, newBalance(own), loadShedder, engine.telemetry, ends);
  };
  /** @param transact - of another replica. */
  const plays = (transact = engine.transact): Play => {
    const own = newLookup();
    return new Play(own, transact, newBalance(own), loadShedder, engine.telemetry, ends);
  };
  const firstPlays = plays();
  /** A Play of 2.50 that wins 4.00. */
  const play = async (request: Partial<PlayRequest> = {}, on = firstPlays) => {
    const provider = settings.provider("ACME");
    if (provider === undefined) throw new Error("no provider");
    return on.play({
      provider,
      sessionId: "s1",
      roundId: "r1",
      currency: "BRL",
      game: "",
      bet: { txId: "b1", amountMinor: 250n },
      win: { txId: "w1", amountMinor: 400n, settles: false },
      deadline: engine.clock.monotonic() + 30_000,
      ...request,
    });
  };
  const first = money();
  const ask = (request: Partial<MoveRequest> & Pick<MoveRequest, "action" | "txId">, on = first) => {
    const provider = settings.provider("ACME");
    if (provider === undefined) throw new Error("no provider");
    const defaults = {
      provider,
      sessionId: "s1",
      playerRef: "",
      refTxId: "",
      roundId: "r1",
      amountMinor: 250n,
      currency: "BRL",
      game: "",
    };
    return on.move({ ...defaults, deadline: engine.clock.monotonic() + 5_000, ...request });
  };
  const move = async (request: Parameters<typeof ask>[0], on = first): Promise<string> => {
    const result = await ask(request, on);
    if (result.ok) return result.value.status === "failed" ? `failed:${result.value.error}` : result.value.status;
    const { code, field, details } = result.refusal;
    return [code, field, ...(Array.isArray(details) ? details.map((fault) => fault.field) : [])]
      .filter((part) => part !== undefined)
      .join(" ");
  };
  return {
    engine,
    clock,
    lookup: newLookup,
    loadShedder,
    balance: newBalance(newLookup()),
    settings,
    sessions,
    store,
    money,
    ask,
    move,
    play,
    plays,
    /** Changes the merchant or the provider, and reads the settings again. */
    async change(merchant: Partial<Merchant>, active = true) {
      await set(merchant, active);
      await settings.readForUnknown();
    },
    async close() {
      settings.stop();
      await engine.close();
    },
  };
}
