/** What every page says of a wallet now, from stored sums of minutes and hours, pending money and alerts. */

import test, { type ExecutionContext } from "ava";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { SqlStuckMoney } from "../../../src/adapters/sql/listings/stuck-money.ts";
import { SqlAlertStore } from "../../../src/adapters/sql/reports/alert-store.ts";
import { SqlWalletMinutes } from "../../../src/adapters/sql/reports/wallet-minutes.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { type WalletVerdict, WalletVerdicts } from "../../../src/app/console/wallet-verdict.ts";
import { BUCKETS, bucketOf } from "../../../src/domain/values/latency-histogram.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { SPANS, together, type WalletSums } from "../../../src/ports/transactions/wallet-minutes.ts";
import { storedRow, storeRows } from "../../../testbed/database/stored-rows.ts";

const { minute: MINUTE, hour: HOUR } = SPANS;
/** Pending rows are measured by the database's clock, so "now" is the real time, at the end of a minute. */
const NOW = Math.floor(Date.now() / MINUTE) * MINUTE;
const SHOP = { id: 7, code: "shop" };

type Kind = "good" | "slow" | "failing" | "some_fail" | "balances" | "none";

/** The calls of one minute: 100 of them, unless there are none. */
function sumsOf(at: number, kind: Kind): WalletSums[] {
  if (kind === "none") return [];
  const silent = { failing: 50, some_fail: 1 }[kind as string] ?? 0;
  return [
    {
      merchantId: SHOP.id,
      at: wholeMs(at),
      span: MINUTE,
      calls: [100 - silent, 0, silent, 0, 0, 0],
      balanceCalls: kind === "balances" ? 100 : 20,
      durations: Array.from({ length: BUCKETS }, (_, i) => (i === bucketOf(kind === "slow" ? 3_000 : 20) ? 100 : 0)),
      permitsHeld: 1,
      permits: 64,
      breakerPermits: null,
    },
  ];
}

interface Known {
  /** The kind of a minute that began so many minutes ago, for all minutes from the oldest one on. */
  readonly kindOf: (minutesAgo: number) => Kind;
  readonly oldest: number;
  /** Whether a win waits for its answer. */
  readonly winWaits?: boolean;
  /** How many minutes ago an alert about the wallet was raised. */
  readonly alert?: number;
}

async function verdict(t: ExecutionContext, { kindOf, oldest, winWaits, alert }: Known): Promise<WalletVerdict> {
  const database = openDatabase("sqlite::memory:");
  t.teardown(() => database.close());
  await migrate(database);
  const minutes: WalletSums[] = [];
  for (let ago = oldest; ago >= 1; ago--) minutes.push(...sumsOf(NOW - ago * MINUTE, kindOf(ago)));
  const hours = [...Map.groupBy(minutes, ({ at }) => at - (at % HOUR))].map(([at, own]): WalletSums => {
    return { ...own.reduce(together), at: wholeMs(at), span: HOUR };
  });
  const store = new SqlWalletMinutes(database);
  await store.store("r1", [...minutes, ...hours]);
  if (winWaits)
    await storeRows(database, [
      storedRow({
        merchantId: SHOP.id,
        txId: "A:win",
        createdAt: NOW - HOUR,
        status: "pending",
        action: "win",
        providerId: 1,
        gameId: 1,
      }),
    ]);
  if (winWaits) await database.knex("tx").update({ next_at: NOW + HOUR });
  const alerts = new SqlAlertStore(database);
  if (alert !== undefined) {
    // The store measures from the database's time, which has gone on since the beginning of this minute.
    const firstAgoMs = wholeMs(Date.now() - NOW + alert * MINUTE);
    const lastAgoMs = wholeMs(0);
    const texts = { txId: "", detail: "", replica: "r1" };
    const line = { name: "breaker_open", subject: SHOP.code, count: 1, firstAgoMs, lastAgoMs, lastsMs: null } as const;
    await alerts.add([{ ...line, ...texts }]);
  }
  const verdicts = new WalletVerdicts(store, new SqlStuckMoney(database), alerts, { horizonMs: 72 * HOUR });
  return (await verdicts.of([SHOP], NOW + 1))(SHOP);
}

/** The verdict as text: the state, and how many minutes ago the trouble began. */
async function said(t: ExecutionContext, known: Known): Promise<string> {
  const { state, begin } = await verdict(t, known);
  if (begin === undefined) return state;
  return `${state} ${Math.round((NOW - begin.since) / MINUTE)}${begin.orEarlier ? " or earlier" : ""}`;
}

test("the calls of the last 5 minutes decide the state", async (t) => {
  t.is(await said(t, { oldest: 90, kindOf: () => "good" }), "good");
  t.is(await said(t, { oldest: 90, kindOf: (ago) => (ago > 5 ? "failing" : "good") }), "good", "it works again");
  t.is(await said(t, { oldest: 90, kindOf: (ago) => (ago > 5 ? "failing" : "none") }), "quiet");
  t.is(await said(t, { oldest: 90, kindOf: (ago) => (ago === 4 ? "failing" : "good") }), "failing 4");
  t.is(await said(t, { oldest: 90, kindOf: (ago) => (ago <= 20 ? "slow" : "good") }), "slow 20");
  t.is(await said(t, { oldest: 90, kindOf: (ago) => (ago <= 8 ? "some_fail" : "good") }), "some_fail 8");
});

test("a trouble began in the first minute since the wallet was last in order, also days ago", async (t) => {
  for (const begin of [3, 59, 61, 119, 121, 1_500, 1_559, 1_560])
    t.is(await said(t, { oldest: 1_800, kindOf: (ago) => (ago <= begin ? "failing" : "good") }), `failing ${begin}`);
  const kindOf = (ago: number): Kind => (ago <= 20 || (ago > 40 && ago <= 55) ? "failing" : "good");
  t.is(await said(t, { oldest: 90, kindOf }), "failing 20", "an earlier trouble has ended");
  const sparse = (ago: number): Kind => (ago % 3 !== 0 ? "none" : ago <= 75 ? "slow" : "good");
  t.is(await said(t, { oldest: 200, kindOf: sparse }), "slow 75", "minutes without calls do not count");
  t.is(await said(t, { oldest: 409, kindOf: () => "slow" }), "slow 409 or earlier");
});

test("slow and failing minutes are one trouble, and a minute of which a few calls fail ends it", async (t) => {
  t.is(
    await said(t, { oldest: 90, kindOf: (ago) => (ago <= 10 ? "failing" : ago <= 30 ? "slow" : "good") }),
    "failing 30",
  );
  t.is(await said(t, { oldest: 90, kindOf: (ago) => (ago <= 10 ? "failing" : "some_fail") }), "failing 10");
});

test("while a win waits for its answer, answered balance queries neither end the trouble nor move its beginning", async (t) => {
  const kindOf = (ago: number): Kind => (ago === 17 || ago === 8 ? "failing" : ago < 17 ? "balances" : "good");
  t.is(await said(t, { oldest: 90, kindOf, winWaits: true }), "failing 17");
  t.is(await said(t, { oldest: 90, kindOf }), "good", "nothing waits");
  const paysOthers = (ago: number): Kind => (ago === 17 ? "failing" : "good");
  t.is(await said(t, { oldest: 90, kindOf: paysOthers, winWaits: true }), "good", "other money is answered");
});

test("while an alert says that the wallet fails, it is failing since the alert or the calls before it", async (t) => {
  t.is(await said(t, { oldest: 1, kindOf: () => "none", alert: 2 }), "failing 2");
  t.is(await said(t, { oldest: 90, kindOf: (ago) => (ago <= 9 ? "failing" : "good"), alert: 2 }), "failing 9");
  t.is(await said(t, { oldest: 90, kindOf: () => "good", alert: 2 }), "failing 2");
});
