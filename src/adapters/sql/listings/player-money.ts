import { hasSettled } from "../../../domain/transaction/stuck.ts";
import type { Transaction } from "../../../domain/transaction/transaction.ts";
import type { PlayerId } from "../../../domain/values/identifiers.ts";
import {
  PLAYER_EXAMINED_MAX,
  type PlayerFindings,
  PlayerMoney,
  type TroubleKind,
} from "../../../ports/transactions/player-money.ts";
import { CONTRADICTIONS_MS } from "../../../ports/transactions/stuck-money.ts";
import type { Database } from "../connection/database.ts";
import { selectedRows } from "../connection/execute.ts";
import type { Row } from "../connection/statement.ts";
import { STUCK } from "../reports/stuck-notes.ts";
import { STATUS } from "../schema/codes.ts";
import { GameRefs } from "../transactions/game-refs.ts";
import { listedRows } from "./listed-rows.ts";

/** The maximum of transactions that are listed. */
const LISTED_MAX = 200;

/** Reads the newest rows of a player in the index of players, each with its notes in the table `stuck`. */
export class SqlPlayerMoney extends PlayerMoney {
  readonly #database: Database;
  readonly #games: GameRefs;

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#games = new GameRefs(database);
  }

  override async find(merchantId: number, playerId: PlayerId): Promise<PlayerFindings> {
    const { sql } = this.#database.dialect;
    const rows = await selectedRows(this.#database, {
      sql: `SELECT p.*, s.kind AS noted FROM (
          SELECT id, created_at, updated_at, CASE WHEN status = ${STATUS.pending} AND next_at >= 0 THEN 1 ELSE 0 END AS is_pending,
            CASE WHEN status = ${STATUS.success} AND balance_minor IS NOT NULL AND reversed_by IS NULL THEN 1 ELSE 0 END AS has_balance
          FROM tx ${sql.byIndex("player")} WHERE merchant_id = ? AND player_id = ? AND status <> ${STATUS.void}
          ORDER BY created_at DESC, id DESC LIMIT ?
        ) p LEFT JOIN stuck s ON s.tx = p.id AND s.is_open = 1`,
      bindings: [merchantId, playerId, PLAYER_EXAMINED_MAX + 1],
    });
    const found = [...rows].sort((a, b) => compare(b.created_at, a.created_at) || compare(b.id, a.id));
    // A row with two notes is there twice.
    const ids = [...new Set(found.map(idOf))];
    const examined = new Set(ids.slice(0, PLAYER_EXAMINED_MAX));
    const newest = found.filter((row) => examined.has(idOf(row)));
    const suspects = newest.filter((row) => Number(row.is_pending) === 1 || row.noted !== null);
    const troubles = suspects.slice(0, LISTED_MAX);
    const last = newest
      .filter((row) => Number(row.has_balance) === 1)
      .reduce<Row | undefined>(
        (latest, row) => (latest === undefined || compare(row.updated_at, latest.updated_at) > 0 ? row : latest),
        undefined,
      );
    const wanted = new Set([...troubles.map(idOf), ...(last === undefined ? [] : [idOf(last)])]);
    const listed = new Map((await listedRows(this.#database, this.#games, [...wanted])).map((one) => [one.id, one]));
    return {
      troubles: [...Map.groupBy(troubles, idOf)].flatMap(([id, own]) => {
        const one = listed.get(id);
        if (one === undefined) return [];
        return kindsOf(
          one.transaction,
          own.map((row) => Number(row.noted)),
        ).map((kind) => ({ ...one, kind }));
      }),
      last: last && listed.get(idOf(last)),
      more: ids.length > examined.size || suspects.length > troubles.length,
    };
  }
}

/** The row may have changed since it was noted, and between the two statements. */
function kindsOf(row: Transaction, noted: readonly number[]): TroubleKind[] {
  const isYoung = row.createdAt >= row.readAt - CONTRADICTIONS_MS;
  return [
    ...(row.status === "failed" && noted.includes(STUCK.owed) ? (["owed"] as const) : []),
    ...(row.status === "pending" && row.nextAt !== null ? (["pending"] as const) : []),
    ...(noted.includes(STUCK.contradiction) && isYoung && !hasSettled(row) ? (["contradiction"] as const) : []),
  ];
}

const idOf = (row: Row): bigint => BigInt(String(row.id));
const compare = (a: unknown, b: unknown): number => Number(BigInt(String(a)) - BigInt(String(b)));
