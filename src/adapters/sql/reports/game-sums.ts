/**
 * The sums by game and day (UTC) of the table `ggr_game`. Like the sums by hour, they contain the successful rows that
 * have a number in the feed. The nightly round writes them, so a bet pays nothing for them.
 *
 * The sums of a day are used only if they have the same count as the day's sums by hour. A success is final, so the set
 * of numbered successes of a day only grows. Each stored sum was read from such a set, at some time. So if the counts
 * are equal, no success is missing. Two writers at once, or a replica of a release that does not know the table, can
 * make a day incomplete, but never wrong. A report reads the transactions of an incomplete day.
 */
import type { DbTime } from "../../../domain/transaction/transaction.ts";
import type { GgrQuery } from "../../../ports/transactions/ggr-store.ts";
import { integer, marks, type Row, type Statement } from "../connection/statement.ts";
import type { Read } from "../dialects/dialect.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";
import { STATUS, statusOf } from "../schema/codes.ts";
import { productNumber } from "../settings/settings-rows.ts";
import { hourOf, hoursBetween } from "./ggr-hours.ts";
import { allRows, cutHours, numberedPending, ofMerchants, type Span, successes, unnumbered } from "./ggr-statements.ts";
import { isOfKind, readKinds, withKinds } from "./kind-sums.ts";

const DAY_MS = 86_400_000;
/** The time of one statement that reads a day. */
const PIECE_MS = DAY_MS / 4;

/** The primary key of the table. */
export const GAME_SUM_KEY = ["merchant_id", "day", "game_id", "action"] as const;

/** Sums by game for a report, as rows like those of ggr-statements.ts. */
export async function readByGame(fragments: SqlFragments, query: GgrQuery, read: Read): Promise<Row[]> {
  const span = hoursBetween(query.bounds);
  const { complete, rest } = await daysOf(query, span, read);
  const isComplete = new Set(complete);
  const isWhole = ({ begins }: Row): boolean => !span.cut.has(hourOf(Number(begins)));
  const found: (readonly Row[])[] = [await readKinds(fragments, query, span, read)];
  if (span.pieces.length > 0) found.push(withKinds(await read(cutHours(fragments, query, span))).filter(isOfKind));
  const withoutNumber = withKinds(await read(unnumbered(fragments, query, span)));
  found.push(withoutNumber.filter((row) => (isOfKind(row) ? isWhole(row) : isComplete.has(dayOf(row)))));
  for (const part of rest) found.push(await read(allRows(fragments, query, part)));
  const [first, last] = [complete[0], complete.at(-1)];
  if (first === undefined || last === undefined) return found.flat();
  found.push(await read(sumsOfDays(query, complete)));
  const days = { from: first, to: last + DAY_MS, stepMs: DAY_MS };
  const pending = await read(numberedPending(fragments, query, days));
  found.push(pending.filter((row) => isComplete.has(dayOf(row))));
  return found.flat();
}

const dayOf = ({ begins }: Row): DbTime => Number(begins) - (Number(begins) % DAY_MS);

/** The whole days before `before` whose sums by game are not complete, newest first. */
export async function incompleteDays(merchantId: number, before: DbTime, read: Read): Promise<DbTime[]> {
  const { byHour, byGame } = await countsOf({ merchantIds: [merchantId] }, { from: 0, to: before }, read);
  return [...byHour].flatMap(([day, n]) => (byGame.get(day) === n ? [] : [day])).sort((a, b) => b - a);
}

/**
 * A day's rows of the table. A day is read in pieces, because the server ends a statement on these connections after
 * 10 s.
 */
export async function readDay(
  fragments: SqlFragments,
  merchantId: number,
  day: DbTime,
  read: Read,
): Promise<[game: number, action: number, count: number, minor: bigint][]> {
  const about = { merchantIds: [merchantId], groupBy: "game", provider: null, type: null } as const;
  const query = { ...about, bounds: [day, day + DAY_MS] };
  const sums = new Map<string, [game: number, action: number, count: number, minor: bigint]>();
  const add = (rows: readonly Row[], sign: 1 | -1): void => {
    for (const { k, action, n, m } of rows) {
      const key = `${k} ${action}`;
      const [, , count, minor] = sums.get(key) ?? [0, 0, 0, 0n];
      const value = integer(m) * BigInt(sign);
      sums.set(key, [Number(k), Number(action), count + sign * Number(n), minor + value]);
    }
  };
  for (let from = day; from < day + DAY_MS; from += PIECE_MS)
    add(await read(successes(fragments, query, { from, to: from + PIECE_MS })), 1);
  const withoutNumber = await read(unnumbered(fragments, query, { from: day, to: day + DAY_MS, stepMs: DAY_MS }));
  add(
    withoutNumber.filter(({ status }) => statusOf(status) === "success"),
    -1,
  );
  return [...sums.values()].filter(([, , count]) => count > 0);
}

/** Divides a time into whole days with complete sums by game, and the rest, for which the rows must be read. */
async function daysOf(
  query: Pick<GgrQuery, "merchantIds">,
  { from, to }: Span,
  read: Read,
): Promise<{ complete: DbTime[]; rest: Span[] }> {
  const whole = { from: Math.ceil(from / DAY_MS) * DAY_MS, to: Math.floor(to / DAY_MS) * DAY_MS };
  const complete: DbTime[] = [];
  const rest: Span[] = [];
  let restFrom = from;
  if (whole.from < whole.to) {
    const { byHour, byGame } = await countsOf(query, whole, read);
    for (let day = whole.from; day < whole.to; day += DAY_MS) {
      if (byHour.get(day) !== byGame.get(day)) continue;
      complete.push(day);
      if (restFrom < day) rest.push({ from: restFrom, to: day });
      restFrom = day + DAY_MS;
    }
  }
  if (restFrom < to) rest.push({ from: restFrom, to });
  return { complete, rest };
}

/**
 * The number of numbered successes of each day, by both kinds of sums. A day without one is in neither map. A merchant's
 * sums by game never have more of them than its sums by hour. So if the numbers of several merchants together are equal,
 * those of each merchant are.
 */
async function countsOf(
  query: Pick<GgrQuery, "merchantIds">,
  { from, to }: Span,
  read: Read,
): Promise<{ byHour: Map<DbTime, number>; byGame: Map<DbTime, number> }> {
  const own = ofMerchants(query);
  const counts = async (sql: string): Promise<Map<DbTime, number>> => {
    const rows = await read({ sql, bindings: [...own.bindings, from, to] });
    return new Map(rows.map(({ begins, n }) => [Number(begins), Number(n)]));
  };
  return {
    byHour: await counts(
      `SELECT hour - hour % ${DAY_MS} AS begins, SUM(tx_count) AS n FROM ggr_hour WHERE ${own.sql} AND hour >= ? AND hour < ? GROUP BY begins`,
    ),
    byGame: await counts(
      `SELECT day AS begins, SUM(tx_count) AS n FROM ggr_game WHERE ${own.sql} AND day >= ? AND day < ? GROUP BY day`,
    ),
  };
}

/** The filters are applied to the games' sums, not to each row, so each game is looked up once for each action. */
function sumsOfDays({ merchantIds, provider, type }: GgrQuery, days: readonly DbTime[]): Statement {
  const games = (column: string): string => `(SELECT g.${column} FROM games g WHERE g.id = game_id)`;
  const filters: Statement[] = [
    ...(provider === null
      ? []
      : [{ sql: `${games("provider_id")} = (SELECT p.id FROM providers p WHERE p.code = ?)`, bindings: [provider] }]),
    ...(type === null ? [] : [{ sql: `${games("type")} = ?`, bindings: [productNumber(type)] }]),
  ];
  const own = ofMerchants({ merchantIds });
  const having = filters.length === 0 ? "" : ` HAVING ${filters.map(({ sql }) => sql).join(" AND ")}`;
  return {
    sql: `SELECT 0 AS begins, game_id AS k, ${STATUS.success} AS status, action, SUM(tx_count) AS n, SUM(sum_minor) AS m
      FROM ggr_game WHERE ${own.sql} AND day IN (${marks(days)}) GROUP BY game_id, action${having}`,
    bindings: [...own.bindings, ...days, ...filters.flatMap(({ bindings }) => bindings)],
  };
}
