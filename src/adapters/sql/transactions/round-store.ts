import {
  type EndLine,
  type ListedRound,
  type RoundKey,
  type RoundListQuery,
  RoundStore,
  type StoredRound,
} from "../../../ports/transactions/round-store.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, selectedRows, write } from "../connection/execute.ts";
import { FairQueue, type QueueLimits } from "../connection/fair-queue.ts";
import type { Binding, Row, Statement } from "../connection/statement.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";
import { numberOrNull, textOf } from "../schema/columns.ts";

/** At most 2 pages are read at once, one of each merchant. So other long reads have free connections. */
const QUEUE_LIMITS: QueueLimits = { runningMax: 2, runningPerCaller: 1, waitingMax: 512, waitMs: 5_000, perCaller: 64 };

/** Reads and ends rows of `rounds`. */
export class SqlRoundStore extends RoundStore {
  readonly #database: Database;
  readonly #queue = new FairQueue(QUEUE_LIMITS);

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async end(lines: readonly EndLine[]): Promise<void> {
    const { sql } = this.#database.dialect;
    await write(
      this.#database,
      storeRounds(
        lines.map((line) => ({ ...line, ended: true })),
        sql,
      ),
    );
  }

  override read(key: RoundKey): Promise<StoredRound | undefined> {
    return readRound(this.#database, key);
  }

  override list(query: RoundListQuery, limit: number): Promise<ListedRound[]> {
    return this.#queue.run(query.merchantId, async () => {
      const found = await selectedRows(this.#database, page(query, limit, this.#database.dialect.sql));
      return found.map((row) => ({
        ...storedRound(row),
        providerId: Number(row.provider_id),
        roundId: textOf(row.round_id),
      }));
    });
  }
}

export async function readRound(
  database: Database,
  { merchantId, providerId, roundId }: RoundKey,
): Promise<StoredRound | undefined> {
  const [row] = await decisiveRows(database, {
    sql: "SELECT opened_at, ended_at FROM rounds WHERE merchant_id = ? AND provider_id = ? AND round_id = ?",
    bindings: [merchantId, providerId, roundId],
  });
  return row && storedRound(row);
}

const storedRound = (row: Row): StoredRound => ({
  openedAt: Number(row.opened_at),
  endedAt: numberOrNull(row.ended_at),
});

/** A round to store: it was seen, and perhaps ended. */
export interface RoundLine extends EndLine {
  readonly ended: boolean;
}

/**
 * Stores rounds, each at most once. A stored round keeps its end, and its earliest beginning. The rows are locked in the
 * order of their keys, because other statements do the same.
 */
export function storeRounds(lines: readonly RoundLine[], { nowMs, updateExisting, inserted }: SqlFragments): Statement {
  const sorted = [...lines].sort(
    (a, b) =>
      a.merchantId - b.merchantId ||
      a.providerId - b.providerId ||
      (a.roundId < b.roundId ? -1 : Number(a.roundId > b.roundId)),
  );
  const openedAt = `CASE WHEN ${inserted("opened_at")} < rounds.opened_at THEN ${inserted("opened_at")} ELSE rounds.opened_at END`;
  return {
    sql: `INSERT INTO rounds (merchant_id, provider_id, round_id, opened_at, ended_at)
      VALUES ${sorted.map(({ ended }) => `(?, ?, ?, COALESCE(?, ${nowMs}), ${ended ? nowMs : "NULL"})`).join(", ")}
      ${updateExisting("merchant_id, provider_id, round_id")} opened_at = ${openedAt},
        ended_at = COALESCE(rounds.ended_at, ${inserted("ended_at")})`,
    bindings: sorted.flatMap(({ merchantId, providerId, roundId, openedAt: at }) => [
      merchantId,
      providerId,
      roundId,
      at,
    ]),
    recurs: lines.every(({ ended }) => ended),
  };
}

/** Open rounds are in the order of their beginning, ended ones in the order of their end: both by the index `list`. */
function page(query: RoundListQuery, limit: number, { byIndex }: SqlFragments): Statement {
  const { merchantId, state, openedBefore, endedSince = 0, after } = query;
  const time = state === "open" ? "opened_at" : "ended_at";
  const from = state === "open" ? (after?.at ?? 0) : Math.max(endedSince, after?.at ?? 0);
  const parts: [string, readonly Binding[]][] = [
    ["merchant_id = ?", [merchantId]],
    [state === "open" ? "ended_at IS NULL" : "ended_at IS NOT NULL", []],
    [`${time} >= ?`, [from]],
  ];
  if (openedBefore !== undefined) parts.push(["opened_at < ?", [openedBefore]]);
  if (after !== undefined)
    parts.push([
      `(${time} > ? OR opened_at > ? OR (opened_at = ? AND (provider_id > ? OR (provider_id = ? AND round_id > ?))))`,
      [after.at, after.openedAt, after.openedAt, after.providerId, after.providerId, after.roundId],
    ]);
  return {
    sql: `SELECT provider_id, round_id, opened_at, ended_at FROM rounds ${byIndex("list", "rounds")}
      WHERE ${parts.map(([sql]) => sql).join(" AND ")} ORDER BY ended_at, opened_at, provider_id, round_id LIMIT ?`,
    bindings: [...parts.flatMap(([, bindings]) => bindings), limit],
  };
}
