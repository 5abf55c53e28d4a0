import test from "ava";
import { Buckets } from "../../../src/app/capacity/buckets.ts";
import { type OperationClass, RateLimits } from "../../../src/app/capacity/rate-limits.ts";
import type { Merchant } from "../../../src/ports/settings-store.ts";
import { merchantRecord } from "../../../testbed/directory/records.ts";
import { ManualClock } from "../../../testbed/in-process/manual-clock.ts";

const merchant = (id: number, limits: Merchant["limits"] = {}): Merchant => ({
  ...merchantRecord(`m-${id}`, { limits }),
  id,
});

/** Counts the calls that are allowed in a row. */
const inARow = (call: () => { readonly allowed: boolean }, most = 10_000): number => {
  for (let calls = 0; calls < most; calls++) if (!call().allowed) return calls;
  return most;
};

test("a merchant may make calls of each class at the class's rate per second, and twice that many calls at once", async (t) => {
  const clock = new ManualClock();
  const rateLimits = new RateLimits(clock, () => 1);
  for (const [operation, rate] of [
    ["launch", 50],
    ["catalog", 5],
    ["transactions", 10],
    ["reports", 1],
  ] as const) {
    const calls = () => inARow(() => rateLimits.operation(merchant(1), operation));
    t.is(calls(), 2 * rate, operation);
    await clock.pass(1_000);
    t.is(calls(), rate, operation);
    t.is(
      inARow(() => rateLimits.operation(merchant(2), operation)),
      2 * rate,
      `another merchant: ${operation}`,
    );
  }
});

test("a merchant's own rates replace the default rates, and a changed rate applies at once", (t) => {
  const rateLimits = new RateLimits(new ManualClock(), () => 1);
  const own = { launchRate: 2, catalogRate: 3, transactionsRate: 0.1, reportsRate: 4 };
  const expected: Record<OperationClass, number> = { launch: 4, catalog: 6, transactions: 1, reports: 8 };
  for (const [operation, calls] of Object.entries(expected))
    t.is(
      inARow(() => rateLimits.operation(merchant(1, own), operation as OperationClass)),
      calls,
      operation,
    );
  rateLimits.operation(merchant(2, { catalogRate: 50 }), "catalog");
  t.is(
    inARow(() => rateLimits.operation(merchant(2, { catalogRate: 2 }), "catalog")),
    4,
  );
});

test("replicas share a limit, but each replica allows at least one call", (t) => {
  let replicas = 1;
  const rateLimits = new RateLimits(new ManualClock(), () => replicas);
  const quota = () => rateLimits.operation(merchant(1), "launch");
  t.like(quota(), { limit: 100, remaining: 99 });
  replicas = 4;
  t.like(quota(), { limit: 25, remaining: 24, resetS: 1 });
  replicas = 1_000;
  t.like(quota(), { limit: 1, remaining: 0, allowed: true });
  t.like(quota(), { limit: 1, remaining: 0, allowed: false, retryAfterS: 20 });
});

test("the remaining calls and the seconds until the next call are whole numbers", async (t) => {
  const clock = new ManualClock();
  const rateLimits = new RateLimits(clock, () => 1);
  const quota = () => rateLimits.operation(merchant(1), "reports");
  t.deepEqual(quota(), { allowed: true, limit: 2, remaining: 1, resetS: 1, retryAfterS: 1 });
  t.deepEqual(quota(), { allowed: true, limit: 2, remaining: 0, resetS: 2, retryAfterS: 1 });
  t.deepEqual(quota(), { allowed: false, limit: 2, remaining: 0, resetS: 2, retryAfterS: 1 });
  await clock.pass(1_000);
  t.true(quota().allowed);
});

test("an address may make 400 calls at once; the IPv6 addresses of one /64 share these calls, and a mapped address counts as its IPv4 address", (t) => {
  const rateLimits = new RateLimits(new ManualClock(), () => 1);
  t.is(
    inARow(() => rateLimits.address("192.0.2.1")),
    400,
  );
  t.is(
    inARow(() => rateLimits.address("::ffff:192.0.2.1")),
    0,
  );
  t.is(
    inARow(() => rateLimits.address("192.0.2.2")),
    400,
  );
  let host = 0;
  t.is(
    inARow(() => rateLimits.address(`2001:db8:0:1::${(host++).toString(16)}`)),
    400,
  );
  t.is(
    inARow(() => rateLimits.address("2001:db8:0:1:ffff:ffff:ffff:ffff")),
    0,
  );
  t.is(
    inARow(() => rateLimits.address("2001:db8:0:2::")),
    400,
  );
  t.is(
    inARow(() => rateLimits.address("no address")),
    400,
  );
});

test("each pair of an address and a merchant code may fail 60 times a minute; all malformed merchant codes of an address share one limit", async (t) => {
  const clock = new ManualClock();
  const rateLimits = new RateLimits(clock, () => 1);
  t.is(
    inARow(() => rateLimits.failure("192.0.2.1", "casa")),
    60,
  );
  t.is(
    inARow(() => rateLimits.failure("192.0.2.1", "nobody")),
    60,
  );
  t.is(
    inARow(() => rateLimits.failure("192.0.2.2", "casa")),
    60,
  );
  await clock.pass(30_000);
  t.is(
    inARow(() => rateLimits.failure("192.0.2.1", "casa")),
    30,
  );
  let n = 0;
  t.is(
    inARow(() => rateLimits.failure("192.0.2.3", `${"x".repeat(10_000)}${n++}`)),
    60,
  );
});

test("a million callers need limited memory, and a caller that has used up its calls stays limited meanwhile", async (t) => {
  const clock = new ManualClock();
  const buckets = new Buckets();
  const rate = { perSecond: 1, capacity: 2 };
  for (let caller = 0; caller < 1_000_000; caller++) {
    buckets.take(`10.${caller}`, rate, clock.now());
    if (caller % 1_000 === 0) t.true(buckets.size <= 100_001, `${buckets.size}`);
  }
  const few = new Buckets();
  let passed = 0;
  for (let i = 0; i < 100; i++) {
    if (few.take("busy", rate, clock.now()).taken) passed += 1;
    few.take(`other ${i}`, rate, clock.now());
    clock.jump(100);
  }
  t.is(passed, 11, "two at once, and one a second");
  t.true(few.size <= 42, "the others are full again, and forgotten");
  clock.jump(10_000);
  t.is(few.take("busy", rate, clock.now()).bucket.tokens, 1);
  t.is(few.size, 1);
});
