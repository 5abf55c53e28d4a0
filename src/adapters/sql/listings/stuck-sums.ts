/** Adds up stuck money. Each statement reads a limited number of rows of each merchant. */
import type { DbTime } from "../../../domain/transaction/transaction.ts";
import type { OpenSums, StuckSum, StuckSums } from "../../../ports/transactions/stuck-money.ts";
import type { Database } from "../connection/database.ts";
import { selectedRows } from "../connection/execute.ts";
import { integer, type Statement } from "../connection/statement.ts";
import { STUCK } from "../reports/stuck-notes.ts";
import { DUE, IS_CREDIT, type NotedKind, notedSince, STILL } from "./stuck-conditions.ts";

/** What is added up. */
interface Asked {
  readonly merchantIds: readonly number[];
  readonly agesMs: readonly number[];
  readonly now: DbTime;
  /** The maximum of a merchant's rows that are read in one range of an index. */
  readonly limit: number;
  /** Whether the players are counted. Without this, Today needs less of the database's time. */
  readonly countsPlayers: boolean;
}

/** The kinds of pending transactions, and the numbers that stand for them in the statement. `waiting`: not stuck. */
const OPEN = { retrying: 0, unanswered: 1, pending: 2, waiting: 3 } as const;
type OpenKind = keyof typeof OPEN;
const OPEN_KINDS = Object.keys(OPEN) as OpenKind[];

/** The rows of one kind that were read of one merchant. */
interface Group<Kind> {
  readonly merchantId: number;
  readonly kind: Kind;
  readonly count: number;
  readonly players: number;
  readonly newest: DbTime;
  readonly ages: readonly StuckSum[];
}

const NONE: StuckSum = { count: 0, sumMinor: 0n };

/** The sums of the pending transactions whose first call has ended. */
export async function openSums(database: Database, asked: Asked, horizonMs: number): Promise<OpenSums[]> {
  const groups = await openGroups(database, asked, asked.now - horizonMs);
  const none = asked.agesMs.map(() => NONE);
  return [...Map.groupBy(groups, merchantOf)].map(([merchantId, own]) => {
    const of = (kind: OpenKind): readonly StuckSum[] => own.find((one) => one.kind === kind)?.ages ?? none;
    const ages = none.map((_, i) => own.map((one) => one.ages[i] ?? NONE).reduce(plus));
    return { merchantId, ages, retrying: of("retrying"), unanswered: of("unanswered") };
  });
}

/** The sums of the pending transactions that are stuck. */
export async function pendingSums(database: Database, asked: Asked, horizonMs: number): Promise<StuckSums[]> {
  const openedTo = asked.now - horizonMs;
  const groups = await openGroups(database, asked, openedTo);
  return [...Map.groupBy(groups, merchantOf).values()].flatMap((own) => {
    // These kinds are read in one range, in the order of their creation.
    const others = own.filter(({ kind }) => kind !== "retrying");
    const count = others.reduce((all, one) => all + one.count, 0);
    const isCut = count >= asked.limit && others.every(({ newest }) => newest <= openedTo);
    return own.flatMap(({ merchantId, kind, players, ages, count: read }) =>
      kind === "waiting"
        ? []
        : { merchantId, kind, players, ages, more: kind === "retrying" ? read >= asked.limit : isCut },
    );
  });
}

/** The sums of the transactions that are noted in the table `stuck`. */
export async function notedSums(database: Database, asked: Asked, kind: NotedKind): Promise<StuckSums[]> {
  const { merchantIds, now, limit } = asked;
  const ranges = merchantIds.map(
    (_, i) => `SELECT * FROM (SELECT tx FROM stuck
      WHERE merchant_id = ? AND kind = ${STUCK[kind]} AND is_open = 1 AND created_at >= ?
      ORDER BY created_at, tx LIMIT ?) m${i}`,
  );
  const groups = await grouped(database, asked, {
    sql: `SELECT t.merchant_id, t.created_at, t.amount_minor, t.player_id, CASE WHEN ${STILL[kind]} THEN 1 ELSE 0 END AS kind
      FROM (${ranges.join(" UNION ALL ")}) n ${database.dialect.sql.joinInOrder} tx t ON t.id = n.tx`,
    bindings: merchantIds.flatMap((id) => [id, notedSince(kind, now), limit]),
  });
  return [...Map.groupBy(groups, merchantOf).values()].flatMap((own) => {
    const more = own.reduce((all, one) => all + one.count, 0) >= limit;
    return own.flatMap(({ merchantId, kind: isStill, players, ages }) =>
      isStill === 1 ? { merchantId, kind, players, ages, more } : [],
    );
  });
}

/** @param openedTo - a transaction that the service does not send any more is stuck if it was opened by this time. */
async function openGroups(database: Database, asked: Asked, openedTo: DbTime): Promise<Group<OpenKind>[]> {
  const { merchantIds, limit, countsPlayers } = asked;
  const columns = `merchant_id, created_at, amount_minor${countsPlayers ? ", player_id" : ""}`;
  const range = (name: string, kind: string | number, due: string, order: string): string =>
    `SELECT * FROM (SELECT ${columns}, ${kind} AS kind
      FROM tx ${database.dialect.sql.byIndex("due")} WHERE merchant_id = ? AND ${due} ORDER BY ${order} LIMIT ?) ${name}`;
  const over = `CASE WHEN opened_at > ? THEN ${OPEN.waiting} WHEN ${IS_CREDIT} THEN ${OPEN.unanswered} ELSE ${OPEN.pending} END`;
  const ranges = merchantIds.flatMap((_, i) => [
    range(`s${i}`, OPEN.retrying, DUE.retrying, "next_at, id"),
    range(`o${i}`, over, DUE.never, "id"),
  ]);
  const groups = await grouped(database, asked, {
    sql: ranges.join(" UNION ALL "),
    bindings: merchantIds.flatMap((id) => [id, limit, openedTo, id, limit]),
  });
  return groups.map((group) => ({ ...group, kind: OPEN_KINDS[group.kind] as OpenKind }));
}

/** @param rows - selects merchant_id, created_at, amount_minor, kind as a number, and player_id if players are counted. */
async function grouped(
  database: Database,
  { agesMs, now, countsPlayers }: Asked,
  rows: Statement,
): Promise<Group<number>[]> {
  const older = (value: string): string => `SUM(CASE WHEN created_at <= ? THEN ${value} ELSE 0 END)`;
  const ages = agesMs.map((_, i) => `${older("1")} AS n${i}, ${older("amount_minor")} AS minor${i}`);
  const found = await selectedRows(database, {
    sql: `SELECT merchant_id, kind, COUNT(*) AS counted, ${countsPlayers ? "COUNT(DISTINCT player_id)" : 0} AS players,
        MAX(created_at) AS newest, ${ages.join(", ")} FROM (${rows.sql}) w GROUP BY merchant_id, kind`,
    bindings: [...agesMs.flatMap((age) => [now - age, now - age]), ...rows.bindings],
  });
  return found.map((row) => ({
    merchantId: Number(row.merchant_id),
    kind: Number(row.kind),
    count: Number(row.counted),
    players: Number(row.players),
    newest: Number(row.newest),
    ages: agesMs.map((_, i) => ({ count: Number(row[`n${i}`]), sumMinor: integer(row[`minor${i}`]) })),
  }));
}

const merchantOf = ({ merchantId }: { readonly merchantId: number }): number => merchantId;
const plus = (a: StuckSum, b: StuckSum): StuckSum => ({ count: a.count + b.count, sumMinor: a.sumMinor + b.sumMinor });
