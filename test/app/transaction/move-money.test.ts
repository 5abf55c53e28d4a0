import { createHash } from "node:crypto";
import { createContextValues } from "@connectrpc/connect";
import test from "ava";
import { ProviderKeys } from "../../../src/adapters/grpc/provider/keys.ts";
import { MemorySessionStore } from "../../../src/adapters/memory/session-store.ts";
import { MemorySettingsStore } from "../../../src/adapters/memory/settings-store.ts";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { LoadShedder } from "../../../src/app/capacity/load-shedder.ts";
import { RateLimits } from "../../../src/app/capacity/rate-limits.ts";
import { WrongKeys } from "../../../src/app/capacity/wrong-keys.ts";
import { Settings } from "../../../src/app/runtime/settings.ts";
import { MoveMoneyThroughWallet, type MoveRequest } from "../../../src/app/transaction/move-money.ts";
import { PlayerLookup } from "../../../src/app/transaction/player-lookup.ts";
import { QueryBalanceOfWallet } from "../../../src/app/transaction/query-balance.ts";
import type { PlayerId, ProviderCode } from "../../../src/domain/values/identifiers.ts";
import type { NewSession } from "../../../src/ports/session-store.ts";
import type { Merchant } from "../../../src/ports/settings-store.ts";
import { gameRecord, merchantRecord, providerRecord } from "../../../testbed/directory/records.ts";
import { type EngineOptions, startEngine } from "../../../testbed/in-process/engine.ts";

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

const HOUR = 3_600_000;

const session: Omit<NewSession, "id" | "merchantId"> = {
  playerId: "ana" as PlayerId,
  playerRef: "ref-ana",
  provider: "ACME" as ProviderCode,
  game: "fruits",
  demo: false,
  language: "pt",
  country: "BR",
};

async function startMoney(options: EngineOptions = {}, loadShedder?: LoadShedder) {
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
  await create("demo", true);
  loadShedder ??= new LoadShedder(engine.clock, 1_000);
  const newLookup = () => new PlayerLookup(sessions, settings, clock, 24 * HOUR);
  const money = (): MoveMoneyThroughWallet => {
    const own = newLookup();
    const balance = new QueryBalanceOfWallet(
      own,
      engine.http,
      engine.permits,
      loadShedder,
      engine.telemetry,
      () => engine.target,
      engine.clock,
    );
    return new MoveMoneyThroughWallet(own, engine.transact, balance, loadShedder, engine.telemetry);
  };
  const first = money();
  const move = async (
    request: Partial<MoveRequest> & Pick<MoveRequest, "action" | "txId">,
    on = first,
  ): Promise<string> => {
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
    const result = await on.move({ ...defaults, deadline: engine.clock.monotonic() + 5_000, ...request });
    if (result.ok) return result.value.status === "failed" ? `failed:${result.value.error}` : result.value.status;
    const { code, field, details } = result.refusal;
    return [code, field, ...(Array.isArray(details) ? details.map((fault) => fault.field) : [])]
      .filter((part) => part !== undefined)
      .join(" ");
  };
  return {
    engine,
    clock,
    balance: new QueryBalanceOfWallet(
      newLookup(),
      engine.http,
      engine.permits,
      loadShedder,
      engine.telemetry,
      () => engine.target,
      engine.clock,
    ),
    settings,
    sessions,
    store,
    money,
    move,
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

test("the refusals of a request come in their order of precedence", async (t) => {
  const { move, close } = await startMoney();
  t.is(
    await move({ action: "refund", txId: "", roundId: "a\u0000b", refTxId: "x".repeat(96) }),
    "VALIDATION_ERROR tx_id round_id ref_tx_id",
  );
  t.is(await move({ action: "refund", txId: "same", refTxId: "same" }), "VALIDATION_ERROR ref_tx_id");
  t.is(await move({ action: "bet", txId: "b1", sessionId: "" }), "VALIDATION_ERROR session_id");
  t.is(
    await move({ action: "bet", txId: "", roundId: "", sessionId: "" }),
    "VALIDATION_ERROR session_id tx_id round_id",
  );
  t.is(
    await move({ action: "refund", txId: "", roundId: "", refTxId: "r", sessionId: "", playerRef: "" }),
    "VALIDATION_ERROR session_id tx_id round_id",
  );
  t.is(
    await move({ action: "win", txId: "", roundId: "r", sessionId: "", playerRef: "ref-ana" }),
    "VALIDATION_ERROR game tx_id",
  );
  t.is(
    await move({ action: "bet", txId: "", faults: [{ field: "other", rule: "a rule" }] }),
    "VALIDATION_ERROR tx_id other",
  );
  t.is(await move({ action: "bet", txId: "b1", sessionId: "nobody's" }), "SESSION_NOT_FOUND session_id");
  t.is(await move({ action: "bet", txId: "b1", sessionId: "demo" }), "DEMO_SESSION session_id");
  t.is(await move({ action: "bet", txId: "b1", game: "nothing" }), "GAME_NOT_FOUND game");
  t.is(await move({ action: "bet", txId: "b1", amountMinor: -1n }), "INVALID_AMOUNT amount_minor");
  t.is(await move({ action: "bet", txId: "b1", currency: "EUR" }), "CURRENCY_NOT_ENABLED currency");
  t.is(await move({ action: "bet", txId: "b1", game: "table" }), "PRODUCT_NOT_ENABLED game");
  t.is(await move({ action: "bet", txId: "b1" }), "success");
  t.is(await move({ action: "bet", txId: "b1", currency: "EUR" }), "TRANSACTION_MISMATCH currency");
  t.is(await move({ action: "bet", txId: "b1", amountMinor: 0n }), "TRANSACTION_MISMATCH amount");
  await close();
});

test("another provider's session is unknown", async (t) => {
  const { move, settings, close } = await startMoney();
  const other = settings.provider("OTHER");
  t.truthy(other);
  if (other !== undefined)
    t.is(await move({ action: "win", txId: "w1", provider: other }), "SESSION_NOT_FOUND session_id");
  await close();
});

test("the gates of a new bet stop neither a repeat nor a credit", async (t) => {
  const { engine, move, change, close } = await startMoney();
  t.is(await move({ action: "bet", txId: "b1" }), "success");
  for (const [merchant, active, code] of [
    [{ enabled: false }, true, "MERCHANT_DISABLED"],
    [{ products: [] }, true, "PRODUCT_NOT_ENABLED game"],
    [{}, false, "GAME_NOT_FOUND game"],
  ] as const) {
    await change(merchant, active);
    t.is(await move({ action: "bet", txId: `new ${code}` }), code);
    t.is(await move({ action: "bet", txId: "b1" }), "success");
    t.is(await move({ action: "win", txId: `w ${code}` }), "success");
  }
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "success");
  t.is(engine.balance(), 10_750n);
  await close();
});

test("a session takes bets until 24 h after its last call on any replica, and credits for ever", async (t) => {
  const { clock, move, money, close } = await startMoney();
  const other = money();
  t.is(await move({ action: "bet", txId: "b1" }), "success");
  clock.ms += 23 * HOUR;
  t.is(await move({ action: "win", txId: "w1" }, other), "success");
  clock.ms += 23 * HOUR;
  t.is(await move({ action: "bet", txId: "b2" }), "success");
  clock.ms += 25 * HOUR;
  t.is(await move({ action: "bet", txId: "b3" }), "SESSION_EXPIRED session_id");
  t.is(await move({ action: "win", txId: "w2" }), "success");
  t.is(await move({ action: "bet", txId: "b3" }, other), "SESSION_EXPIRED session_id");
  t.is(await move({ action: "bet", txId: "b2" }), "success");
  await close();
});

test("a request may name a player and a game instead of a session, but not for a bet", async (t) => {
  const { move, close } = await startMoney();
  const byRef = { sessionId: "", playerRef: "ref-ana" };
  t.is(await move({ action: "win", txId: "w1", ...byRef }), "VALIDATION_ERROR game");
  t.is(await move({ action: "win", txId: "w1", ...byRef, game: "fruits" }), "success");
  t.is(await move({ action: "bet", txId: "b1", ...byRef, game: "fruits" }), "VALIDATION_ERROR session_id");
  t.is(
    await move({ action: "win", txId: "w2", sessionId: "", playerRef: "nobody", game: "fruits" }),
    "SESSION_NOT_FOUND player_ref",
  );
  await close();
});

test("a zero amount is a success, without a row and without a transaction's call", async (t) => {
  const { engine, move, close } = await startMoney();
  t.is(await move({ action: "win", txId: "w0", amountMinor: 0n }), "success");
  t.is(await engine.row("w0"), undefined);
  t.is(engine.calls("w0"), 0);
  engine.wallet.setFault({ kind: "silent" });
  t.is(await move({ action: "bet", txId: "b0", amountMinor: 0n }), "success");
  await close();
});

test("a reversal of 0 is refused when the transaction that it names is known, and succeeds when it is not", async (t) => {
  const { engine, move, close } = await startMoney();
  t.teardown(close);
  const zero = (action: "refund" | "rollback", refTxId: string, txId = `${action} of ${refTxId}`) =>
    move({ action, txId, refTxId, amountMinor: 0n });
  t.is(await zero("refund", "b1"), "success");
  t.is(await move({ action: "bet", txId: "b1" }), "success");
  t.is(await zero("refund", "b1"), "TRANSACTION_MISMATCH amount_minor", "the repeat, once the bet is known");
  t.is(await move({ action: "win", txId: "w1" }), "success");
  t.is(await zero("rollback", "w1"), "TRANSACTION_MISMATCH amount_minor");
  t.is(await zero("rollback", "b1"), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(await zero("refund", "w1"), "TRANSACTION_MISMATCH ref_tx_id");
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "success");
  t.is(await zero("refund", "b1", "f1"), "TRANSACTION_MISMATCH amount", "its id has a row");
  t.is(
    await zero("refund", "b1", "f2"),
    "TRANSACTION_MISMATCH amount_minor",
    "it counts as a repeat of the one refund",
  );
  t.is(await zero("refund", "f1", "f3"), "TRANSACTION_MISMATCH ref_tx_id");
  // A bet of 0 leaves no row, so its refund of 0 contradicts nothing.
  t.is(await move({ action: "bet", txId: "b0", amountMinor: 0n }), "success");
  t.is(await zero("refund", "b0"), "success");
  t.is(engine.balance(), 10_250n);
  t.deepEqual([...engine.store.rows.keys()].sort(), ["1/ACME:b1", "1/ACME:f1", "1/ACME:w1"]);
});

test("after the refund of a bet that never came, further requests are checked against that refund, also at amount 0", async (t) => {
  const { move, close } = await startMoney();
  t.teardown(close);
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  t.is(
    await move({ action: "refund", txId: "f2", refTxId: "b1", amountMinor: 0n }),
    "TRANSACTION_MISMATCH amount_minor",
  );
  t.is(
    await move({ action: "rollback", txId: "k1", refTxId: "b1", amountMinor: 0n }),
    "TRANSACTION_MISMATCH ref_tx_id",
  );
  t.is(await move({ action: "bet", txId: "b1", amountMinor: 0n }), "TRANSACTION_REVERSED");
  t.is(await move({ action: "win", txId: "b1", amountMinor: 0n }), "TRANSACTION_MISMATCH action");
  // f3 lost the mark to f1 and stays void for ever, but its id is taken.
  t.is(await move({ action: "refund", txId: "f3", refTxId: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  t.is(await move({ action: "refund", txId: "f3", refTxId: "b1", amountMinor: 0n }), "TRANSACTION_MISMATCH amount");
  t.is(await move({ action: "bet", txId: "f3", amountMinor: 0n }), "TRANSACTION_MISMATCH action");
});

test("an amount of 0 costs one statement, which reads its id and its reference; another amount costs none", async (t) => {
  const { engine, move, close } = await startMoney();
  t.teardown(close);
  const looks: string[][] = [];
  const { read } = engine.store;
  engine.store.read = (keys) => {
    looks.push(keys.map(({ txId }) => txId).sort());
    return read.call(engine.store, keys);
  };
  await move({ action: "win", txId: "w0", amountMinor: 0n });
  await move({ action: "refund", txId: "f0", refTxId: "b1", amountMinor: 0n });
  await move({ action: "bet", txId: "b1" });
  t.deepEqual(looks, [["ACME:w0"], ["ACME:b1", "ACME:f0"]]);
});

test("the service waits for a silent wallet until shortly before the caller's deadline; then a balance is unavailable, and a zero amount succeeds without a balance", async (t) => {
  const { engine, balance, settings, move, close } = await startMoney({ walletTimeoutMs: 3_000 });
  engine.wallet.setFault({ kind: "silent" });
  const provider = settings.provider("ACME");
  if (provider === undefined) return t.fail();
  const began = engine.clock.monotonic();
  const deadline = began + 400;
  const query = balance.query({ provider, sessionId: "s1", playerRef: "", game: "", deadline });
  t.is(await move({ action: "bet", txId: "b0", amountMinor: 0n, deadline }), "success");
  t.like(await query, { ok: false, refusal: { code: "WALLET_UNAVAILABLE" } });
  const took = engine.clock.monotonic() - began;
  t.true(took >= 290 && took < 2_000, String(took));
  await close();
});

test("a request in a live lobby's session plays the table that it names, or else the session's game", async (t) => {
  const { engine, move, change, close } = await startMoney();
  await change({ products: ["slot", "live"] });
  t.is(await move({ action: "bet", txId: "b1", game: "table" }), "success");
  t.is(await move({ action: "bet", txId: "b1" }), "TRANSACTION_MISMATCH game");
  t.is(await move({ action: "win", txId: "w1" }), "success");
  t.deepEqual(
    engine.callbacks.map((callback) => JSON.parse(callback.body).game),
    ["table", "fruits"],
  );
  await close();
});

test("a provider reaches only its own transactions: another provider's same ids are other transactions, in refunds too", async (t) => {
  const { engine, settings, sessions, move, store, close } = await startMoney();
  await store.save({ kind: "games", provider: "OTHER" as ProviderCode, games: [gameRecord("fruits")] });
  await settings.readForUnknown();
  const other = settings.provider("OTHER");
  if (other === undefined) return t.fail();
  t.is(
    await move({ action: "win", txId: "w0", provider: other, sessionId: "", playerRef: "ref-ana", game: "fruits" }),
    "SESSION_NOT_FOUND player_ref",
  );
  await sessions.create({
    ...session,
    id: "theirs",
    merchantId: settings.merchant("shop")?.id ?? 0,
    provider: "OTHER" as ProviderCode,
  });

  t.is(await move({ action: "bet", txId: "b1" }), "success");
  const theirs = { provider: other, sessionId: "theirs", action: "refund" } as const;
  t.is(await move({ ...theirs, txId: "f1", refTxId: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  t.is(await move({ ...theirs, txId: "f2", refTxId: "ACME:b1" }), "failed:TRANSACTION_NOT_FOUND");
  t.deepEqual(
    engine.callbacks.slice(1).map((callback) => JSON.parse(callback.body).ref_tx_id),
    ["OTHER:b1", "OTHER:ACME:b1"],
  );
  t.like(await engine.row("b1"), { status: "success", reversedBy: null });
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "success");
  t.is(engine.balance(), 10_000n);
  await close();
});

test("settings that are too old are read again before the key is looked up; when they cannot be read, nothing is written", async (t) => {
  const { engine, clock, move, settings, store, close } = await startMoney();
  const key = {
    name: "key-1",
    hash: createHash("sha256").update("acme-key").digest("hex"),
    expiresAt: null,
    revoked: false,
  };
  await store.save({ kind: "provider", provider: { ...providerRecord("ACME", []), keys: [key] } });
  await settings.refresh();
  const keys = new ProviderKeys(settings, new WrongKeys(new RateLimits(clock, () => 1), clock, engine.telemetry));
  const called = { requestHeader: new Headers({ authorization: "Bearer acme-key" }), values: createContextValues() };
  const win = async (txId: string): Promise<string> => {
    const provider = await keys.gameProvider(called);
    return provider.ok ? move({ provider: provider.value, action: "win", txId }) : provider.refusal.code;
  };
  settings.stop();
  clock.ms += 2_000;
  t.is(await win("w1"), "success");
  clock.ms += 2_000;
  store.epoch = () => Promise.reject(new Error("no database"));
  t.is(await win("w2"), "SERVICE_UNAVAILABLE");
  t.is(await engine.row("w2"), undefined);
  await close();
});

test("near the limit of concurrent transactions, bets, rollbacks and balances are refused before anything is written; wins and refunds are not", async (t) => {
  const loadShedder = new LoadShedder(new SystemClock(), 10, () => 9);
  const { engine, balance, settings, move, close } = await startMoney({}, loadShedder);
  const provider = settings.provider("ACME");
  if (provider === undefined) return t.fail();
  t.is(await move({ action: "bet", txId: "b1" }), "OVERLOADED");
  t.is(await move({ action: "rollback", txId: "k1", refTxId: "w0" }), "OVERLOADED");
  t.like(
    await balance.query({
      provider,
      sessionId: "s1",
      playerRef: "",
      game: "",
      deadline: engine.clock.monotonic() + 5_000,
    }),
    {
      refusal: { code: "OVERLOADED" },
    },
  );
  t.is(engine.store.rows.size, 0);
  t.is(await move({ action: "win", txId: "w1" }), "success");
  t.is(await move({ action: "refund", txId: "f1", refTxId: "b1" }), "failed:TRANSACTION_NOT_FOUND");
  await close();
});

test("balance queries without an answer also count towards the breaker", async (t) => {
  const { engine, balance, settings, close } = await startMoney();
  engine.wallet.setFault({ kind: "reset" });
  const provider = settings.provider("ACME");
  if (provider === undefined) return t.fail();
  const query = () =>
    balance.query({ provider, sessionId: "s1", playerRef: "", game: "", deadline: engine.clock.monotonic() + 5_000 });
  for (let i = 0; i < 10; i++) t.like(await query(), { refusal: { code: "WALLET_UNAVAILABLE" } });
  t.deepEqual(engine.permits.limited(), [{ merchantId: 1, limit: 4 }]);
  engine.wallet.setFault({ kind: "none" });
  t.like(await query(), { value: { status: "success", balanceMinor: 10_000n } });
  await close();
});
