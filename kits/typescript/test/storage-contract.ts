/** The tests that every storage must pass. Each storage runs them with its own database. */
import assert from "node:assert/strict";
import test from "node:test";
import { type Storage, sign, Wallet } from "../src/index.ts";

interface Opened {
  readonly storage: Storage;
  readonly close: () => unknown;
}

/** Opens an empty storage with two players: `ana`, who has 30.00 at each of two merchants, and `rui`, who has 0. */
export type Open = () => Promise<Opened>;

export const PLAYERS = [
  { merchant: "shop", id: "ana", balance: 3_000n, blocked: false },
  { merchant: "shop", id: "rui", balance: 0n, blocked: false },
  { merchant: "shop", id: "bea", balance: 1_000n, blocked: true },
  { merchant: "other", id: "ana", balance: 3_000n, blocked: false },
] as const;

/** A function that sends a signed callback to a wallet over this storage. */
export function caller(storage: Storage) {
  const secrets = ["sk"];
  const wallet = new Wallet({
    merchants: ["shop", "other"].map((code) => ({ code, secrets, currency: "BRL" })),
    storage,
  });
  return async (action: string, fields: object = {}, merchant = "shop"): Promise<Record<string, unknown>> => {
    const about = { action, player_id: "ana", currency: "BRL", provider: "ACME", game: "fruits", round_id: "r" };
    const body = Buffer.from(JSON.stringify({ ...about, ...fields }));
    const [timestamp, nonce] = [String(Date.now()), "0123456789abcdef"];
    const request = { method: "POST", target: "/wallet", body };
    const signature = sign("sk", timestamp, nonce, request);
    const headers = { "X-Merchant-Id": merchant, "X-Timestamp": timestamp, "X-Nonce": nonce, "X-Signature": signature };
    const reply = await wallet.handle({ ...request, headers });
    return { ...JSON.parse(reply.body), ...(reply.status === 200 ? {} : { status: reply.status }) };
  };
}

/** The tests of a storage that lets several transactions run at once. */
export function testIsolation(name: string, open: Open, skip: string | false): void {
  test(`${name}: a transaction reads what another one has committed meanwhile`, { skip }, async () => {
    const { storage, close } = await open();
    try {
      const [before, after] = await storage.transaction("shop", "ana", async ({ find }) => {
        const before = await find("w1");
        await caller(storage)("win", { player_id: "rui", tx_id: "w1", amount: 1 });
        return [before, await find("w1")];
      });
      assert.equal(before, undefined);
      assert.equal(after?.state, "applied");
    } finally {
      await close();
    }
  });
}

export function testStorage(name: string, open: Open, skip: string | false = false): void {
  const it = (title: string, run: (storage: Storage) => Promise<void>): void => {
    test(`${name}: ${title}`, { skip }, async () => {
      const { storage, close } = await open();
      try {
        await run(storage);
      } finally {
        await close();
      }
    });
  };

  it("of 50 bets at once, the 30 that the balance pays for are applied", async (storage) => {
    const call = caller(storage);
    const bets = Array.from({ length: 50 }, (_, i) => call("bet", { tx_id: `b${i}`, amount: 1 }));
    const replies = await Promise.all(bets);
    assert.equal(replies.filter(({ ok }) => ok === true).length, 30);
    assert.equal(replies.filter(({ error }) => error === "INSUFFICIENT_FUNDS").length, 20);
    assert.deepEqual(await call("balance"), { ok: true, balance: 0 });
  });

  it("of 20 copies at once, one is applied, and all get its reply", async (storage) => {
    const call = caller(storage);
    const copies = Array.from({ length: 20 }, () => call("win", { tx_id: "w1", amount: 2.5 }));
    assert.deepEqual(await Promise.all(copies), Array(20).fill({ ok: true, balance: 32.5 }));
  });

  it("of 20 copies about two players at once, one is applied", async (storage) => {
    const call = caller(storage);
    const player = (i: number): string => (i % 2 === 0 ? "ana" : "rui");
    const copies = Array.from({ length: 20 }, (_, i) => call("win", { player_id: player(i), tx_id: "w1", amount: 1 }));
    const [first, ...others] = await Promise.all(copies);
    assert.equal(first?.ok, true);
    for (const reply of others) assert.deepEqual(reply, first);
    const balances = [await call("balance"), await call("balance", { player_id: "rui" })].map(({ balance }) => balance);
    assert.equal(Number(balances[0]) + Number(balances[1]), 31);
  });

  it("of ten refunds of one bet at once, one is applied", async (storage) => {
    const call = caller(storage);
    await call("bet", { tx_id: "b1", amount: 10 });
    const refunds = Array.from({ length: 10 }, (_, i) =>
      call("refund", { tx_id: `f${i}`, ref_tx_id: "b1", amount: 10 }),
    );
    const replies = await Promise.all(refunds);
    assert.equal(replies.filter(({ ok }) => ok === true).length, 1);
    assert.equal(replies.filter(({ error }) => error === "ALREADY_REVERSED").length, 9);
    assert.deepEqual(await call("balance"), { ok: true, balance: 30 });
  });

  it("a reply is kept, also when the balance has changed since", async (storage) => {
    const call = caller(storage);
    const bet = await call("bet", { tx_id: "b1", amount: 2.5 });
    assert.deepEqual(bet, { ok: true, balance: 27.5 });
    await call("win", { tx_id: "w1", amount: 9_999_999_999.99 });
    assert.deepEqual(await call("bet", { tx_id: "b1", amount: 2.5 }), bet);
    assert.deepEqual(await call("balance"), { ok: true, balance: 10_000_000_027.49 });
  });

  it("the rejection of a bet is kept, that of a refund is not", async (storage) => {
    const call = caller(storage);
    const bet = { tx_id: "b1", amount: 31 };
    const refund = { tx_id: "f1", ref_tx_id: "b2", amount: 5 };
    assert.deepEqual(await call("bet", bet), { ok: false, error: "INSUFFICIENT_FUNDS" });
    await call("bet", { tx_id: "b2", amount: 6 });
    assert.deepEqual(await call("refund", refund), { ok: false, error: "AMOUNT_MISMATCH" });
    await call("win", { tx_id: "w1", amount: 100 });
    assert.deepEqual(await call("bet", bet), { ok: false, error: "INSUFFICIENT_FUNDS" });
    assert.deepEqual(await call("refund", { ...refund, amount: 6 }), { ok: true, balance: 130 });
  });

  it("a bet that comes after its refund is refused", async (storage) => {
    const call = caller(storage);
    const refund = { tx_id: "f1", ref_tx_id: "b1", amount: 5 };
    assert.deepEqual(await call("refund", refund), { ok: false, error: "TRANSACTION_NOT_FOUND" });
    assert.deepEqual(await call("bet", { tx_id: "b1", amount: 5 }), { ok: false, error: "TRANSACTION_REVERSED" });
    assert.deepEqual(await call("refund", refund), { ok: false, error: "TRANSACTION_NOT_FOUND" });
    assert.deepEqual(await call("balance"), { ok: true, balance: 30 });
  });

  it("a rollback may leave less than nothing, and a rejected one stays rejected", async (storage) => {
    const call = caller(storage);
    await call("win", { player_id: "rui", tx_id: "w1", amount: 5 });
    await call("bet", { player_id: "rui", tx_id: "b1", amount: 4.5 });
    const wrong = { player_id: "rui", tx_id: "r1", ref_tx_id: "w1", amount: 4 };
    assert.deepEqual(await call("rollback", wrong), { ok: false, error: "AMOUNT_MISMATCH" });
    assert.deepEqual(await call("rollback", { ...wrong, amount: 5 }), { ok: false, error: "AMOUNT_MISMATCH" });
    const right = { ...wrong, tx_id: "r2", amount: 5 };
    assert.deepEqual(await call("rollback", right), { ok: true, balance: -4.5 });
  });

  it("a reversal must name a bet (win) of this player, and is judged anew when it found nothing", async (storage) => {
    const call = caller(storage);
    const missing = { ok: false, error: "TRANSACTION_NOT_FOUND" };
    await call("bet", { tx_id: "b1", amount: 1 });
    await call("win", { tx_id: "w1", amount: 1 });
    assert.deepEqual(await call("refund", { tx_id: "f1", ref_tx_id: "w1", amount: 1 }), missing);
    assert.deepEqual(await call("rollback", { tx_id: "r1", ref_tx_id: "b1", amount: 1 }), missing);
    assert.deepEqual(await call("refund", { player_id: "rui", tx_id: "f2", ref_tx_id: "b1", amount: 1 }), missing);
    assert.deepEqual(await call("rollback", { tx_id: "r1", ref_tx_id: "w1", amount: 1 }), { ok: true, balance: 29 });
    assert.deepEqual(await call("refund", { tx_id: "f1", ref_tx_id: "b1", amount: 1 }), { ok: true, balance: 30 });
  });

  it("a blocked player's bet is rejected, a win is paid", async (storage) => {
    const call = caller(storage);
    const bea = { player_id: "bea", amount: 1 };
    assert.deepEqual(await call("bet", { ...bea, tx_id: "b1" }), { ok: false, error: "PLAYER_BLOCKED" });
    assert.deepEqual(await call("win", { ...bea, tx_id: "w1" }), { ok: true, balance: 11 });
  });

  it("merchants share nothing", async (storage) => {
    const call = caller(storage);
    await call("bet", { tx_id: "b1", amount: 1 });
    assert.deepEqual(await call("bet", { tx_id: "b1", amount: 2 }, "other"), { ok: true, balance: 28 });
    assert.deepEqual(await call("refund", { tx_id: "f1", ref_tx_id: "b1", amount: 2 }, "other"), {
      ok: true,
      balance: 30,
    });
    assert.deepEqual(await call("balance"), { ok: true, balance: 29 });
  });

  it("ids are compared byte by byte", async (storage) => {
    const call = caller(storage);
    const ids = ["a", "A", "á", "a\u0301", "a ", " a", "ß", "ss"];
    for (const [i, id] of ids.entries())
      assert.deepEqual(await call("bet", { tx_id: id, amount: 1 }), { ok: true, balance: 29 - i }, JSON.stringify(id));
    for (const id of ["ANA", "ana ", "aná"])
      assert.deepEqual(await call("balance", { player_id: id }), { ok: false, error: "PLAYER_NOT_FOUND" }, id);
  });

  it("when the work throws, nothing is kept", async (storage) => {
    const call = caller(storage);
    const failing = storage.transaction("shop", "ana", async (books) => {
      await books.setBalance(0n);
      await books.add({ state: "tombstone", txId: "b1" });
      throw new Error("the disk is on fire");
    });
    await assert.rejects(failing, /the disk is on fire/);
    assert.deepEqual(await call("bet", { tx_id: "b1", amount: 1 }), { ok: true, balance: 29 });
  });
}
