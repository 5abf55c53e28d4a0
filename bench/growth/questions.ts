/** The queries for a merchant with a busy month, and the time limit of each answer. */

import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { ACTION } from "../../src/adapters/sql/schema/codes.ts";
import type { History } from "../history/kept-history.ts";
import { DAY_MS } from "../history/plan.ts";

export interface Question {
  readonly group: string;
  readonly what: string;
  /** The queries run one after the other. */
  readonly targets: readonly string[];
  readonly atMostMs: number;
}

/** The number of samples of each filter by an id. */
const SAMPLES = 20;
const REPEATS = 10;
const PAGE_MS = 20;
const MONTH_MS = 1_000;

const query = (parameters: Readonly<Record<string, string>>): string => new URLSearchParams(parameters).toString();
const list = (parameters: Readonly<Record<string, string>>): string => `/v1/transactions?${query(parameters)}`;
const time = (ms: number): string => new Date(ms).toISOString();
const repeated = (target: string): string[] => Array.from({ length: REPEATS }, () => target);

export async function questions(database: Database, { month, directory }: History): Promise<Question[]> {
  const merchantId = directory.merchants[0]?.id ?? 0;
  const samples = await samplesOf(database, merchantId, month);
  const inMonth = { from: time(month.from), to: time(month.to) };
  const day = month.from + 15 * DAY_MS;
  const inDay = { from: time(day), to: time(day + DAY_MS) };
  const question = (group: string, atMostMs: number) => (what: string, targets: readonly string[]) => ({
    group,
    what,
    targets,
    atMostMs,
  });

  const byId = question("first page of 100", PAGE_MS);
  const aDay = question("first page of 100, a day", PAGE_MS);
  const aMonth = question("first page of 100, the month", MONTH_MS);
  const player = samples.map((row) => row.playerId);
  // The last game has the fewest rounds.
  const [often, rarely] = [samples[0], await rarest(database, merchantId, month)];
  const filters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "no filter": {},
    "status=success": { status: "success" },
    "status=failed": { status: "failed" },
    "action=bet": { action: "bet" },
    "action=win": { action: "win" },
    "action=refund": { action: "refund" },
    "action=rollback": { action: "rollback" },
    provider: { provider: often?.provider ?? "" },
    game: { provider: often?.provider ?? "", game: often?.game ?? "" },
    "a game hardly played": { provider: rarely.provider, game: rarely.game },
    "a game hardly played, its failed bets": {
      provider: rarely.provider,
      game: rarely.game,
      action: "bet",
      status: "failed",
    },
    "a game hardly played, its rollbacks": { provider: rarely.provider, game: rarely.game, action: "rollback" },
    "what can't be: failed wins": { action: "win", status: "failed" },
  };
  return [
    byId(
      "tx_id",
      samples.map(({ txId }) => list({ tx_id: txId })),
    ),
    byId(
      "round_id",
      samples.map(({ roundId }) => list({ round_id: roundId })),
    ),
    byId(
      "ref_tx_id",
      samples.map(({ refTxId }) => list({ ref_tx_id: refTxId })),
    ),
    byId(
      "player_id, the month",
      player.map((player_id) => list({ ...inMonth, player_id })),
    ),
    byId("the busiest player_id, the month", repeated(list({ ...inMonth, player_id: "u-0" }))),
    byId("status=pending, the month", repeated(list({ ...inMonth, status: "pending" }))),
    aDay("status=pending", repeated(list({ ...inDay, status: "pending" }))),
    aDay(
      "player_id",
      player.map((player_id) => list({ ...inDay, player_id })),
    ),
    ...Object.entries(filters).map(([what, filter]) => aDay(what, repeated(list({ ...inDay, ...filter })))),
    ...Object.entries(filters).map(([what, filter]) => aMonth(what, repeated(list({ ...inMonth, ...filter })))),
    ...reports(month),
  ];
}

function reports(month: History["month"]): Question[] {
  const date = (ms: number): string => time(ms).slice(0, 10);
  const days = { from: date(month.from), to: date(month.to - 1) };
  const report = (what: string, atMostMs: number, parameters: Readonly<Record<string, string>>, times = REPEATS) => ({
    group: "GGR of the month",
    what,
    atMostMs,
    targets: Array.from({ length: times }, () => `/v1/reports/ggr?${query({ ...days, ...parameters })}`),
  });
  return [
    report("by day", 100, {}),
    report("by day, in São Paulo", 100, { tz: "America/Sao_Paulo" }),
    report("by day, in Kathmandu, where a day's beginning cuts an hour", 100, { tz: "Asia/Kathmandu" }),
    report("by provider", 100, { group_by: "provider" }),
    report("by type", 100, { group_by: "type" }),
    report("by game", 1_000, { group_by: "game" }, 5),
    report("by player", 3_000, { group_by: "player" }, 3),
  ];
}

interface Sample {
  readonly txId: string;
  readonly roundId: string;
  readonly playerId: string;
  readonly provider: string;
  readonly game: string;
  readonly refTxId: string;
}

const COLUMNS = "t.tx_id, t.round_id, t.player_id, t.ref_tx_id, p.code AS provider, g.code AS game";
const JOINED = "tx t JOIN providers p ON p.id = t.provider_id JOIN games g ON g.id = t.game_id";

/** Refunds at moments spread over the month. Refunds have every field. */
export async function samplesOf(
  { knex }: Database,
  merchantId: number,
  { from, to }: History["month"],
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const [[row]] = await knex.raw(
      `SELECT ${COLUMNS} FROM ${JOINED} WHERE t.merchant_id = ? AND t.created_at >= ? AND t.action = ${ACTION.refund} AND t.status = 1 ORDER BY t.created_at, t.id LIMIT 1`,
      [merchantId, from + ((to - from) * i) / (SAMPLES + 1)],
    );
    samples.push({
      txId: row.tx_id,
      roundId: row.round_id,
      playerId: row.player_id,
      provider: row.provider,
      game: row.game,
      refTxId: row.ref_tx_id,
    });
  }
  return samples;
}

async function rarest(
  { knex }: Database,
  merchantId: number,
  { from, to }: History["month"],
): Promise<Pick<Sample, "provider" | "game">> {
  const [[row]] = await knex.raw(
    `SELECT p.code AS provider, g.code AS game FROM (SELECT game_id, COUNT(*) AS n FROM tx FORCE INDEX (tx_list) WHERE merchant_id = ? AND created_at >= ? AND created_at < ?
       GROUP BY game_id ORDER BY n LIMIT 1) t JOIN games g ON g.id = t.game_id JOIN providers p ON p.id = g.provider_id`,
    [merchantId, from, to],
  );
  return { provider: row.provider, game: row.game };
}
