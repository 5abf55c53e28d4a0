import test from "ava";
import { renderJson } from "../../../certify/report/json.ts";
import { verdict } from "../../../certify/report/verdict.ts";
import { readMemory } from "../../../certify/wallet/cases/memory.ts";
import { certify } from "../../../certify/wallet/certify.ts";
import { reportOf } from "../../../certify/wallet/report.ts";
import { Ledger } from "../../../sandbox/merchant/ledger.ts";
import { startWallet } from "../../../sandbox/merchant/wallet.ts";
import { startDocumentedWallet } from "../../docs/documented-wallet.ts";
import { faultsOf, NO_PAUSE, passOf, planOf } from "./passes.ts";
import type { Reply } from "./wallet-habits.ts";
import { decimalOf, WalletUnderTest } from "./wallet-under-test.ts";

for (const currency of ["BRL", "CLP"] as const) {
  test(`the sandbox's wallet passes in ${currency}, and afterwards every player has the same balance as before`, async (t) => {
    const ledger = new Ledger();
    for (const code of ["shop", "other"]) {
      ledger.addMerchant(code, currency);
      for (const id of ["ana", "rui", "blocked"]) ledger.addPlayer(code, id, 12_345n);
    }
    ledger.block("shop", "blocked", true);
    const wallet = await startWallet({
      ledger,
      secretsOf: (code) => ({ shop: ["sk_shop"], other: ["sk_other"] })[code] ?? [],
    });
    t.teardown(() => wallet.close());
    const pass = await certify({ ...planOf(new URL(wallet.url), currency), histories: 12 });
    t.deepEqual(faultsOf(pass), []);
    t.deepEqual(
      pass.outcomes.filter(({ status }) => status === "not_tried").map(({ category }) => category.id),
      [...(currency === "CLP" ? Array(6).fill("precision") : ["precision"]), "memory"],
      "only what is about other currencies, or needs a pause, is not tried",
    );
    for (const id of ["ana", "rui"]) t.is(ledger.balanceMinor("shop", id), 12_345n);
    t.is(ledger.balanceMinor("other", "ana"), 12_345n);
    t.true(ledger.effects.length > 500, "money moved");
  });
}

for (const currency of ["BRL", "CLP"] as const) {
  test.serial(`the wallet of docs/merchant-wallet.md passes in ${currency}`, async (t) => {
    const { addPlayer, origin } = await startDocumentedWallet(t, {
      shop: { secret: "sk_shop", currency },
      other: { secret: "sk_other", currency },
    });
    for (const merchant of ["shop", "other"])
      for (const id of ["ana", "rui", "blocked"]) addPlayer(merchant, id, id === "blocked");
    // The wallet logs the connections that are cut on purpose, so its log is switched off.
    const { error } = console;
    console.error = () => {};
    t.teardown(() => {
      console.error = error;
    });
    const pass = await certify({ ...planOf(new URL(origin), currency), histories: 6 });
    t.deepEqual(faultsOf(pass), []);
  });
}

test("a correct wallet with other habits passes: remembered nonces, compared content, no negative balance, 409 for rejections, 97.50, closed connections", async (t) => {
  const print = ({ ok, balance, error }: Reply): string => {
    const number = balance === undefined ? "" : decimalOf(balance, 100);
    const padded = number.includes(".") ? number.padEnd(number.indexOf(".") + 3, "0") : `${number}.00`;
    return `\uFEFF{\n  "error" : ${JSON.stringify(error ?? null)},\n  "balance" : ${balance === undefined ? "null" : padded},\n  "ok" : ${ok}\n}\n`;
  };
  const habits = {
    print,
    closes: true,
    remembersNonces: true,
    comparesContent: true,
    neverNegative: true,
    rejectionStatus: 409,
  };
  const pass = await passOf({ habits }, { histories: 12, allow: ["reversals/rollback-negative"] });
  t.deepEqual(
    faultsOf(pass)
      .map((fault) => fault.split(":")[0])
      .sort(),
    ["reversals/rollback-negative", "signature/answer"],
    "recommendations and an allowed case alone",
  );
  t.false(pass.outcomes.some(({ status }) => status === "failed"));
});

for (const locks of ["transaction", "player"] as const)
  test(`a correct wallet passes that answers 500 while it works on the same ${locks}, and that checks the currency first`, async (t) => {
    const pass = await passOf({ habits: { locks, currencyFirst: true } }, { histories: 12 });
    t.deepEqual(faultsOf(pass), []);
    const undecided = pass.outcomes.flatMap(({ exchanges }) => exchanges).filter(({ reply }) => reply.status === 500);
    t.true(undecided.length > 20, "the wallet did answer 500");
  });

test("a correct wallet passes that closes each connection after its reply without a word", async (t) => {
  t.deepEqual(faultsOf(await passOf({ habits: { hangsUp: true } })), []);
});

test("a correct wallet passes whose players' ids have letters beyond ASCII and emojis", async (t) => {
  t.deepEqual(faultsOf(await passOf({ players: ["joão-é", "🎰 zé"] })), []);
});

test("a wallet that tells thousandths gets the advice to cut its balances down", async (t) => {
  const print = ({ ok, balance, error }: Reply): string =>
    JSON.stringify({ ok, error, balance: balance === undefined ? undefined : Number(balance) / 100 + 0.003 });
  const { outcomes } = await passOf({ habits: { print } }, { only: ["format/bet-reply", "precision/half"] });
  for (const { finding } of outcomes) t.regex(finding?.texts.fix ?? "", /answer with the balance cut down/);
});

test("a pass after a pause repeats its first transactions, and a later pass repeats those of the earlier one", async (t) => {
  const wallet = new WalletUnderTest();
  const { url, close } = await wallet.listen();
  t.teardown(close);
  const plan = { ...planOf(url), only: ["memory"] };
  const first = await certify({ ...plan, pauseMs: 300 });
  t.deepEqual(faultsOf(first), []);
  t.is(first.memory.shown.length, 2);
  const saved = JSON.parse(renderJson(reportOf(first), verdict(reportOf(first), false))) as { memory: unknown[] };
  t.is(saved.memory.length, 9);
  const resumed = readMemory(saved, plan.merchant);
  for (const time of ["once", "twice"]) t.deepEqual(faultsOf(await certify({ ...plan, resumed })), [], time);
  wallet.restartWithoutMemory();
  const faults = faultsOf(await certify({ ...plan, resumed })).map((fault) => fault.split(":")[0]);
  t.deepEqual(faults, ["memory/resumed"]);
  t.throws(() => readMemory({ ...saved, merchant: "else" }, plan.merchant), { message: /of the merchant else/ });
  t.throws(() => readMemory({ cases: [] }, plan.merchant), { message: /--json/ });
});

test("if there is only one player, the cases for two players are not tested, and the other cases pass", async (t) => {
  const { outcomes } = await passOf({ players: ["ana"] }, { blocked: undefined, other: undefined } as never);
  const untried = outcomes.filter(({ lacks }) => lacks);
  t.deepEqual([...new Set(untried.map(({ why }) => why))].sort(), [
    NO_PAUSE,
    "It needs --blocked-player.",
    "It needs --other-merchant and --other-secret.",
    "It needs a second --player.",
  ]);
  t.is(untried.filter(({ status }) => status === "not_tried").length, untried.length);
  t.deepEqual(
    outcomes.filter(({ status }) => status === "failed" || status === "warning"),
    [],
  );
  t.true(outcomes.filter(({ status }) => status === "passed").length > 140);
});
