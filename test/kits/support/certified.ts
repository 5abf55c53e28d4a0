/** The result of certify/ for a kit's example wallet. */
import type { ExecutionContext } from "ava";
import { type Currency, decimals } from "../../../certify/wallet/calls/money.ts";
import { certify } from "../../../certify/wallet/certify.ts";
import { faultsOf, nameOf, planOf } from "../../certify/wallet/passes.ts";
import { PLAYERS } from "./example.ts";

/** Asserts that every case passed, except the cases about the decimals of other currencies. */
export async function assertCertified(t: ExecutionContext, url: URL, currency: Currency = "BRL"): Promise<void> {
  t.timeout(300_000);
  const pass = await certify({ ...planOf(url, currency, PLAYERS), histories: 6, pauseMs: 1_000 });
  t.deepEqual(faultsOf(pass), []);
  const untried = pass.outcomes.filter(({ status }) => status === "not_tried");
  const scale = decimals(currency);
  t.deepEqual(
    untried
      .filter(({ case: { needs } }) => (needs?.decimals ?? scale) === scale)
      .map((one) => `${nameOf(one)}: ${one.why}`),
    [],
    "only what is about other currencies is not tried",
  );
  t.true(pass.outcomes.length - untried.length > 150, "the cases ran");
  t.log(`${pass.outcomes.length - untried.length} cases, ${pass.calls} callbacks, ${Math.round(pass.ms)} ms`);
}
