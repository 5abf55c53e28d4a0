/** How wallets answer, from the calls of real replicas. */

import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { SqlWalletMinutes } from "../../../src/adapters/sql/reports/wallet-minutes.ts";
import { BUCKETS } from "../../../src/domain/values/latency-histogram.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { SPANS, type WalletSums } from "../../../src/ports/transactions/wallet-minutes.ts";
import { ADMIN_KEY, adminOf, refusalOf } from "../../../testbed/callers/administration.ts";
import { startWorldOfProcesses } from "../../../testbed/stage/world.ts";
import { onBothDatabases } from "../databases.ts";

const test = onBothDatabases();
const merchant = "shop-brl";
const HOUR = SPANS.hour;

test("wallet health counts the calls of all replicas by their result, over a minute up to seven days", async (t, url) => {
  const world = await startWorldOfProcesses(t, { databaseUrl: url, env: { ADMIN_KEY, WALLET_TIMEOUT_MS: "3000" } });
  const { console } = adminOf({ ports: world.first.ports } as never);
  const sessionId = await world.session();
  // SQLite serves one process. A replica stores what it has counted when it stops.
  const replica = url.startsWith("mysql:") ? await world.start() : world.first;
  for (const [txId, kind] of [
    ["b1", "none"],
    ["b2", "none"],
    ["b3", "http_500"],
  ] as const) {
    world.wallet.setFault({ kind });
    await world.request("bet", { sessionId, txId, roundId: "r1" }, replica);
  }
  world.wallet.setFault({ kind: "none" });
  await world.request("bet", { sessionId, txId: "b4", roundId: "r1", amountMinor: 90_000n }, replica);
  if (replica !== world.first) {
    t.is(await replica.drain(), 0);
    const { total, points } = await console.getWalletHealth({ merchant });
    t.like(total, { accepted: 2n, rejected: 1n, http5xx: 1n, timeout: 0n, unreadable: 0n, unreachable: 0n });
    t.true((total?.p99Ms ?? 0) > 0 && (total?.permitsHeld ?? 0) > 0);
    t.is(total?.permits, 64);
    t.true(points.length === 1 || points.length === 2, "the calls may cross a minute");
  }

  // Sums of the past days, of two replicas.
  const store = new SqlWalletMinutes(world.database);
  const merchantId = Number((await world.database.knex("merchants").where({ code: merchant }).first("id")).id);
  const now = Date.now();
  const hourAt = now - (now % HOUR);
  const row = (at: number, span: WalletSums["span"], accepted: number, bucket: number, more = {}): WalletSums => ({
    merchantId,
    at: wholeMs(at),
    span,
    calls: [accepted, 0, 0, 0, 0, 0],
    balanceCalls: 0,
    durations: Array.from({ length: BUCKETS }, (_, i) => (i === bucket ? accepted : 0)),
    permitsHeld: 1,
    permits: 64,
    breakerPermits: null,
    ...more,
  });
  for (const name of ["x", "y"])
    await store.store(name, [
      row(hourAt - 48 * HOUR, HOUR, 95, 20),
      row(hourAt - 47 * HOUR, HOUR, 5, 40, { breakerPermits: 4 }),
      ...[0, 1, 10].map((minute) => row(hourAt - 10 * HOUR + minute * SPANS.minute, SPANS.minute, 1, 12)),
    ]);
  const range = (from: number, to: number) => ({ from: timestampFromMs(from), to: timestampFromMs(to) });
  const series = async (from: number, to: number) => {
    const { points, stepMs, total } = await console.getWalletHealth({ merchant, ...range(from, to) });
    return {
      stepMs,
      points: points.map(({ at, health }) => [((at && timestampMs(at)) ?? 0) - hourAt, health?.accepted]),
      total,
    };
  };
  const days = await series(now - 7 * 24 * HOUR, now - 40 * HOUR);
  t.deepEqual(
    [days.stepMs, days.points],
    [
      HOUR,
      [
        [-48 * HOUR, 190n],
        [-47 * HOUR, 10n],
      ],
    ],
  );
  t.like(days.total, { accepted: 200n, p50Ms: 32, p95Ms: 32, p99Ms: 1024, breakerPermits: 4, permits: 64 });
  const day = await series(hourAt - 12 * HOUR, hourAt - 8 * HOUR);
  t.deepEqual(
    [day.stepMs, day.points],
    [
      10 * SPANS.minute,
      [
        [-10 * HOUR, 4n],
        [-10 * HOUR + 10 * SPANS.minute, 2n],
      ],
    ],
  );
  const minutes = await series(hourAt - 10 * HOUR, hourAt - 9 * HOUR);
  t.deepEqual([minutes.stepMs, minutes.points.length], [SPANS.minute, 3]);
  t.is((await series(hourAt - 10 * HOUR, hourAt - 10 * HOUR + SPANS.minute)).points.length, 1);
  t.deepEqual(await series(hourAt - 30 * HOUR, hourAt - 29 * HOUR), {
    stepMs: SPANS.minute,
    points: [],
    total: undefined,
  });

  const grid = await console.listWalletHealth(range(now - 7 * 24 * HOUR, now - 40 * HOUR));
  t.deepEqual(
    grid.rows.map((one) => [one.merchant, one.health?.accepted]),
    [
      ["shop-brl", 200n],
      ["shop-clp", undefined],
    ],
  );
  const first = await console.listWalletHealth({ limit: 1 });
  t.deepEqual(
    (await console.listWalletHealth({ limit: 1, cursor: first.nextCursor })).rows.map((one) => one.merchant),
    ["shop-clp"],
  );

  const refused = (request: object) => refusalOf(console.getWalletHealth({ merchant, ...request }));
  t.is(await refused(range(now, now - HOUR)), "VALIDATION_ERROR from");
  t.is(await refused(range(now - 8 * 24 * HOUR, now)), "VALIDATION_ERROR from");
  t.is(await refused(range(now - 1_000, now)), "VALIDATION_ERROR from");
  t.is(await refused({ merchant: "none" }), "RECORD_NOT_FOUND merchant");
  t.is(await refusalOf(console.listWalletHealth({ limit: 101 })), "VALIDATION_ERROR limit");
});
