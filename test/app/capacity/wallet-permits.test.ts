import test from "ava";
import { type Permit, WalletPermits } from "../../../src/app/capacity/wallet-permits.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";
import { RecordedTelemetry } from "../../../testbed/in-process/recorded-telemetry.ts";

const FAR = 30_000;

function desk(perMerchant: number, own?: (merchantId: number) => number | undefined) {
  const clock = new ManualClock();
  const telemetry = new RecordedTelemetry();
  const permits = new WalletPermits(clock, telemetry, perMerchant, own);
  const take = (kind: "credit" | "debit" | "balance" | "resend", withinMs = FAR, merchant = 1) =>
    permits.take(merchant, kind, clock.monotonic() + withinMs);
  const fill = (n: number) => Array.from({ length: n }, () => take("debit") as Permit);
  return { clock, telemetry, places: permits, take, fill };
}

/** What became of a request that waits. */
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

test("a merchant has as many places as configured, and another merchant its own", (t) => {
  const { take, fill } = desk(2);
  const held = fill(2);
  t.true(held.every((permit) => typeof permit.release === "function"));
  t.true(take("debit", FAR, 1) instanceof Promise);
  t.false(take("debit", FAR, 2) instanceof Promise);
});

test("a merchant's own number of places stands before the configured one, and acts as soon as it is changed", (t) => {
  const own = new Map([[1, 3]]);
  const { take, fill } = desk(1, (merchantId) => own.get(merchantId));
  const held = fill(3);
  t.true(held.every((permit) => typeof permit.release === "function"));
  t.true(take("debit", FAR, 1) instanceof Promise);
  t.false(take("debit", FAR, 2) instanceof Promise);
  t.true(take("debit", FAR, 2) instanceof Promise, "another merchant has the configured one");
  own.set(3, 1);
  t.false(take("debit", FAR, 3) instanceof Promise);
  own.set(3, 2);
  t.false(take("debit", FAR, 3) instanceof Promise);
});

test("credits are served before debits, debits before balance queries, each in its order", async (t) => {
  const { clock, take, fill } = desk(1);
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

test("nobody waits longer than 2 s, nor into the last 500 ms of its deadline", async (t) => {
  const { clock, take, fill } = desk(1);
  fill(1);
  t.is(take("debit", 500), undefined);
  const short = take("debit", 900);
  const long = take("debit", FAR);
  await clock.pass(399);
  t.is(await state(clock, short), "waits");
  await clock.pass(1);
  t.is(await state(clock, short), "refused");
  await clock.pass(1_599);
  t.is(await state(clock, long), "waits");
  await clock.pass(1);
  t.is(await state(clock, long), "refused");
});

test("a queue of 64 is full; who gave up makes room", async (t) => {
  const { clock, take, fill } = desk(1);
  fill(1);
  const waiting = Array.from({ length: 64 }, () => take("debit"));
  t.is(take("credit"), undefined);
  await clock.pass(2_000);
  t.is(await state(clock, waiting[0]), "refused");
  t.true(take("credit") instanceof Promise);
});

test("resends take at most a quarter of the places, never wait, and never pass a queue", (t) => {
  const { take, fill } = desk(8);
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

test("ten silences in a row leave four places and one probe of the resends; a second of answers doubles them, step by step", async (t) => {
  const { clock, telemetry, places: permits, take } = desk(64);
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

test("a place is given back once", (t) => {
  const { fill } = desk(1);
  const [held] = fill(1);
  held?.release();
  t.throws(() => held?.release());
});

test("a merchant with four places or less calls a person once, not with every further silence", (t) => {
  const { telemetry, places: permits } = desk(4);
  for (let i = 0; i < 30; i++) permits.silent(1);
  t.is(telemetry.alerts.length, 1);
});
