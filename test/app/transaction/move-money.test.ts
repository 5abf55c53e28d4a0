import test from "ava";
import type { ProviderCode } from "../../../src/domain/values/identifiers.ts";
import { gameRecord } from "../../../testbed/directory/records.ts";
import { HOUR, session, startMoney } from "./money.ts";

test("all faults of a request's form are listed together, in the documented order; each later check has its own refusal", async (t) => {
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

test("a session of another provider is refused as unknown", async (t) => {
  const { move, settings, close } = await startMoney();
  const other = settings.provider("OTHER");
  t.truthy(other);
  if (other !== undefined)
    t.is(await move({ action: "win", txId: "w1", provider: other }), "SESSION_NOT_FOUND session_id");
  await close();
});

test("the conditions for a new bet stop neither a repeat nor a credit", async (t) => {
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

test("a new bet is refused if no path can have its round's id; a credit and a known bet are not", async (t) => {
  const { engine, move, close } = await startMoney();
  for (const roundId of [".", ".."]) {
    t.is(await move({ action: "bet", txId: "b1", roundId }), "VALIDATION_ERROR round_id");
    t.is(await move({ action: "bet", txId: "b1", roundId, amountMinor: 0n }), "VALIDATION_ERROR round_id");
    t.is(await move({ action: "win", txId: `w${roundId}`, roundId }), "success");
  }
  for (const roundId of ["...", "%2e", "%2E%2e", ". ", "./..", "a/.."])
    t.is(await move({ action: "bet", txId: `b ${roundId}`, roundId }), "success", roundId);
  t.is(engine.callbacks.length, 8);
  // The id of a transaction has its provider's code before it, so it is no dot segment.
  t.is(await move({ action: "bet", txId: ".." }), "success");
  t.is(await move({ action: "bet", txId: "w.", roundId: "." }), "TRANSACTION_MISMATCH action");
  await close();
});

test("a session accepts bets until 24 h after its last call on any replica, and credits for ever", async (t) => {
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

test("a win may name a player and a game instead of a session, but a bet may not", async (t) => {
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

test("a request in a live lobby's session is for the table that it names, or else for the session's game", async (t) => {
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

test("a provider can use only its own transactions: the same ids of another provider are other transactions, in refunds too", async (t) => {
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
