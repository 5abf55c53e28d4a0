/** Since which minute a wallet is in trouble, from stored sums of minutes and hours. */

import test, { type ExecutionContext } from "ava";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { SqlWalletMinutes } from "../../../src/adapters/sql/reports/wallet-minutes.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { withBegin } from "../../../src/app/console/trouble-begin.ts";
import { type WalletTrouble, walletTrouble } from "../../../src/app/console/wallet-state.ts";
import { BUCKETS, bucketOf } from "../../../src/domain/values/latency-histogram.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { SPANS, type Span, together, type WalletSums } from "../../../src/ports/transactions/wallet-minutes.ts";

const { minute: MINUTE, hour: HOUR } = SPANS;
/** The present hour's beginning. */
const NOON = Date.parse("2026-03-01T12:00Z");

const sums = (merchantId: number, at: number, span: Span, isSlow: boolean): WalletSums => ({
  merchantId,
  at: wholeMs(at),
  span,
  calls: [10, 0, 0, 0, 0, 0],
  durations: Array.from({ length: BUCKETS }, (_, i) => (i === bucketOf(isSlow ? 3_000 : 20) ? 10 : 0)),
  permitsHeld: 1,
  permits: 64,
  breakerPermits: null,
});

/** A store with the minutes of one merchant between two times, and the hours that they add up to. */
async function storeOf(
  t: ExecutionContext,
  from: number,
  to: number,
  isSlow: (at: number) => boolean,
  hasCalls: (at: number) => boolean = () => true,
) {
  const database = openDatabase("sqlite::memory:");
  t.teardown(() => database.close());
  await migrate(database);
  const store = new SqlWalletMinutes(database);
  const minutes: WalletSums[] = [];
  for (let at = from; at < to; at += MINUTE) if (hasCalls(at)) minutes.push(sums(1, at, MINUTE, isSlow(at)));
  const hours = [...Map.groupBy(minutes, ({ at }) => at - (at % HOUR))].map(([at, own]) => ({
    ...own.reduce(together),
    at: wholeMs(at),
    span: HOUR,
  }));
  await store.store("r1", [...minutes, ...hours]);
  /** What a reader of these last minutes gets, in steps of this length. */
  return async (lastMs: number, stepMs: number, end = to): Promise<WalletTrouble | undefined> => {
    const begin = end - lastMs;
    const steps = [
      ...Map.groupBy(
        minutes.filter(({ at }) => at >= begin - (begin % stepMs) && at < end),
        ({ at }) => at - (at % stepMs),
      ),
    ].map(([at, own]) => ({ ...own.reduce(together), at: wholeMs(at) }));
    const trouble = walletTrouble(steps);
    const found = await withBegin(store, new Map(trouble && [[1, trouble]]), stepMs, end);
    return found.get(1);
  };
}

const WINDOWS = [
  [10 * MINUTE, MINUTE],
  [HOUR, MINUTE],
  [3 * HOUR, MINUTE],
  [24 * HOUR, 10 * MINUTE],
  [24 * HOUR, HOUR],
  [7 * 24 * HOUR, HOUR],
] as const;

test("each period says the same minute, also if the trouble began before the period", async (t) => {
  for (const begin of [
    NOON - 5 * MINUTE,
    NOON - 71 * MINUTE,
    NOON - 121 * MINUTE,
    NOON - 26 * HOUR - 58 * MINUTE,
    NOON - 26 * HOUR,
  ]) {
    const trouble = await storeOf(t, NOON - 30 * HOUR, NOON + 13 * MINUTE, (at) => at >= begin);
    for (const [lastMs, stepMs] of WINDOWS)
      t.deepEqual(
        await trouble(lastMs, stepMs),
        { state: "slow", since: begin, orEarlier: false },
        `${new Date(begin).toISOString()}, the last ${lastMs / MINUTE} minutes in steps of ${stepMs / MINUTE}`,
      );
  }
});

test("a trouble that ended before the present one does not count, and neither do minutes without calls", async (t) => {
  const begin = NOON - 20 * MINUTE;
  const trouble = await storeOf(
    t,
    NOON - 5 * HOUR,
    NOON + 5 * MINUTE,
    (at) => at >= begin || (at >= NOON - 55 * MINUTE && at < NOON - 40 * MINUTE),
    (at) => at % (3 * MINUTE) === 0 || at === begin,
  );
  t.deepEqual(await trouble(10 * MINUTE, MINUTE), { state: "slow", since: begin, orEarlier: false });
  t.deepEqual(await trouble(HOUR, MINUTE), { state: "slow", since: begin, orEarlier: false });
});

test("a wallet that was never in order may be in trouble for longer than the first minute that is known", async (t) => {
  const from = NOON - 7 * HOUR + 11 * MINUTE;
  const trouble = await storeOf(t, from, NOON, () => true);
  for (const [lastMs, stepMs] of WINDOWS)
    t.deepEqual(await trouble(lastMs, stepMs), { state: "slow", since: from, orEarlier: true }, `${lastMs}`);
});

test("a wallet in order has no trouble, whatever it had before", async (t) => {
  const trouble = await storeOf(t, NOON - 3 * HOUR, NOON, (at) => at < NOON - HOUR);
  for (const [lastMs, stepMs] of WINDOWS) t.is(await trouble(lastMs, stepMs), undefined);
});
