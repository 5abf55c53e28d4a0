import test from "ava";
import { type WholeMs, wholeMs } from "../../../src/domain/values/whole-ms.ts";
import type { ClaimLine, ScheduleLine, SettleLine } from "../../../src/ports/transactions/transaction-store.ts";

test("a time is rounded up, so that no wait and no lease becomes shorter", (t) => {
  t.is(Number(wholeMs(0)), 0);
  t.is(Number(wholeMs(1_699_999_999_999.0002)), 1_700_000_000_000);
  t.is(Number(wholeMs(7)), 7);
});

test("the compiler refuses a number that may have a fraction where a store writes a time", (t) => {
  // @ts-expect-error
  const leaseMs: ClaimLine["leaseMs"] = 1.5;
  // @ts-expect-error
  const inMs: ScheduleLine["inMs"] = performance.now();
  // @ts-expect-error
  const next: SettleLine["change"]["next"] = wholeMs(1) + 0.5;
  // @ts-expect-error
  const at: SettleLine["attempt"]["at"] = Date.now();
  const right: WholeMs = wholeMs(1.5);
  t.deepEqual([leaseMs, typeof inMs, next, typeof at, right], [1.5, "number", 1.5, "number", 2]);
});
