import test from "ava";
import { MemorySessionStore } from "../../src/adapters/memory/session-store.ts";
import { MemorySettingsStore } from "../../src/adapters/memory/settings-store.ts";
import { SystemClock } from "../../src/adapters/system/system-clock.ts";
import { Load } from "../../src/app/load.ts";
import { MoveMoneyThroughWallet, type MoveRequest } from "../../src/app/move-money.ts";
import { QueryBalanceOfWallet } from "../../src/app/query-balance.ts";
import { Seats } from "../../src/app/seats.ts";
import { Settings } from "../../src/app/settings.ts";
import type { PlayerId, ProviderCode } from "../../src/domain/identifiers.ts";
import type { Merchant } from "../../src/ports/settings-store.ts";
import { startEngine } from "../harness/engine.ts";
import { gameRecord, merchantRecord, providerRecord } from "../harness/rest-server.ts";

/** A clock that can be put forward. */
class ForwardClock extends SystemClock {
  ms = 0;
  override now(): number {
    return super.now() + this.ms;
  }
  override monotonic(): number {
    return super.monotonic() + this.ms;
  }
}

const HOUR = 3_600_000;

async function startMoney() {
  const engine = await startEngine();
  const clock = new ForwardClock();
  const store = new MemorySettingsStore(clock);
  const set = async (merchant: Partial<Merchant> = {}, active = true) => {
    await store.save({ kind: "provider", provider: providerRecord("ACME", [], active) });
    await store.save({ kind: "provider", provider: providerRecord("OTHER", []) });
    await store.save({ kind: "games", provider: "ACME" as ProviderCode, games: [gameRecord("fruits"), gameRecord("table", { type: "live" })] });
    await store.save({ kind: "merchant", merchant: merchantRecord("shop", { products: ["slot"], ...merchant }) });
  };
  await set();
  const settings = new Settings(store, clock, engine.telemetry);
  await settings.start();
  const sessions = new MemorySessionStore(clock);
  const create = (id: string, demo = false) =>
    sessions.create({
      id,
      merchantId: settings.merchant("shop")?.id ?? 0,
      playerId: "ana" as PlayerId,
      playerRef: "ref-ana",
      provider: "ACME" as ProviderCode,
      game: "fruits",
      demo,
      language: "pt",
      country: "BR",
    });
  await create("s1");
  await create("demo", true);
  const seats = () => new Seats(sessions, settings, clock, 24 * HOUR);
  const load = new Load(engine.clock, 1_000);
  const money = (): MoveMoneyThroughWallet => {
    const own = seats();
    const balance = new QueryBalanceOfWallet(settings, own, engine.http, engine.places, load, engine.telemetry, () => engine.target);
    return new MoveMoneyThroughWallet(settings, own, engine.transact, balance, load, engine.telemetry);
  };
  const first = money();
  const say = async (asked: Partial<MoveRequest> & Pick<MoveRequest, "action" | "txId">, on = first): Promise<string> => {
    const provider = settings.provider("ACME");
    if (provider === undefined) throw new Error("no provider");
    const defaults = { provider, sessionId: "s1", playerRef: "", refTxId: "", roundId: "r1", amountMinor: 250n, currency: "BRL", game: "" };
    const result = await on.move({ ...defaults, deadline: engine.clock.monotonic() + 5_000, ...asked });
    if (result.ok) return result.value.status === "failed" ? `failed:${result.value.error}` : result.value.status;
    const { code, field, details } = result.refusal;
    return [code, field, ...(Array.isArray(details) ? details.map((fault) => fault.field) : [])].filter((part) => part !== undefined).join(" ");
  };
  return {
    engine,
    clock,
    settings,
    store,
    money,
    say,
    /** Changes the merchant or the provider, known at once. */
    async change(merchant: Partial<Merchant>, active = true) {
      await set(merchant, active);
      await settings.lookAgain();
    },
    async close() {
      settings.stop();
      await engine.close();
    },
  };
}

test("a request's faults are told in the order of precedence", async (t) => {
  const { say, close } = await startMoney();
  t.is(await say({ action: "refund", txId: "", roundId: "a\u0000b", refTxId: "x".repeat(96) }), "VALIDATION_ERROR tx_id round_id ref_tx_id");
  t.is(await say({ action: "refund", txId: "same", refTxId: "same" }), "VALIDATION_ERROR ref_tx_id");
  t.is(await say({ action: "bet", txId: "b1", sessionId: "" }), "VALIDATION_ERROR session_id");
  t.is(await say({ action: "bet", txId: "b1", sessionId: "nobody's" }), "SESSION_NOT_FOUND session_id");
  t.is(await say({ action: "bet", txId: "b1", sessionId: "demo" }), "DEMO_SESSION session_id");
  t.is(await say({ action: "bet", txId: "b1", game: "nothing" }), "GAME_NOT_FOUND game");
  t.is(await say({ action: "bet", txId: "b1", amountMinor: -1n }), "INVALID_AMOUNT amount_minor");
  t.is(await say({ action: "bet", txId: "b1", currency: "EUR" }), "CURRENCY_NOT_ENABLED currency");
  t.is(await say({ action: "bet", txId: "b1", game: "table" }), "PRODUCT_NOT_ENABLED game");
  t.is(await say({ action: "bet", txId: "b1" }), "success");
  t.is(await say({ action: "bet", txId: "b1", currency: "EUR" }), "TRANSACTION_MISMATCH currency");
  t.is(await say({ action: "bet", txId: "b1", amountMinor: 0n }), "TRANSACTION_MISMATCH amount");
  await close();
});

test("another provider's session is unknown", async (t) => {
  const { say, settings, close } = await startMoney();
  const other = settings.provider("OTHER");
  t.truthy(other);
  if (other !== undefined) t.is(await say({ action: "win", txId: "w1", provider: other }), "SESSION_NOT_FOUND session_id");
  await close();
});

test("what gates a new bet stops neither a repeat nor a credit", async (t) => {
  const { engine, say, change, close } = await startMoney();
  t.is(await say({ action: "bet", txId: "b1" }), "success");
  for (const [merchant, active, code] of [
    [{ enabled: false }, true, "MERCHANT_DISABLED"],
    [{ products: [] }, true, "PRODUCT_NOT_ENABLED game"],
    [{}, false, "GAME_NOT_FOUND game"],
  ] as const) {
    await change(merchant, active);
    t.is(await say({ action: "bet", txId: `new ${code}` }), code);
    t.is(await say({ action: "bet", txId: "b1" }), "success");
    t.is(await say({ action: "win", txId: `w ${code}` }), "success");
  }
  t.is(await say({ action: "refund", txId: "f1", refTxId: "b1" }), "success");
  t.is(engine.balance(), 10_750n);
  await close();
});

test("a session takes bets until 24 h after its last call, whichever replica took that; credits for ever", async (t) => {
  const { clock, say, money, close } = await startMoney();
  const other = money();
  t.is(await say({ action: "bet", txId: "b1" }), "success");
  clock.ms += 23 * HOUR;
  t.is(await say({ action: "win", txId: "w1" }, other), "success");
  clock.ms += 23 * HOUR;
  t.is(await say({ action: "bet", txId: "b2" }), "success");
  clock.ms += 25 * HOUR;
  t.is(await say({ action: "bet", txId: "b3" }), "SESSION_EXPIRED session_id");
  t.is(await say({ action: "win", txId: "w2" }), "success");
  t.is(await say({ action: "bet", txId: "b3" }, other), "SESSION_EXPIRED session_id");
  t.is(await say({ action: "bet", txId: "b2" }), "success");
  await close();
});

test("a player may be named instead of a session, but not for a bet, and then with the game", async (t) => {
  const { say, close } = await startMoney();
  const byRef = { sessionId: "", playerRef: "ref-ana" };
  t.is(await say({ action: "win", txId: "w1", ...byRef }), "VALIDATION_ERROR game");
  t.is(await say({ action: "win", txId: "w1", ...byRef, game: "fruits" }), "success");
  t.is(await say({ action: "bet", txId: "b1", ...byRef, game: "fruits" }), "VALIDATION_ERROR session_id");
  t.is(await say({ action: "win", txId: "w2", sessionId: "", playerRef: "nobody", game: "fruits" }), "SESSION_NOT_FOUND player_ref");
  await close();
});

test("a zero amount is a success without a row or a transaction's call", async (t) => {
  const { engine, say, close } = await startMoney();
  t.is(await say({ action: "win", txId: "w0", amountMinor: 0n }), "success");
  t.is(await engine.row("w0"), undefined);
  t.is(engine.calls("w0"), 0);
  engine.wallet.setFault({ kind: "silent" });
  t.is(await say({ action: "bet", txId: "b0", amountMinor: 0n }), "success");
  await close();
});

test("settings too old to trust are read again; when they can't be, nothing is written", async (t) => {
  const { engine, clock, say, settings, store, close } = await startMoney();
  settings.stop();
  clock.ms += 2_000;
  t.is(await say({ action: "win", txId: "w1" }), "success");
  clock.ms += 2_000;
  store.epoch = () => Promise.reject(new Error("no database"));
  t.is(await say({ action: "win", txId: "w2" }), "SERVICE_UNAVAILABLE");
  t.is(await engine.row("w2"), undefined);
  await close();
});
