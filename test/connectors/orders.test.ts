/** Orders of calls that the chaos judge meets seldom: each stops at the moment that decides. */
import test from "ava";
import { NO_FAULT } from "../../sandbox/merchant/faults.ts";
import { evolutionFields, startEvolutionStage } from "../../testbed/connectors/evolution.ts";
import { hubFields, startHubStage } from "../../testbed/connectors/hub88.ts";
import { startSlotegratorStage } from "../../testbed/connectors/slotegrator.ts";

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
};

const slotegratorBet = (who: object, id: string) => ({
  ...{ action: "bet", amount: "2.50", currency: "BRL", game_uuid: "lucky", type: "bet", round_id: id },
  ...who,
  transaction_id: id,
});

test("a copy of a bet that stands is told so although the service is gone, so the provider does not lose the bet", async (t) => {
  const stage = await startSlotegratorStage(t, { processes: true });
  const bet = slotegratorBet(await stage.open(), "b1");
  const answer = (await stage.call(bet)).body;
  t.is(answer.balance, 97.5);
  await stage.stopService();
  const { balance, error_code } = (await stage.call(bet)).body;
  t.deepEqual([balance, error_code], [97.5, undefined]);
});

test("a bet that comes under the id of a win is refused, and the connector's own reversal leaves the win alone", async (t) => {
  const stage = await startSlotegratorStage(t, {}, { SLOTEGRATOR_REVERSE_AFTER_MS: "1000" });
  const who = await stage.open();
  t.is((await stage.call({ ...slotegratorBet(who, "x"), action: "win", type: "win" })).body.balance, 102.5);
  t.is((await stage.call(slotegratorBet(who, "x"))).body.error_code, "INTERNAL_ERROR");
  await until(async () => (await stage.alerts("own_reversal")) > 0);
  t.is(stage.balance(), 10_250n);
});

test("a bet at a table that the catalog does not have is reversed as well if its outcome is not known", async (t) => {
  const env = { REFUND_QUIET_PERIOD_MS: "0", WALLET_TIMEOUT_MS: "1000" };
  const variables = { EVOLUTION_TIMEOUT_MS: "20000", EVOLUTION_REVERSE_AFTER_MS: "2000" };
  const stage = await startEvolutionStage(t, { env }, variables);
  const who = await stage.open();
  stage.service.wallet.setFault({ kind: "applied_no_reply" });
  const game = { id: "g1", details: { table: { id: "of another catalog" } } };
  t.like(await stage.call("debit", evolutionFields(who, "r1", 2.5, { game })), { status: "TEMPORARY_ERROR" });
  t.is(stage.balance(), 9_750n);
  stage.service.wallet.setFault(NO_FAULT);
  await until(() => stage.balance() === 10_000n);
  t.pass();
});

test("a bet whose provider has hung up before the answer is reversed", async (t) => {
  const variables = { CALETA_TIMEOUT_MS: "20000", CALETA_REVERSE_AFTER_MS: "8000" };
  const stage = await startHubStage(t, "caleta", { env: { WALLET_TIMEOUT_MS: "20000" } }, variables);
  const { path, headers, body } = stage.request("bet", hubFields(await stage.open()));
  stage.service.wallet.setFault({ kind: "slow", ms: 4_000 });
  const hangUp = new AbortController();
  const call = fetch(`${stage.origin}${path}`, { method: "POST", headers, body, signal: hangUp.signal });
  await until(() => stage.balance() === 9_750n);
  hangUp.abort();
  await t.throwsAsync(call);
  stage.service.wallet.setFault(NO_FAULT);
  await until(async () => (await stage.alerts("own_reversal")) > 0);
  t.is(stage.balance(), 10_000n);
});

test("a win for a bet without an outcome does not save the bet from its reversal", async (t) => {
  const env = { REFUND_QUIET_PERIOD_MS: "0", WALLET_TIMEOUT_MS: "1000" };
  const variables = { CALETA_TIMEOUT_MS: "20000", CALETA_REVERSE_AFTER_MS: "4000" };
  const stage = await startHubStage(t, "caleta", { env }, variables);
  const who = await stage.open();
  const bet = hubFields(who);
  stage.service.wallet.setFault({ kind: "applied_no_reply" });
  t.like(await stage.call("bet", bet), { status: "RS_ERROR_TIMEOUT" });
  stage.service.wallet.setFault(NO_FAULT);
  const win = hubFields(who, { reference_transaction_uuid: bet.transaction_uuid });
  t.not((await stage.call("win", win)).status, "RS_OK");
  await until(() => stage.balance() === 10_000n);
  t.pass();
});
