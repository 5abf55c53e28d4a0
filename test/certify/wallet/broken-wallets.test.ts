/** Wallets with invalid replies: each is judged to the end, and its fault is named. */
import test from "ava";
import { certify } from "../../../certify/wallet/certify.ts";
import { type Fault, NO_FAULT } from "../../../sandbox/merchant/faults.ts";
import { Ledger } from "../../../sandbox/merchant/ledger.ts";
import { startWallet } from "../../../sandbox/merchant/wallet.ts";
import { nameOf, planOf } from "./passes.ts";

const FAULTS: readonly { readonly fault: Fault; readonly received: RegExp }[] = [
  { fault: { kind: "http_500" }, received: /HTTP 500/ },
  { fault: { kind: "html" }, received: /Maintenance/ },
  { fault: { kind: "garbage" }, received: /HTTP 200 / },
  { fault: { kind: "reset" }, received: /The connection failed: ECONNRESET/ },
  { fault: { kind: "truncated" }, received: /closed in the middle of the reply/ },
  { fault: { kind: "endless" }, received: /over 64 KiB/ },
  { fault: { kind: "slow", ms: 9_000 }, received: /No complete reply within 8 s/ },
];

for (const { fault, received } of FAULTS) {
  test(`a wallet whose replies are ${fault.kind} from the second one on`, async (t) => {
    const ledger = new Ledger();
    ledger.addMerchant("shop", "BRL");
    for (const id of ["ana", "rui"]) ledger.addPlayer("shop", id, 10_000n);
    let callbacks = 0;
    const wallet = await startWallet({
      ledger,
      secretsOf: (code) => (code === "shop" ? ["sk_shop"] : []),
      // The first balance query of each player is answered. One slow reply is enough to wait for.
      onCallback: () => {
        callbacks += 1;
        if (callbacks === 2) wallet.setFault(fault);
        if (callbacks > 2 && fault.kind === "slow") wallet.setFault(NO_FAULT);
      },
    });
    t.teardown(() => wallet.close());
    const { other: _other, blocked: _blocked, ...plan } = planOf(new URL(wallet.url));
    const { outcomes } = await certify({ ...plan, only: ["actions/unknown-player", "format/in-time"] });
    const isComplete = /^(http_500|html|garbage)$/.test(fault.kind);
    t.deepEqual(outcomes.filter(({ status }) => status === "passed").map(nameOf), isComplete ? ["format/in-time"] : []);
    const judged = outcomes.find((outcome) => nameOf(outcome) === "actions/unknown-player");
    t.is(judged?.status, "failed");
    t.regex(judged?.finding?.received ?? "", received);
  });
}
