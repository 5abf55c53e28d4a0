/** A second implementation of the GGR report, with which the store's reports are compared. */

import type { ExecutionContext } from "ava";
import type { GroupingName } from "../../contract/values/groupings.ts";
import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { SqlGgrStore } from "../../src/adapters/sql/reports/ggr-store.ts";
import { GgrReport } from "../../src/app/merchant/ggr-report.ts";
import type { Ggr, GgrRequest, GgrSums } from "../../src/domain/transaction/report.ts";
import type { Past, PastTransaction } from "../../testbed/database/history.ts";
import { RecordedTelemetry } from "../../testbed/in-process/recorded-telemetry.ts";

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;

/**
 * Compares a report of these merchants with the sum of each of their transactions.
 *
 * @param codes - the codes of the merchants by their numbers, for a report by merchant.
 */
export async function equalsFold(
  t: ExecutionContext,
  database: Database,
  pasts: readonly [Past, ...Past[]],
  request: GgrRequest,
  codes: ReadonlyMap<number, string> = new Map(),
) {
  const reports = new GgrReport(new SqlGgrStore(database), new RecordedTelemetry());
  const before = Date.now();
  const [{ currency }] = pasts;
  const made = await reports.make({ merchantIds: pasts.map(({ merchantId }) => merchantId), currency }, request);
  if (!made.ok) throw new Error(made.refusal.code);
  const what = `${currency} ${JSON.stringify(request)}`;
  const rows = (await Array.fromAsync(made.value.rows)).flat();
  t.deepEqual(spoken({ ...made.value, rows }), fold(pasts, request, codes), what);
  const keys = rows.map(({ key }) => Buffer.from(key));
  t.true(
    keys.every((key, n) => n === 0 || Buffer.compare(keys[n - 1] as Buffer, key) < 0),
    `in order: ${what}`,
  );
  t.deepEqual(
    { zone: made.value.timeZone, currency: made.value.currency, now: Math.abs(made.value.asOf - before) < 60_000 },
    { zone: request.timeZone, currency, now: true },
    what,
  );
}

/** Sums as text, one line each. */
type ReportText = Readonly<Record<string, string>>;

function spoken({ rows, totals }: Ggr): ReportText {
  const line = ({ success, pending, ofWhich }: GgrSums): string =>
    [
      ...[success, pending].map((sums) =>
        (["bet", "refund", "win", "rollback"] as const).map((action) => `${sums[action].count}:${sums[action].minor}`),
      ),
      ...ofWhich.map(({ action, kind, count, minor }) => `${action} ${kind} ${count}:${minor}`).sort(),
    ].join(" | ");
  return { ...Object.fromEntries(rows.map((row) => [`row ${row.key}`, line(row)])), totals: line(totals) };
}

/** A second implementation of the report: it adds each transaction, and finds the transaction's day with Intl. */
function fold(
  pasts: readonly Past[],
  { from, to, timeZone, groupBy, provider, type }: GgrRequest,
  codes: ReadonlyMap<number, string>,
): ReportText {
  const dateOf = dates(timeZone);
  const sums = new Map<string, Map<string, [count: number, minor: bigint]>>([["totals", new Map()]]);
  const all = pasts.flatMap(({ merchantId, transactions }) =>
    transactions.map((one) => [one, codes.get(merchantId) ?? ""] as const),
  );
  for (const [one, merchant] of all) {
    if (one.status !== "success" && one.status !== "pending") continue;
    if ((provider !== null && one.game.provider !== provider) || (type !== null && one.game.type !== type)) continue;
    const date = dateOf(one.createdAt);
    if (date < from || date > to) continue;
    for (const name of [`row ${keyOf(one, groupBy, date, merchant)}`, "totals"]) {
      const row = sums.get(name) ?? new Map<string, [number, bigint]>();
      sums.set(name, row);
      const kind = one.status === "success" && one.kind !== null ? [`kind ${one.action} ${one.kind}`] : [];
      for (const sum of [`${one.status} ${one.action}`, ...kind]) {
        const [n, minor] = row.get(sum) ?? [0, 0n];
        row.set(sum, [n + 1, minor + one.amountMinor]);
      }
    }
  }
  const line = (row: Map<string, [number, bigint]>): string =>
    [
      ...["success", "pending"].map((status) =>
        ["bet", "refund", "win", "rollback"].map((action) => (row.get(`${status} ${action}`) ?? [0, 0n]).join(":")),
      ),
      ...[...row].flatMap(([sum, of]) => (sum.startsWith("kind ") ? [`${sum.slice(5)} ${of.join(":")}`] : [])).sort(),
    ].join(" | ");
  return Object.fromEntries([...sums].map(([name, row]) => [name, line(row)]));
}

const keyOf = ({ game, playerId }: PastTransaction, groupBy: GroupingName, date: string, merchant: string): string =>
  ({
    day: date,
    merchant,
    provider: game.provider,
    game: `${game.provider}/${game.code}`,
    type: game.type,
    player: playerId,
  })[groupBy];

/** The date in a zone. Offsets are whole quarters of an hour. */
function dates(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  const known = new Map<number, string>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS);
    const date = known.get(quarter) ?? format.format(at);
    known.set(quarter, date);
    return date;
  };
}

/** Moments at which the date changes. */
export function midnights(from: string, to: string, timeZone: string): number[] {
  const dateOf = dates(timeZone);
  const found: number[] = [];
  for (let at = Date.parse(from) - DAY_MS; at < Date.parse(to) + 2 * DAY_MS; at += QUARTER_MS)
    if (dateOf(at) !== dateOf(at - 1)) found.push(at);
  return found;
}
