import test from "ava";
import { type Permit, WalletPermits } from "../../../src/app/capacity/wallet-permits.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

const LONG_WAIT_MS = 30_000;

function startPermits(perMerchant: number, own?: (merchantId: number) => number | undefined) {
  const clock = new ManualClock();
  const telemetry = new RecordedTelemetry();
  const permits = new WalletPermits(clock, telemetry, perMerchant, {
    merchantById: (id) => ({ limits: { walletConcurrency: own?.(id) } }),
  });
  const take = (kind: "credit" | "debit" | "balance" | "resend", withinMs = LONG_WAIT_MS, merchant = 1) =>
    permits.take(merchant, kind, clock.monotonic() + withinMs);
  const fill = (n: number) => Array.from({ length: n }, () => take("debit") as Permit);
  return { clock, telemetry, permits, take, fill };
}

/** The state of a request for a permit. */
async function state(
  clock: ManualClock,
  waiting: ReturnType<WalletPermits["take"]>,
): Promise<"waits" | "granted" | "refused"> {
  let seen: "waits" | "granted" | "refused" = "waits";
  void Promise.resolve(waiting).then((permit) => {
    seen = permit === undefined ? "refused" : "granted";
  });
  await clock.pass(0);
  return seen;
}

test("each merchant has as many permits as configured", (t) => {
  const { take, fill } = startPermits(2);
  const held = fill(2);
  t.true(held.every((permit) => typeof permit.release === "function"));
  t.true(take("debit", LONG_WAIT_MS, 1) instanceof Promise);
  t.false(take("debit", LONG_WAIT_MS, 2) instanceof Promise);
});

test("a merchant's own number of permits replaces the configured number, and a change applies at once", (t) => {
  const own = new Map([[1, 3]]);
  const { take, fill } = startPermits(1, (merchantId) => own.get(merchantId));
  const held = fill(3);
  t.true(held.every((permit) => typeof permit.release === "function"));
  t.true(take("debit", LONG_WAIT_MS, 1) instanceof Promise);
  t.false(take("debit", LONG_WAIT_MS, 2) instanceof Promise);
  t.true(take("debit", LONG_WAIT_MS, 2) instanceof Promise, "another merchant has the configured one");
  own.set(3, 1);
  t.false(take("debit", LONG_WAIT_MS, 3) instanceof Promise);
  own.set(3, 2);
  t.false(take("debit", LONG_WAIT_MS, 3) instanceof Promise);
});

test("credits get permits before debits, and debits before balance queries, each kind in the order of arrival", async (t) => {
  const { clock, take, fill } = startPermits(1);
  const [held] = fill(1);
  const order: string[] = [];
  for (const [name, kind] of [
    ["balance", "balance"],
    ["bet 1", "debit"],
    ["bet 2", "debit"],
    ["win", "credit"],
  ] as const) {
    void Promise.resolve(take(kind)).then((permit) => {
      order.push(name);
      permit?.release();
    });
  }
  held?.release();
  await clock.pass(0);
  t.deepEqual(order, ["win", "bet 1", "bet 2", "balance"]);
});

test("a request waits at most 2 s, and never into the last 500 ms before its deadline", async (t) => {
  const { clock, take, fill } = startPermits(1);
  fill(1);
  t.is(take("debit", 500), undefined);
  const short = take("debit", 900);
  const long = take("debit", LONG_WAIT_MS);
  await clock.pass(399);
  t.is(await state(clock, short), "waits");
  await clock.pass(1);
  t.is(await state(clock, short), "refused");
  await clock.pass(1_599);
  t.is(await state(clock, long), "waits");
  await clock.pass(1);
  t.is(await state(clock, long), "refused");
});

test("a merchant's queue has room for 64 requests; a request that stops waiting makes room for another", async (t) => {
  const { clock, take, fill } = startPermits(1);
  fill(1);
  const waiting = Array.from({ length: 64 }, () => take("debit"));
  t.is(take("credit"), undefined);
  await clock.pass(2_000);
  t.is(await state(clock, waiting[0]), "refused");
  t.true(take("credit") instanceof Promise);
});

test("resends use at most a quarter of the permits, never wait, and never go before a waiting request", (t) => {
  const { take, fill } = startPermits(8);
  const first = take("resend") as Permit;
  t.truthy(first);
  t.truthy(take("resend"));
  t.is(take("resend"), undefined);
  first.release();
  t.truthy(take("resend"));
  fill(6);
  void take("debit");
  t.is(take("resend"), undefined);
});

test("after ten silent calls in a row there are four permits and one resend at a time; each second with answers doubles the permits", async (t) => {
  const { clock, telemetry, permits, take } = startPermits(64);
  for (let i = 0; i < 9; i++) permits.silent(1);
  permits.answered(1);
  for (let i = 0; i < 9; i++) permits.silent(1);
  t.deepEqual(permits.limited(), []);
  permits.silent(1);
  t.deepEqual(permits.limited(), [{ merchantId: 1, limit: 4 }]);
  t.is(telemetry.alerts.length, 1);
  const probe = take("resend") as Permit;
  t.truthy(probe);
  t.is(take("resend"), undefined);
  probe.release();
  permits.answered(1);
  t.deepEqual(permits.limited(), [{ merchantId: 1, limit: 4 }]);
  for (const limit of [8, 16, 32]) {
    await clock.pass(1_000);
    permits.answered(1);
    t.deepEqual(permits.limited(), [{ merchantId: 1, limit }]);
  }
  await clock.pass(1_000);
  permits.answered(1);
  t.deepEqual(permits.limited(), []);
});

test("a permit is released only once", (t) => {
  const { fill } = startPermits(1);
  const [held] = fill(1);
  held?.release();
  t.throws(() => held?.release());
});

test("thirty silent calls of a merchant with four permits raise only one alert", (t) => {
  const { telemetry, permits } = startPermits(4);
  for (let i = 0; i < 30; i++) permits.silent(1);
  t.is(telemetry.alerts.length, 1);
});
