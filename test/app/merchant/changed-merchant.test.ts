/** Each attempt uses the settings of its own moment: the wallet's address and the secret. */
import test from "ava";
import { checkSignature } from "../../../sandbox/merchant/signature.ts";
import { startScriptedWallet } from "../../../testbed/callers/scripted-wallet.ts";
import { startEngine } from "../../../testbed/in-process/engine.ts";

test("if the secret changes between two attempts, the new secret signs the second attempt; the body does not change", async (t) => {
  const wallet = await startScriptedWallet();
  const engine = await startEngine({ walletTimeoutMs: 800, walletUrl: wallet.url });
  t.teardown(() => Promise.all([engine.close(), wallet.close()]));
  const first = engine.target.secret;
  wallet.setAnswers("w1", "silent", "accepted");
  t.is(await engine.request("win", "w1"), "pending");
  engine.target.secret = "sk_another";
  t.is(await engine.request("win", "w1"), "success");
  const [before, after] = wallet.callbacks;
  t.is(before?.body, after?.body);
  t.not(before?.headers["x-nonce"], after?.headers["x-nonce"]);
  t.deepEqual([before?.headers["x-attempt"], after?.headers["x-attempt"]], ["1", "2"]);
  const check = (secret: string, call = after) =>
    checkSignature(
      [secret],
      { method: "POST", target: "/wallet", headers: call?.headers ?? {}, body: Buffer.from(call?.body ?? "") },
      Date.now(),
    );
  t.is(check(first, before), "ok");
  t.is(check("sk_another"), "ok");
  t.not(check(first), "ok");
});

test("if the walletUrl changes between two attempts, the second attempt goes to the new address", async (t) => {
  const [old, current] = [await startScriptedWallet(), await startScriptedWallet()];
  const engine = await startEngine({ walletTimeoutMs: 800, walletUrl: old.url });
  t.teardown(() => Promise.all([engine.close(), old.close(), current.close()]));
  old.setAnswers("b1", "silent");
  t.is(await engine.request("bet", "b1"), "pending");
  engine.target.walletUrl = current.url;
  t.is(await engine.request("bet", "b1"), "success");
  t.deepEqual([old.calls("b1"), current.calls("b1")], [1, 1]);
});

test("without a walletUrl a bet stays pending with the result `connect`; a repeat succeeds when the merchant has a walletUrl again", async (t) => {
  const engine = await startEngine();
  t.teardown(engine.close);
  const url = engine.target.walletUrl;
  engine.target.walletUrl = null;
  t.is(await engine.request("bet", "b1"), "pending");
  t.deepEqual(
    engine.telemetry.calls.map(({ result }) => result),
    ["connect"],
  );
  t.deepEqual(
    engine.store.rows.get("1/ACME:b1")?.attemptLog.map(({ n, result, httpStatus }) => ({ n, result, httpStatus })),
    [{ n: 1, result: "connect", httpStatus: null }],
  );
  engine.target.walletUrl = url;
  t.is(await engine.request("bet", "b1"), "success");
  t.is(engine.balance(), 9_750n);
});
