/** The figures of the day, from rows and sums that are written as the service writes them. */

import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { SqlAlertStore } from "../../../src/adapters/sql/reports/alert-store.ts";
import { SqlWalletMinutes } from "../../../src/adapters/sql/reports/wallet-minutes.ts";
import { BUCKETS } from "../../../src/domain/values/latency-histogram.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import type { TodayHour } from "../../../src/gen/aggregator/admin/v1/today_pb.ts";
import { SPANS } from "../../../src/ports/transactions/wallet-minutes.ts";
import { adminOf, refusalOf, startReplica } from "../../../testbed/callers/administration.ts";
import { type StoredRow, storedRow, storeRows } from "../../../testbed/database/stored-rows.ts";
import { onBothDatabases } from "../databases.ts";

const test = onBothDatabases();
const MINUTE = SPANS.minute;
const HOUR = SPANS.hour;
const ACTION = { bet: 1, win: 2, refund: 3, rollback: 4 } as const;

const inShort = ({ at, currency, betCount, betsMinor, winsMinor, refundsMinor, rollbacksMinor }: TodayHour) => [
  (at && timestampMs(at)) ?? 0,
  currency,
  betCount,
  betsMinor,
  winsMinor,
  refundsMinor,
  rollbacksMinor,
];

test("getToday returns the day's revenue by hour, its bets and players, its pending money and its wallets in trouble", async (t, url) => {
  const service = await startReplica(t, url);
  const admin = adminOf(service);
  await admin.brands.createBrand({ code: "house" });
  for (const [code, currency] of [
    ["a-brl", "BRL"],
    ["b-brl", "BRL"],
    ["c-clp", "CLP"],
    ["d-usd", "USD"],
    ["e-usd", "USD"],
  ])
    await admin.merchants.createMerchant({ code: code as string, currency: currency as string, brand: "house" });
  const database = openDatabase(url);
  t.teardown(() => database.close());
  const ids = new Map((await database.knex("merchants").select("code", "id")).map((row) => [row.code, Number(row.id)]));
  const [a, b, c] = ["a-brl", "b-brl", "c-clp"].map((code) => ids.get(code) as number) as [number, number, number];
  const game = await database.knex("games").first("id", "provider_id");

  const now = Date.now();
  const hour = now - (now % HOUR);
  const sum = (
    merchant_id: number,
    at: number,
    action: keyof typeof ACTION,
    tx_count: number,
    sum_minor: number,
    type = 1,
  ) => ({
    merchant_id,
    hour: at,
    provider_id: type,
    type,
    action: ACTION[action],
    tx_count,
    sum_minor,
  });
  const WEEK = 7 * 24 * HOUR;
  await database
    .knex("ggr_hour")
    .insert([
      sum(a, hour - HOUR, "bet", 10, 1_000),
      sum(a, hour - HOUR, "bet", 1, 7, 2),
      sum(b, hour - HOUR, "bet", 2, 100),
      sum(b, hour - HOUR, "win", 1, 40),
      sum(c, hour - HOUR, "refund", 1, 5),
      sum(a, hour, "rollback", 1, 3),
      sum(a, hour - 2 * HOUR, "bet", 99, 99),
      sum(a, hour - HOUR - WEEK, "bet", 4, 400),
      sum(a, hour - HOUR - WEEK + 23 * HOUR, "win", 1, 50),
      sum(a, hour - HOUR - WEEK + 24 * HOUR, "bet", 99, 99),
      sum(a, hour - 2 * HOUR - WEEK, "bet", 99, 99),
    ]);

  const row = (merchantId: number, txId: string, createdAt: number, more: Partial<StoredRow> = {}): StoredRow =>
    storedRow({ merchantId, txId, createdAt, providerId: Number(game.provider_id), gameId: Number(game.id), ...more });
  // A bet every 10 s. Two players take turns.
  const bets = Array.from({ length: 40 }, (_, n) => row(a, `A:${n}`, now - n * 10_000, { playerId: `p${n % 2}` }));
  await storeRows(database, [
    ...bets,
    row(a, "A:win", now - MINUTE, { action: "win" }),
    row(a, "A:void", now - MINUTE, { status: "void", playerId: "ghost" }),
    row(b, "A:new", now - 30_000, { status: "pending", amountMinor: 11n }),
    row(b, "A:hours", now - 2 * HOUR, { status: "pending", amountMinor: 200n }),
    row(b, "A:days", now - 80 * HOUR, { status: "pending", amountMinor: 3_000n }),
    row(b, "A:failed", now - 80 * HOUR, { status: "failed", amountMinor: 9n }),
    row(ids.get("d-usd") as number, "A:first", now - 1_000, { currency: "USD" }),
    row(c, "A:sent", now - HOUR, { status: "pending", action: "win", amountMinor: 5n }),
    row(c, "A:over", now - 80 * HOUR, { status: "pending", action: "refund", amountMinor: 20n }),
    row(c, "A:refused", now - HOUR, { status: "failed", action: "win", amountMinor: 100n }),
  ]);
  // The service sends this win tomorrow. The sequencer notes refused credits, as it does here.
  await database
    .knex("tx")
    .where({ tx_id: "A:sent" })
    .update({ next_at: now + 24 * HOUR });
  const refused = await database.knex("tx").where({ tx_id: "A:refused" }).first("id", "created_at");
  await database
    .knex("stuck")
    .insert({ tx: refused.id, created_at: refused.created_at, kind: 1, merchant_id: c, is_open: 1 });
  const health = (merchantId: number, calls: readonly number[], breakerPermits: number | null = null) => ({
    merchantId,
    at: wholeMs(now - (now % MINUTE) - MINUTE),
    span: MINUTE,
    calls,
    balanceCalls: 0,
    durations: new Array<number>(BUCKETS).fill(0),
    permitsHeld: 1,
    permits: 64,
    breakerPermits,
  });
  await new SqlWalletMinutes(database).store("x", [
    health(a, [96, 0, 4, 0, 0, 0]),
    health(b, [95, 0, 0, 5, 0, 0]),
    health(c, [10, 0, 0, 0, 0, 0], 4),
  ]);
  // An alert about a wallet whose calls are not counted yet, and one that is about no wallet.
  const ago = { firstAgoMs: wholeMs(1_000), lastAgoMs: wholeMs(1_000), lastsMs: wholeMs(120_000) };
  const alert = { count: 1, ...ago, txId: "", detail: "", replica: "x" };
  await new SqlAlertStore(database).add([
    { ...alert, name: "breaker_open", subject: "e-usd" },
    { ...alert, name: "credit_failed", subject: "d-usd" },
  ]);

  const { today } = await admin.console.getToday({ from: timestampFromMs(hour - HOUR + 5_000) });
  const asOf = (today?.asOf && timestampMs(today.asOf)) ?? 0;
  t.true(Math.abs(asOf - now) < 60_000);
  t.is(today?.from && timestampMs(today.from), hour - HOUR);
  t.deepEqual(today?.hours.map(inShort), [
    [hour - HOUR, "BRL", 13n, 1_107n, 40n, 0n, 0n],
    [hour - HOUR, "CLP", 0n, 0n, 0n, 5n, 0n],
    [hour, "BRL", 0n, 0n, 0n, 0n, 3n],
  ]);
  t.deepEqual(today?.weekBefore.map(inShort), [
    [hour - HOUR - WEEK, "BRL", 4n, 400n, 0n, 0n, 0n],
    [hour - HOUR - WEEK + 23 * HOUR, "BRL", 0n, 0n, 50n, 0n, 0n],
  ]);
  const end = asOf - (asOf % MINUTE);
  const inMinute = bets.filter(({ createdAt }) => createdAt >= end - MINUTE && createdAt < end);
  t.true(inMinute.length > 3);
  t.deepEqual(
    today?.merchants.map((one) => [one.merchant, one.currency, one.betsPerMinute, one.walletInTrouble]),
    [
      ["a-brl", "BRL", inMinute.length, false],
      ["b-brl", "BRL", today?.merchants[1]?.betsPerMinute, true],
      ["c-clp", "CLP", 0, true],
      ["d-usd", "USD", today?.merchants[3]?.betsPerMinute, false],
      ["e-usd", "USD", 0, true],
    ],
  );
  t.is(today?.merchants[0]?.players, new Set(inMinute.map(({ playerId }) => playerId)).size + playersOfWin(now, end));
  t.is(today?.merchants[2]?.wallet?.breakerPermits, 4);
  t.deepEqual(
    today?.merchants.map(({ merchant, walletCounting }) => [merchant, walletCounting]),
    [
      ["a-brl", false],
      ["b-brl", false],
      ["c-clp", false],
      ["d-usd", true],
      ["e-usd", false],
    ],
    "a wallet without sums is being counted if its merchant has transactions of this or the last minute",
  );
  const pending = today?.merchants[1]?.pending.map(({ olderThanS, count, amountMinor }) => [
    olderThanS,
    count,
    amountMinor,
  ]);
  // The newest one may have become a minute old meanwhile.
  t.deepEqual(
    pending?.filter(([age]) => age !== 60),
    [
      [0, 3, 3_211n],
      [600, 2, 3_200n],
      [3_600, 2, 3_200n],
      [86_400, 1, 3_000n],
      [259_200, 1, 3_000n],
    ],
  );
  t.deepEqual(
    today?.merchants[0]?.pending.map(({ count }) => count),
    [0, 0, 0, 0, 0, 0],
  );
  t.deepEqual(
    today?.merchants.map(({ owed }) => owed && [owed.count, owed.amountMinor, owed.needsPerson]),
    [undefined, undefined, [3, 125n, 2], undefined, undefined],
  );

  const midnight = await admin.console.getToday({});
  t.is(Number(midnight.today?.from && timestampMs(midnight.today.from)) % (24 * HOUR), 0);
  t.is(await refusalOf(admin.console.getToday({ from: timestampFromMs(now - 49 * HOUR) })), "VALIDATION_ERROR from");
  t.is(await refusalOf(admin.console.getToday({ from: timestampFromMs(now + HOUR) })), "VALIDATION_ERROR from");
});

/** 1 if the win's player, who placed no bet, played in the minute that ends at `end`. */
const playersOfWin = (now: number, end: number): number => (now - MINUTE >= end - MINUTE && now - MINUTE < end ? 1 : 0);
