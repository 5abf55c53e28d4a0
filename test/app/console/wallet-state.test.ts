import test from "ava";
import { walletState } from "../../../src/app/console/wallet-state.ts";
import { BUCKETS, bucketOf } from "../../../src/domain/values/latency-histogram.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { SPANS, type WalletSums } from "../../../src/ports/transactions/wallet-minutes.ts";

/** A minute with 100 calls: so many took `ms`, the others 10 ms, and so many got no answer. */
const minute = (
  n: number,
  { slow = 0, ms = 2_000, silent = 0, breakerPermits = null as number | null } = {},
): WalletSums => {
  const durations = new Array<number>(BUCKETS).fill(0);
  durations[bucketOf(10)] = 100 - slow;
  durations[bucketOf(ms)] = slow;
  return {
    merchantId: 1,
    at: wholeMs(n * SPANS.minute),
    span: SPANS.minute,
    calls: [100 - silent, 0, silent, 0, 0, 0],
    balanceCalls: 0,
    durations,
    permitsHeld: 1,
    permits: 64,
    breakerPermits,
  };
};

test("a wallet is failing with 5 % of its calls without an answer or an open breaker, and slow if 6 of 100 calls take a second", (t) => {
  t.deepEqual(
    [{}, { silent: 4 }, { silent: 5 }, { breakerPermits: 4 }, { slow: 5 }, { slow: 6 }, { slow: 6, ms: 800 }].map(
      (of) => walletState(minute(0, of)),
    ),
    ["good", "some_fail", "failing", "failing", "good", "slow", "good"],
  );
  t.is(walletState(minute(0, { slow: 50, silent: 4 })), "slow");
});
