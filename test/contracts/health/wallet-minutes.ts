import type { TestFn } from "ava";
import { BUCKETS } from "../../../src/domain/values/latency-histogram.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import {
  SPANS,
  WALLET_MINUTES_MS,
  type WalletMinutes,
  type WalletSums,
} from "../../../src/ports/transactions/wallet-minutes.ts";

export interface WalletMinutesUnderTest {
  /** Stores of several replicas over the same sums. */
  readonly stores: readonly [WalletMinutes, ...WalletMinutes[]];
  /** The database's time. */
  readonly now: () => Promise<number>;
}

/** A histogram with these counts by bucket. */
const histogram = (counts: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: BUCKETS }, (_, bucket) => counts[bucket] ?? 0);

const sums = (merchantId: number, at: number, more: Partial<WalletSums> = {}): WalletSums => ({
  merchantId,
  at: wholeMs(at),
  span: SPANS.minute,
  calls: [5, 1, 0, 0, 0, 2],
  balanceCalls: 2,
  durations: histogram({ 0: 3, 20: 4, 64: 1 }),
  permitsHeld: 3,
  permits: 64,
  breakerPermits: null,
  ...more,
});
const MINUTE = SPANS.minute;
const BEGIN = 1_767_225_600_000;

/** The contract of ports/transactions/wallet-minutes.ts, for every implementation. */
export function walletMinutesContract(test: TestFn, name: string, create: () => Promise<WalletMinutesUnderTest>): void {
  test(`${name}: sums are read as they were stored, by merchant and time, within the bounds`, async (t) => {
    const {
      stores: [store],
    } = await create();
    const all = [0, 1, 2].flatMap((n) => [7, 8].map((merchantId) => sums(merchantId, BEGIN + n * MINUTE)));
    await store.store("a", all);
    const hour = sums(7, BEGIN, { span: SPANS.hour, calls: [9, 9, 9, 9, 9, 9], breakerPermits: 4 });
    await store.store("a", [hour]);
    await store.store("a", []);
    const read = (...ids: number[]) => store.read(ids, MINUTE, BEGIN, BEGIN + 2 * MINUTE);
    t.deepEqual(await read(8, 7), [all[0], all[2], all[1], all[3]] as WalletSums[]);
    t.deepEqual(await read(9), []);
    t.deepEqual(await read(), []);
    t.deepEqual(await store.read([7, 8], SPANS.hour, BEGIN, BEGIN + MINUTE), [hour]);
  });

  test(`${name}: if a replica stores its sums again, they replace the earlier ones`, async (t) => {
    const {
      stores: [store],
    } = await create();
    await store.store("a", [sums(7, BEGIN)]);
    const again = sums(7, BEGIN, { calls: [6, 1, 0, 0, 0, 2], permitsHeld: 4, breakerPermits: 4 });
    for (let n = 0; n < 2; n++) await store.store("a", [again]);
    t.deepEqual(await store.read([7], MINUTE, BEGIN, BEGIN + 1), [again]);
  });

  test(`${name}: the counts of all replicas are added; of the permits the highest number is used, of the breaker's the lowest`, async (t) => {
    const { stores } = await create();
    const of = (n: number): WalletMinutes => stores[n % stores.length] as WalletMinutes;
    await of(0).store("a", [sums(7, BEGIN)]);
    await of(1).store("b", [sums(7, BEGIN, { permitsHeld: 9, permits: 32, breakerPermits: 4 })]);
    await of(2).store("c", [sums(7, BEGIN, { durations: histogram({ 20: 1, 21: 1 }), breakerPermits: 8 })]);
    t.deepEqual(await of(0).read([7], MINUTE, BEGIN, BEGIN + 1), [
      sums(7, BEGIN, {
        calls: [15, 3, 0, 0, 0, 6],
        balanceCalls: 6,
        durations: histogram({ 0: 6, 20: 9, 21: 1, 64: 2 }),
        permitsHeld: 9,
        breakerPermits: 4,
      }),
    ]);
  });

  test(`${name}: more sums than fit into one statement are stored, with large counts`, async (t) => {
    const {
      stores: [store],
    } = await create();
    const large = {
      calls: new Array<number>(6).fill(4_294_967_295),
      durations: new Array<number>(BUCKETS).fill(99_999_999),
    };
    const all = Array.from({ length: 450 }, (_, n) => sums(7, BEGIN + n * MINUTE, large));
    await store.store("a".repeat(36), all);
    t.deepEqual(await store.read([7], MINUTE, BEGIN, BEGIN + 450 * MINUTE), all);
  });

  test(`${name}: sums are deleted after seven days, at most the limit at a time`, async (t) => {
    const {
      stores: [store],
      now,
    } = await create();
    const old = (await now()) - WALLET_MINUTES_MS;
    await store.store("a", [
      ...[1, 2, 3].map((n) => sums(7, old - n * MINUTE)),
      sums(7, old + 5 * MINUTE),
      sums(7, old + 5 * MINUTE, { span: SPANS.hour }),
    ]);
    t.is(await store.forget(2), 2);
    t.is(await store.forget(2), 1);
    t.is(await store.forget(2), 0);
    t.is((await store.read([7], MINUTE, 0, old + 6 * MINUTE)).length, 1);
  });
}
