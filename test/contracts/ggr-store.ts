import test, { type ExecutionContext } from "ava";
import { CURRENCY_GROUPINGS, MERCHANT_GROUPINGS } from "../../contract/values/groupings.ts";
import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { SqlChangeStore } from "../../src/adapters/sql/reports/change-store.ts";
import { SqlGgrStore } from "../../src/adapters/sql/reports/ggr-store.ts";
import { actionOf } from "../../src/adapters/sql/schema/codes.ts";
import { GgrReport } from "../../src/app/merchant/ggr-report.ts";
import { StoreUnavailable } from "../../src/ports/store-unavailable.ts";
import {
  addGames,
  addMerchants,
  forgetKinds,
  inventPast,
  numberAll,
  type Past,
  type PastPlan,
  settleSome,
  writePast,
} from "../../testbed/database/history.ts";
import { RecordedTelemetry } from "../../testbed/in-process/recorded-telemetry.ts";
import { equalsFold, midnights } from "./ggr-fold.ts";

const DAY_MS = 86_400_000;

/** Periods of days, and time zones with special cases. */
const STRETCHES: readonly { readonly from: string; readonly to: string; readonly zones: readonly string[] }[] = [
  // Days on which the clocks change: by an hour, at midnight in Santiago, and by half an hour on Lord Howe. Kathmandu's
  // offset from UTC has a quarter of an hour.
  {
    from: "2026-03-01",
    to: "2026-04-12",
    zones: [
      "UTC",
      "America/Sao_Paulo",
      "America/New_York",
      "America/Santiago",
      "Australia/Lord_Howe",
      "Asia/Kathmandu",
    ],
  },
  // On 2018-11-04 São Paulo had no midnight. Samoa had no 30 December 2011.
  { from: "2018-10-20", to: "2018-11-20", zones: ["America/Sao_Paulo", "Asia/Kolkata"] },
  { from: "2011-12-15", to: "2012-01-15", zones: ["Pacific/Apia", "America/St_Johns"] },
  // Guyana was 3:45 behind UTC, so a day began at 3:45 UTC.
  { from: "1975-06-01", to: "1975-06-20", zones: ["America/Guyana"] },
];

/** The number of players: too many for one message, and their ids are too long to stay in memory. */
const CROWD = 10_500;
const playerOf = (n: number): string => `player-${String(n).padStart(110, "0")}`;

/** Compares the report with the sum of every row, over a random history of this many transactions. */
export function ggrStoreContract(name: string, open: () => Promise<Database>, count: number): void {
  test.serial(
    `${name}: every report has the same sums as the transactions, and the nightly comparison finds a wrong sum`,
    async (t) => {
      const database = await open();
      const games = await addGames(database);
      let merchantId = 0;
      for (const { from, to, zones } of STRETCHES) {
        const edges = zones.flatMap((timeZone) => midnights(from, to, timeZone));
        const span = { from: Date.parse(from) - DAY_MS, to: Date.parse(to) + 2 * DAY_MS, edges, games };
        for (const currency of ["BRL", "CLP"] as const) {
          const past = inventPast(4_711, {
            merchantId: ++merchantId,
            currency,
            count: Math.floor(count / STRETCHES.length / 2),
            ...span,
          } satisfies PastPlan);
          await writePast(database, past, 0.7);
          await settleSome(database, past, 3);
          for (const timeZone of zones) {
            for (const groupBy of MERCHANT_GROUPINGS)
              await equalsFold(t, database, [past], { from, to, timeZone, groupBy, provider: null, type: null });
          }
          await foldsEqual(t, database, merchantId, span);
          if (merchantId === 1) await gameSumsEqual(t, database, past, zones, span);
          if (merchantId === 2) await kindSumsEqual(t, database, past, zones, span);
          const [timeZone = ""] = zones;
          for (const groupBy of MERCHANT_GROUPINGS) {
            await equalsFold(t, database, [past], { from, to: from, timeZone, groupBy, provider: "NORTH", type: null });
            await equalsFold(t, database, [past], { from, to, timeZone, groupBy, provider: null, type: "live" });
            await equalsFold(t, database, [past], { from, to, timeZone, groupBy, provider: "NORTH", type: "live" });
          }
          await equalsFold(t, database, [past], {
            from,
            to,
            timeZone,
            groupBy: "provider",
            provider: "NOBODY",
            type: null,
          });
        }
      }
    },
  );

  test.serial(
    `${name}: a report of several merchants has the same sums as their transactions, also when a day's sums by game are not complete`,
    async (t) => {
      const database = await open();
      const games = await addGames(database, "SUM_");
      const codes = new Map([
        [901, "shop-a"],
        [902, "shop-c"],
        [903, "shop-b"],
      ]);
      await addMerchants(database, codes);
      const [from, to] = ["2026-03-05", "2026-03-12"];
      const timeZone = "Asia/Kathmandu";
      const span = { from: Date.parse(from) - DAY_MS, to: Date.parse(to) + 2 * DAY_MS, games };
      const pasts: Past[] = [];
      for (const merchantId of codes.keys()) {
        const edges = midnights(from, to, timeZone);
        const past = inventPast(merchantId, { merchantId, currency: "BRL", count: 400, edges, ...span });
        await writePast(database, past, 0.7);
        pasts.push(past);
      }
      const [one, ...others] = pasts;
      const late = others.at(-1);
      if (one === undefined || late === undefined) throw new Error("no merchant");
      const equal = async () => {
        for (const zone of ["UTC", timeZone]) {
          const request = { from, to, timeZone: zone, provider: null, type: null };
          for (const groupBy of CURRENCY_GROUPINGS) {
            await equalsFold(t, database, [one, ...others], { ...request, groupBy }, codes);
            await equalsFold(t, database, [one, ...others], { ...request, groupBy, type: "live" }, codes);
            await equalsFold(t, database, [one, ...others], { ...request, groupBy, provider: "SUM_NORTH" }, codes);
          }
          await equalsFold(t, database, [one], { ...request, groupBy: "merchant" }, codes);
        }
      };
      await equal();
      const store = new SqlGgrStore(database);
      const sumAll = async (id: number) => {
        for (const day of await store.incompleteDays(id, span.to)) await store.sumGames(id, day);
      };
      for (const id of codes.keys()) await sumAll(id);
      await equal();
      // Late successes make days of one merchant incomplete, while those of the others stay complete.
      await settleSome(database, late, 3);
      await numberAll(database, late.merchantId);
      t.true((await store.incompleteDays(late.merchantId, span.to)).length > 0);
      await equal();
      await sumAll(late.merchantId);
      await equal();
    },
  );

  test.serial(
    `${name}: a report by player is read page by page without a database connection and shows one moment; as one message it is refused`,
    async (t) => {
      const database = await open();
      const [game] = await addGames(database, "CROWD");
      if (game === undefined) throw new Error("no game");
      const from = Date.parse("2026-05-01");
      const line = (n: number, amount_minor: number) => ({
        merchant_id: 4_242,
        tx_id: `t-${n}`,
        action: 1,
        status: 1,
        player_id: playerOf(n),
        round_id: "r",
        amount_minor,
        currency: "BRL",
        provider_id: game.providerId,
        game_id: game.id,
        attempts: 1,
        lease_token: Buffer.alloc(16),
        created_at: from + n,
        opened_at: from + n,
        updated_at: from + n,
      });
      const lines = Array.from({ length: CROWD }, (_, n) => line(n, n + 1));
      for (let n = 0; n < CROWD; n += 500) await database.knex("tx").insert(lines.slice(n, n + 500));

      const reports = new GgrReport(new SqlGgrStore(database), new RecordedTelemetry());
      const merchant = { merchantIds: [4_242], currency: "BRL" } as const;
      const request = {
        from: "2026-05-01",
        to: "2026-05-01",
        groupBy: "player",
        timeZone: "UTC",
        provider: null,
        type: null,
      } as const;
      const made = await reports.make(merchant, request);
      if (!made.ok) return t.fail(made.refusal.code);
      for (const { client } of [database.knex, database.snapshots]) t.is(client.pool.numUsed(), 0);
      await database.knex("tx").where({ merchant_id: 4_242, tx_id: "t-7" }).update({ amount_minor: 1_000_000 });
      const seen: string[] = [];
      let longest = 0;
      for await (const some of made.value.rows) {
        longest = Math.max(longest, some.length);
        for (const { key, success } of some) seen.push(`${key} ${success.bet.count} ${success.bet.minor}`);
      }
      t.true(longest <= 1_000, `${longest} rows at once`);
      t.deepEqual(
        seen,
        lines.map(({ player_id, amount_minor }) => `${player_id} 1 ${amount_minor}`),
      );
      t.deepEqual(made.value.totals.success.bet, { count: CROWD, minor: BigInt((CROWD * (CROWD + 1)) / 2) });

      const report = await reports.makeWhole(merchant, request);
      t.true(!report.ok && report.refusal.code === "VALIDATION_ERROR", "too many for one message");
      const few = await reports.makeWhole(merchant, { ...request, groupBy: "provider" });
      t.is(few.ok && few.value.rows[0]?.success.bet.count, CROWD);
    },
  );

  test.serial(
    `${name}: a merchant's third report at once is refused; another merchant's report and the nightly comparison are not refused`,
    async (t) => {
      const store = new SqlGgrStore(await open());
      const read = (merchantId: number) =>
        store.read({ merchantIds: [merchantId], bounds: [0, DAY_MS], groupBy: "day", provider: null, type: null });
      const [first, second, third, other, fold] = await Promise.allSettled([
        read(1),
        read(1),
        read(1),
        read(2),
        store.difference(1, 0, DAY_MS),
      ]);
      t.deepEqual(
        [first, second, other, fold].map(({ status }) => status),
        Array(4).fill("fulfilled"),
      );
      t.true(third.status === "rejected" && third.reason instanceof StoreUnavailable);
      await t.notThrowsAsync(read(1), "its next");
    },
  );

  test.serial(
    `${name}: reports of several merchants wait for each other, and too many of them are refused`,
    async (t) => {
      const store = new SqlGgrStore(await open());
      const read = () =>
        store.read({ merchantIds: [1, 2], bounds: [0, DAY_MS], groupBy: "day", provider: null, type: null });
      const many = await Promise.allSettled(Array.from({ length: 19 }, read));
      t.is(many.filter(({ status }) => status === "fulfilled").length, 18);
      const refused = many.find((one) => one.status === "rejected");
      t.true(refused?.reason instanceof StoreUnavailable);
      await t.notThrowsAsync(read(), "the next");
    },
  );
}

/** The nightly comparison finds no difference until a sum is wrong. */
async function foldsEqual(
  t: ExecutionContext,
  database: Database,
  merchantId: number,
  { from, to }: { from: number; to: number },
) {
  const store = new SqlGgrStore(database);
  t.is(await store.difference(merchantId, from, to), null);
  const one = await database
    .knex("ggr_hour")
    .where({ merchant_id: merchantId })
    .andWhere("hour", ">=", from)
    .andWhere("hour", "<", to)
    .first();
  await database
    .knex("ggr_hour")
    .where(one)
    .update({ sum_minor: BigInt(one.sum_minor) + 1n });
  const found = await store.difference(merchantId, from, to);
  t.regex(found?.text ?? "", /^kept: .+; of the transactions: .+/);
  const adds = ["bet", "rollback"].includes(actionOf(one.action));
  t.is(found?.ggrMinor, adds ? 1n : -1n);
  await database
    .knex("ggr_hour")
    .where({ ...one, sum_minor: BigInt(one.sum_minor) + 1n })
    .update({ sum_minor: one.sum_minor });
}

/**
 * Reports by game stay the same with and without stored sums by game, also after older transactions became successes.
 * The comparison finds a wrong sum.
 */
async function gameSumsEqual(
  t: ExecutionContext,
  database: Database,
  past: Past,
  zones: readonly string[],
  { from, to }: { from: number; to: number },
) {
  const { merchantId } = past;
  const store = new SqlGgrStore(database);
  const [first, last] = [from + DAY_MS, to - 2 * DAY_MS].map((at) => new Date(at).toISOString().slice(0, 10));
  const equal = async () => {
    for (const timeZone of zones)
      await equalsFold(t, database, [past], {
        from: first ?? "",
        to: last ?? "",
        timeZone,
        groupBy: "game",
        provider: null,
        type: null,
      });
  };
  const before = to - (to % DAY_MS);
  const days = await store.incompleteDays(merchantId, before);
  t.true(days.length > 10);
  t.deepEqual(
    days,
    days.toSorted((a, b) => b - a),
  );
  t.is((await store.incompleteDays(merchantId, before - DAY_MS)).includes(before - DAY_MS), false);
  for (const day of days.filter((_, i) => i % 2 === 0)) await store.sumGames(merchantId, day);
  await equal();
  for (const day of await store.incompleteDays(merchantId, before)) await store.sumGames(merchantId, day);
  t.deepEqual(await store.incompleteDays(merchantId, before), []);

  await settleSome(database, past, 5);
  await equal();
  await numberAll(database, merchantId);
  await equal();
  const late = await store.incompleteDays(merchantId, before);
  t.true(late.length > 0, "days with late successes are incomplete again");
  for (const day of late) await store.sumGames(merchantId, day);
  t.deepEqual(await store.incompleteDays(merchantId, before), []);
  await equal();

  t.is(await store.difference(merchantId, from, to), null);
  const day = days[days.length >> 1];
  const one = await database.knex("ggr_game").where({ merchant_id: merchantId, day }).first();
  const row = database.knex("ggr_game").where({
    merchant_id: merchantId,
    day,
    game_id: one.game_id,
    action: one.action,
  });
  await row.clone().update({ sum_minor: BigInt(one.sum_minor) + 1n });
  t.regex(
    (await store.difference(merchantId, from, to))?.text ?? "",
    /^kept: game \d+ success \w+ .+; of the transactions: game /,
  );
  await row.clone().update({ sum_minor: one.sum_minor, tx_count: Number(one.tx_count) - 1 });
  await equal();
  t.deepEqual(await store.incompleteDays(merchantId, before), [day], "a sum without a transaction is not used");
  await store.sumGames(merchantId, day as number);
  t.deepEqual(await row.clone().first(), one);
}

/**
 * The sums by kind stay right while replicas of a release without them number changes, and while those are added. The
 * comparison finds a wrong sum.
 */
async function kindSumsEqual(
  t: ExecutionContext,
  database: Database,
  past: Past,
  zones: readonly string[],
  { from, to }: { from: number; to: number },
) {
  const { merchantId } = past;
  const store = new SqlGgrStore(database);
  const changes = new SqlChangeStore(database);
  const [first = "", last = ""] = [from + DAY_MS, to - 2 * DAY_MS].map((at) => new Date(at).toISOString().slice(0, 10));
  const equal = async () => {
    for (const timeZone of zones)
      for (const groupBy of MERCHANT_GROUPINGS)
        await equalsFold(t, database, [past], { from: first, to: last, timeZone, groupBy, provider: null, type: null });
    t.is(await store.difference(merchantId, from, to), null);
  };
  const kept = async () => (await database.knex("ggr_kind").where({ merchant_id: merchantId })).length;
  await numberAll(database, merchantId);
  const all = await kept();
  await forgetKinds(database, merchantId);
  await equal();
  await settleSome(database, past, 2);
  await numberAll(database, merchantId);
  t.is(await kept(), 0, "only the catch-up adds to sums that lack something");
  await equal();
  for (const day of await store.incompleteDays(merchantId, to - (to % DAY_MS))) await store.sumGames(merchantId, day);
  await equal();
  t.true(await changes.catchUp());
  await equal();
  while (await changes.catchUp());
  t.true((await kept()) >= all);
  await equal();
  await settleSome(database, past, 1);
  await equal();
  await numberAll(database, merchantId);
  await equal();
  const head = await database.knex("feed_head").where({ merchant_id: merchantId }).first();
  t.is(Number(head.kind_seq), Number(head.seq), "from now on the numbering alone adds the sums");

  const one = await database
    .knex("ggr_kind")
    .where({ merchant_id: merchantId })
    .andWhere("hour", ">=", from)
    .andWhere("hour", "<", to)
    .first();
  const key = { merchant_id: merchantId, hour: one.hour, game_id: one.game_id, action: one.action, kind: one.kind };
  await database
    .knex("ggr_kind")
    .where(key)
    .update({ sum_minor: BigInt(one.sum_minor) + 1n });
  const found = await store.difference(merchantId, from, to);
  t.regex(found?.text ?? "", /^kept: provider \d+ success (bet|win) [a-z_]+ /);
  t.is(found?.ggrMinor, 0n, "a kind changes no GGR");
  await database.knex("ggr_kind").where(key).update({ sum_minor: one.sum_minor });
}
