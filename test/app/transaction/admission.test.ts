/** The causes that stop a request before a row is written: old settings, load, and a wallet without answers. */
import { createHash } from "node:crypto";
import { createContextValues } from "@connectrpc/connect";
import test from "ava";
import { ProviderKeys } from "../../../src/adapters/grpc/provider/keys.ts";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { LoadShedder } from "../../../src/app/capacity/load-shedder.ts";
import { RateLimits } from "../../../src/app/capacity/rate-limits.ts";
import { WrongKeys } from "../../../src/app/capacity/wrong-keys.ts";
import { refuse } from "../../../src/domain/errors.ts";
import { providerRecord } from "../../../testbed/directory/records.ts";
import { startMoney } from "./money.ts";

test("settings that are too old are read again before the key is looked up; if this fails, nothing is written", async (t) => {
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

test("near the limit of concurrent transactions, bets, rollbacks and balance queries are refused before anything is written; wins and refunds are not", async (t) => {
  const loadShedder = new LoadShedder(new SystemClock(), 10, { active: 9 });
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

test("balance queries without an answer also count for the circuit breaker", async (t) => {
  const { engine, balance, settings, close } = await startMoney();
  engine.wallet.setFault({ kind: "reset" });
  const provider = settings.provider("ACME");
  if (provider === undefined) return t.fail();
  const query = () =>
    balance.query({ provider, sessionId: "s1", playerRef: "", game: "", deadline: engine.clock.monotonic() + 5_000 });
  for (let i = 0; i < 10; i++) t.like(await query(), { refusal: { code: "WALLET_UNAVAILABLE", cause: "wallet" } });
  t.deepEqual(engine.permits.limited(), [{ merchantId: 1, limit: 4 }]);
  engine.wallet.setFault({ kind: "none" });
  t.like(await query(), { value: { status: "success", balanceMinor: 10_000n } });
  await close();
});

test("a refusal for want of a permit names the wallet as its cause, and one for the replica's own load does not", async (t) => {
  const { engine, balance, settings, close } = await startMoney();
  const provider = settings.provider("ACME");
  if (provider === undefined) return t.fail();
  const deadline = () => engine.clock.monotonic() + 600;
  const query = () => balance.query({ provider, sessionId: "s1", playerRef: "", game: "", deadline: deadline() });
  for (let held = 0; held < 64; held++) await engine.permits.take(1, "debit", 0);
  const ofWallet = { refusal: { code: "OVERLOADED", cause: "wallet" } };
  t.like(await query(), ofWallet);
  t.like(await engine.transact.run(engine.content("bet", "b1"), deadline()), ofWallet);
  await close();

  const busy = await startMoney({}, new LoadShedder(new SystemClock(), 10, { active: 9 }));
  const refused = await busy.balance.query({
    provider,
    sessionId: "s1",
    playerRef: "",
    game: "",
    deadline: deadline(),
  });
  t.deepEqual(refused, refuse("OVERLOADED"));
  await busy.close();
});
