import test, { type ExecutionContext } from "ava";
import type { Fault } from "../../../sandbox/merchant/faults.ts";
import { type Callback, type RunningWallet, startWallet } from "../../../sandbox/merchant/wallet.ts";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import type { PlayerId, TxId } from "../../../src/domain/values/identifiers.ts";
import type { WalletReply } from "../../../src/ports/wallet.ts";
import { bet, makeWallet, query, SECRET, target } from "./wallet-fixture.ts";

interface Reference extends RunningWallet {
  readonly callbacks: Callback[];
}

/** The reference wallet with the merchants shop-7 and shop-8, player u-1 at both with 10.00. */
async function start(t: ExecutionContext, secret = SECRET): Promise<Reference> {
  const callbacks: Callback[] = [];
  const secretsOf = (merchant: string): string[] => (merchant.startsWith("shop-") ? [secret] : []);
  const wallet = await startWallet({ secretsOf, onCallback: (callback) => callbacks.push(callback) });
  t.teardown(() => wallet.close());
  for (const merchant of ["shop-7", "shop-8"]) {
    wallet.ledger.addMerchant(merchant, "BRL");
    wallet.ledger.addPlayer(merchant, "u-1", 1_000n);
  }
  return Object.assign(wallet, { callbacks });
}

const accepted = (balanceMinor: bigint): WalletReply["answer"] => ({ kind: "accepted", balanceMinor });

test("the reference wallet accepts the signature of every action, and moves the money once", async (t) => {
  const reference = await start(t);
  const { wallet } = makeWallet(t);
  const to = target(reference.url);
  const win = bet({ action: "win", txId: "ACME:t-2" as TxId, amountMinor: 1_025n });
  for (const attempt of [1, 2]) {
    t.deepEqual((await wallet.send(to, bet(), attempt)).answer, accepted(750n));
    t.deepEqual((await wallet.send(to, win, attempt)).answer, accepted(1_775n));
    t.deepEqual(
      (await wallet.send(to, bet({ action: "refund", txId: "ACME:t-3" as TxId, refTxId: "ACME:t-1" as TxId }), attempt))
        .answer,
      accepted(2_025n),
    );
    t.deepEqual(
      (
        await wallet.send(
          to,
          { ...win, action: "rollback", txId: "ACME:t-4" as TxId, refTxId: "ACME:t-2" as TxId },
          attempt,
        )
      ).answer,
      accepted(1_000n),
    );
  }
  t.deepEqual((await wallet.balance(to, query())).answer, accepted(1_000n));
  t.is(reference.ledger.effects.length, 4);
  t.true(
    reference.callbacks.every(
      ({ signature, merchant, target }) => signature === "ok" && merchant === "shop-7" && target === "/wallet",
    ),
  );
  t.deepEqual(reference.callbacks.map(({ headers }) => headers["x-attempt"]).join(""), "111122221");
});

test("one walletUrl works for several merchants, each with its own players and transactions", async (t) => {
  const reference = await start(t);
  const { wallet } = makeWallet(t);
  for (const merchantId of [7, 8])
    t.deepEqual((await wallet.send(target(reference.url, merchantId), bet({ merchantId }), 1)).answer, accepted(750n));
  t.is(reference.ledger.effects.length, 2);
});

test("player ids outside of ASCII arrive unchanged, and their signatures are right", async (t) => {
  const reference = await start(t);
  const playerId = 'joão "😀" \\ <u>' as PlayerId;
  reference.ledger.addPlayer("shop-7", playerId, 500n);
  t.deepEqual((await makeWallet(t).wallet.send(target(reference.url), bet({ playerId }), 1)).answer, accepted(250n));
});

test("a wrong secret, an unknown merchant and a clock six minutes off get 401 INVALID_SIGNATURE, and move no money", async (t) => {
  const reference = await start(t, "another secret");
  const { wallet } = makeWallet(t);
  const wrong = await wallet.send(target(reference.url), bet(), 1);
  t.deepEqual([wrong.answer, wrong.httpStatus], [{ kind: "rejected", error: "INVALID_SIGNATURE" }, 401]);
  await wallet.send({ ...target(reference.url), merchantCode: "nobody" }, bet(), 1);
  const late = Object.assign(new SystemClock(), { now: () => Date.now() - 360_000 });
  await makeWallet(t, {}, late).wallet.send({ ...target(reference.url), secret: "another secret" }, bet(), 1);
  t.deepEqual(
    reference.callbacks.map(({ signature }) => signature),
    ["mismatch", "unknown_merchant", "timestamp_out_of_range"],
  );
  t.deepEqual(reference.ledger.effects, []);
});

const TIMEOUT_MS = 500;

/** Each fault: the service's result, and whether the money moved once in the end. */
const faults: readonly (readonly [Fault, WalletReply["result"], boolean])[] = [
  [{ kind: "none" }, "accepted", true],
  [{ kind: "slow", ms: 50 }, "accepted", true],
  [{ kind: "slow", ms: 800 }, "timeout", true],
  [{ kind: "silent" }, "timeout", false],
  [{ kind: "applied_no_reply" }, "timeout", true],
  [{ kind: "applied_late", ms: 50 }, "accepted", true],
  [{ kind: "applied_late", ms: 800 }, "timeout", true],
  [{ kind: "http_500" }, "http_5xx", false],
  [{ kind: "http_500", applies: true }, "http_5xx", true],
  [{ kind: "html" }, "not_json", false],
  [{ kind: "garbage" }, "not_json", false],
  [{ kind: "garbage", applies: true }, "not_json", true],
  [{ kind: "rejected" }, "rejected", false],
  [{ kind: "reset" }, "connect", false],
  [{ kind: "reset", applies: true }, "connect", true],
  [{ kind: "truncated" }, "connect", true],
  [{ kind: "endless" }, "too_large", true],
];

for (const [fault, result, applied] of faults) {
  test(`with the wallet's fault ${JSON.stringify(fault)} a call ends as ${result}; a repeat after the fault finds the money moved once`, async (t) => {
    const reference = await start(t);
    // Only a fault that must time out gets a short time limit, because on a busy machine the other replies may take
    // longer.
    const { wallet } = makeWallet(t, result === "timeout" ? { timeoutMs: TIMEOUT_MS } : {});
    reference.setFault(fault);
    t.is((await wallet.send(target(reference.url), bet(), 1)).result, result);
    // The wallet may apply the bet after the call has ended.
    while (reference.callbacks.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    t.is(reference.ledger.effects.length, applied ? 1 : 0);
    t.is(reference.callbacks.length, 1);
    t.is(reference.callbacks[0]?.fault, fault.kind);
    reference.setFault({ kind: "none" });
    t.deepEqual((await makeWallet(t).wallet.send(target(reference.url), bet(), 2)).answer, accepted(750n));
    t.is(reference.ledger.effects.length, 1);
  });
}

test("a fault for one player replaces the fault for all players, until it is cleared", async (t) => {
  const reference = await start(t);
  reference.ledger.addPlayer("shop-7", "u-2", 1_000n);
  const { wallet } = makeWallet(t);
  reference.setFault({ kind: "html" });
  reference.setFault({ kind: "none" }, "u-2");
  t.is((await wallet.send(target(reference.url), bet(), 1)).result, "not_json");
  t.is((await wallet.send(target(reference.url), bet({ playerId: "u-2" as PlayerId }), 1)).result, "accepted");
});
