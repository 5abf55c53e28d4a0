import type { Knex } from "knex";
import {
  ChangeStore,
  type HourSum,
  type Numbering,
  type Unnumbered,
  type UnnumberedRow,
} from "../../../ports/transactions/change-store.ts";
import type { Database } from "../connection/database.ts";
import { changedIn, inTransaction, rowsIn } from "../connection/database-transaction.ts";
import { rows } from "../connection/execute.ts";
import { failureOf } from "../connection/failure.ts";
import { integer, marks, type Row, type Statement } from "../connection/statement.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";
import { ACTION, actionOf, KIND, kindOf, statusOf } from "../schema/codes.ts";
import { textOf } from "../schema/columns.ts";
import { storeRounds } from "../transactions/round-store.ts";
import { catchUp } from "./feed-catch-up.ts";
import { isNumberable } from "./feed-statements.ts";
import { insertKinds, listKinds } from "./kind-list.ts";
import { addKindSums, addKinds, type StoredKindSum } from "./kind-sums.ts";
import { noteStuck } from "./stuck-notes.ts";

const MINUTE_MS = 60_000;
/**
 * The locks of a numbering hold up the credits of dead processes. They are sent within 2 s after their leases, so a
 * process that is lost may keep these locks only for less.
 */
const OPEN_MAX_S = 2;

/**
 * Numbers the rows of `tx` whose `feed_seq` is NULL. One transaction applies all changes or none, so the process may
 * stop at any point.
 */
export class SqlChangeStore extends ChangeStore {
  readonly #database: Database;
  readonly #statements: ChangeStatements;
  /** The provider and type of each game that was numbered before. They never change. */
  readonly #games = new Map<number, GameKind>();

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#statements = changeStatements(database.dialect.sql);
  }

  override async waiting(merchantIds: readonly number[]): Promise<number[]> {
    if (merchantIds.length === 0) return [];
    const found = await rows(this.#database, this.#statements.waiting(merchantIds));
    return found.map((row) => Number(row.id));
  }

  override async unnumbered(
    merchantIds: readonly number[],
    limit: number,
    providerIds: readonly number[] = [],
  ): Promise<Unnumbered[]> {
    if (merchantIds.length === 0) return [];
    const found = await rows(this.#database, {
      sql: this.#statements.unnumbered(merchantIds.length, providerIds),
      bindings: merchantIds.flatMap((id) => [id, id, limit]),
    });
    const byMerchant = new Map<number, Unnumbered & { readonly rows: UnnumberedRow[] }>();
    for (const row of found) {
      const merchantId = Number(row.merchant_id);
      const of = byMerchant.get(merchantId) ?? { merchantId, seq: integer(row.seq ?? 0), rows: [] };
      byMerchant.set(merchantId, of);
      of.rows.push(unnumberedRow(row));
    }
    return [...byMerchant.values()];
  }

  override async unlocked(found: readonly Unnumbered[]): Promise<Unnumbered[]> {
    const ids = found.flatMap((unnumbered) => unnumbered.rows.map(({ id }) => id));
    if (ids.length === 0) return [];
    const merchantIds = found.map(({ merchantId }) => merchantId);
    const heads = await rows(this.#database, this.#statements.unlockedHeads(merchantIds));
    const free = await rows(this.#database, this.#statements.unlockedRows(ids));
    const freeHeads = new Set(heads.map((row) => Number(row.merchant_id)));
    const freeIds = new Set(free.map((row) => integer(row.id)));
    return found
      .filter(({ merchantId, seq }) => seq === 0n || freeHeads.has(merchantId))
      .map((unnumbered) => ({ ...unnumbered, rows: unnumbered.rows.filter(({ id }) => freeIds.has(id)) }))
      .filter((unnumbered) => unnumbered.rows.length > 0);
  }

  override async number(numberings: readonly Numbering[]): Promise<boolean> {
    if (numberings.length === 0) return true;
    const { dialect } = this.#database;
    const lines = numberings.flatMap((numbering) => numbering.lines);
    const sums = await this.#storedSums(numberings);
    const kinds = this.#kindSums(numberings);
    const first = numberings.filter(({ seq }) => seq === 0n);
    const rounds = numberings.flatMap(({ merchantId, rounds: own }) => own.map((round) => ({ merchantId, ...round })));
    const { lockHeads, advance, beginFeeds, addSums, markMinute } = this.#statements;
    const run = async (trx: Knex.Transaction): Promise<void> => {
      const changed = (statement: Statement) => changedIn(dialect, trx, statement);
      const heads = await rowsIn(dialect, trx, lockHeads(numberings));
      const behind = new Set(heads.flatMap((row) => (Number(row.behind) === 1 ? [Number(row.merchant_id)] : [])));
      const added = kinds.filter(({ merchantId }) => !behind.has(merchantId));
      const moved = await changed(advance(numberings));
      const begun = first.length === 0 ? 0 : await changed(beginFeeds(first));
      if (moved + begun !== numberings.length) throw new Overtaken();
      if ((await changed(dialect.numberRows(numberings))) !== lines.length) throw new Overtaken();
      if (sums.length > 0) await changed(addSums(sums));
      if (added.length > 0) await changed(addKindSums(added, dialect.sql));
      for (const statement of [...noteStuck(lines, dialect.sql), ...listKinds(lines, dialect.sql)])
        await changed(statement);
      if (rounds.length > 0) await changed(storeRounds(rounds, dialect.sql));
      await changed(markMinute(numberings));
    };
    try {
      await inTransaction(this.#database, run, {}, OPEN_MAX_S);
      return true;
    } catch (error) {
      if (error instanceof Overtaken || failureOf(dialect, error) === "conflict") return false;
      throw error;
    }
  }

  override catchUp(): Promise<boolean> {
    const { dialect } = this.#database;
    return catchUp(this.#database, "kind_seq", async (trx, range) => {
      await addKinds(trx, dialect, range);
      await changedIn(dialect, trx, insertKinds(range, dialect.sql.byIndex("feed"), dialect.sql));
    });
  }

  /** The sums in the form of the table `ggr_hour`: by provider and type instead of by game. */
  async #storedSums(numberings: readonly Numbering[]): Promise<StoredSum[]> {
    const sums = numberings.flatMap(({ merchantId, sums: own }) => own.map((sum) => ({ merchantId, ...sum })));
    await this.#loadGames(new Set(sums.map((sum) => sum.gameId)));
    const folded = new Map<string, StoredSum>();
    for (const { merchantId, hour, gameId, action, count, sumMinor } of sums) {
      const game = this.#gameOf(gameId);
      const key = `${merchantId}/${hour}/${game.providerId}/${game.type}/${action}`;
      const sum = folded.get(key);
      if (sum === undefined) folded.set(key, { merchantId, hour, ...game, action, count, sumMinor });
      else {
        sum.count += count;
        sum.sumMinor += sumMinor;
      }
    }
    return [...folded.values()];
  }

  /** The sums of transactions that have a kind. The games are loaded. */
  #kindSums(numberings: readonly Numbering[]): StoredKindSum[] {
    return numberings.flatMap(({ merchantId, sums }) =>
      sums.flatMap(({ kind, action, ...sum }) =>
        kind === null
          ? []
          : [{ merchantId, ...sum, ...this.#gameOf(sum.gameId), action: ACTION[action], kind: KIND[kind] }],
      ),
    );
  }

  #gameOf(gameId: number): GameKind {
    const game = this.#games.get(gameId);
    if (game === undefined) throw new Error(`tx.game_id names no game: ${gameId}`);
    return game;
  }

  async #loadGames(ids: ReadonlySet<number>): Promise<void> {
    const missing = [...ids].filter((id) => !this.#games.has(id));
    if (missing.length === 0) return;
    for (const game of await rows(this.#database, this.#statements.games(missing)))
      this.#games.set(Number(game.id), { providerId: Number(game.provider_id), type: Number(game.type) });
  }
}

/** Rolls the transaction back: another replica was faster, or a row has changed since it was read. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

interface GameKind {
  readonly providerId: number;
  readonly type: number;
}

interface StoredSum extends GameKind {
  readonly merchantId: number;
  readonly hour: number;
  readonly action: HourSum["action"];
  count: number;
  sumMinor: bigint;
}

function unnumberedRow(row: Row): UnnumberedRow {
  const status = statusOf(row.status);
  return {
    id: integer(row.id),
    status,
    action: actionOf(row.action),
    amountMinor: integer(row.amount_minor),
    kind: kindOf(row.kind),
    createdAt: Number(row.created_at),
    gameId: Number(row.game_id),
    refused: Number(row.refused) === 1,
    endedLater: Number(row.ended_later) === 1,
    // No row here has a live lease. If a row has a dead lease and no due time, its process died.
    orphaned: status === "pending" && Number(row.died) === 1,
    ...(row.round_id != null && {
      round: {
        providerId: Number(row.provider_id),
        roundId: textOf(row.round_id),
        ended: status === "success" && Number(row.round_ended) === 1,
      },
    }),
    readAt: Number(row.read_at),
  };
}

interface ChangeStatements {
  /** Result: the column id. */
  waiting(merchantIds: readonly number[]): Statement;
  /**
   * The rows of some merchants. Each row has its merchant's last number in the column seq. Bindings for each merchant:
   * merchant, merchant, limit.
   *
   * @param providerIds - the providers whose rows have their rounds in the columns provider_id, round_id and round_ended.
   */
  unnumbered(merchants: number, providerIds: readonly number[]): string;
  /** Result: the column merchant_id. The merchants whose last numbers no other session has locked. */
  unlockedHeads(merchantIds: readonly number[]): Statement;
  /** Result: the column id. The rows that no other session has locked. */
  unlockedRows(ids: readonly bigint[]): Statement;
  /** Result: the columns id, provider_id and type. */
  games(ids: readonly number[]): Statement;
  /**
   * Result: the columns merchant_id and behind (1: the sums by kind lack earlier changes). Locks the last numbers. Fails at once if another session has locked one, so that nothing waits for
   * that session.
   */
  lockHeads(numberings: readonly Numbering[]): Statement;
  /**
   * Raises the last number of each merchant that still has the number `seq`. `stuck_seq` is raised, too, if every earlier
   * change was examined for stuck money, and `kind_seq` if the sums and the list of kinds have every earlier change. A replica of an
   * older release does not raise them.
   */
  advance(numberings: readonly Numbering[]): Statement;
  /** Writes the last numbers of merchants that have none. Changes nothing for a merchant that has one. */
  beginFeeds(numberings: readonly Numbering[]): Statement;
  addSums(sums: readonly StoredSum[]): Statement;
  /**
   * Notes for each merchant the last number before the first number of this minute. Changes nothing if the minute has
   * its entry already.
   */
  markMinute(numberings: readonly Numbering[]): Statement;
}

const SUM_KEY = "merchant_id, hour, provider_id, type, action";

function changeStatements(fragments: SqlFragments): ChangeStatements {
  const { nowMs, keepExisting, updateExisting, inserted, unionAll, locking } = fragments;
  const unnumbered = `FROM tx ${fragments.byIndex("feed")} WHERE feed_seq IS NULL AND ${isNumberable("tx", fragments)}`;
  const unnumberedOfOne = (
    round: string,
  ): string => `SELECT merchant_id, id, status, action, amount_minor, kind, created_at, game_id,
      error IS NOT NULL AS refused, resolved_by IS NOT NULL AS ended_later,
      lease_until IS NOT NULL AND next_at IS NULL AS died, ${nowMs} AS read_at,${round}
      (SELECT seq FROM feed_head WHERE merchant_id = ?) AS seq ${unnumbered} AND merchant_id = ? ORDER BY id LIMIT ?`;
  const added = `tx_count = tx_count + ${inserted("tx_count")}, sum_minor = sum_minor + ${inserted("sum_minor")}`;
  return {
    // For each merchant, the statement makes one look-up in the feed's index, which stops at the first row found. A join
    // or an IN list would read all waiting rows. The planner can't turn a scalar subquery into a join that begins with
    // the rows.
    waiting(merchantIds) {
      const ids = fragments.idTable(merchantIds);
      return {
        sql: `SELECT n.id FROM ${ids.sql} n WHERE (SELECT 1 ${unnumbered} AND merchant_id = n.id LIMIT 1) IS NOT NULL`,
        bindings: ids.bindings,
      };
    },
    // The ids come from this service, as in `numberRows`.
    unnumbered(merchants, providerIds) {
      const one = unnumberedOfOne(
        providerIds.length === 0
          ? ""
          : ` provider_id, CASE WHEN provider_id IN (${providerIds.join(",")}) THEN round_id END AS round_id, round_ended,`,
      );
      return unionAll(Array.from({ length: merchants }, () => one));
    },
    unlockedHeads: (merchantIds) => ({
      sql: `SELECT merchant_id FROM feed_head WHERE merchant_id IN (${marks(merchantIds)}) ${locking.skipping}`,
      bindings: merchantIds,
    }),
    // The ids come from this service, as in `numberRows`.
    unlockedRows: (ids) => ({
      sql: `SELECT id FROM tx WHERE id IN (${ids.join(",")}) ${locking.skipping}`,
      bindings: [],
    }),
    games: (ids) => ({
      sql: `SELECT id, provider_id, type FROM games WHERE id IN (${marks(ids)})`,
      bindings: ids,
    }),
    lockHeads: (numberings) => ({
      sql: `SELECT merchant_id, kind_seq IS NULL OR kind_seq < seq AS behind FROM feed_head
        WHERE merchant_id IN (${marks(numberings)}) ${locking.failing}`,
      bindings: numberings.map(({ merchantId }) => merchantId),
    }),
    // `seq` comes last, because MySQL's later assignments see the values of the earlier ones.
    advance(numberings) {
      const counts = numberings.map(({ merchantId, lines }) => `WHEN ${merchantId} THEN ${lines.length}`).join(" ");
      const raised = `seq + CASE merchant_id ${counts} END`;
      return {
        sql: `UPDATE feed_head SET ${(["stuck_seq", "kind_seq"] as const)
          .map((column) => `${column} = CASE WHEN ${column} = seq THEN ${raised} ELSE ${column} END`)
          .join(", ")}, seq = ${raised}
          WHERE ${numberings.map(() => "(merchant_id = ? AND seq = ?)").join(" OR ")}`,
        bindings: numberings.flatMap(({ merchantId, seq }) => [merchantId, seq]),
      };
    },
    beginFeeds: (numberings) => ({
      sql: `INSERT INTO feed_head (merchant_id, seq, stuck_seq, kind_seq) VALUES ${numberings.map(() => "(?, ?, ?, ?)").join(", ")}
        ${keepExisting("feed_head.seq")}`,
      bindings: numberings.flatMap(({ merchantId, lines }) => [merchantId, lines.length, lines.length, lines.length]),
    }),
    addSums: (sums) => ({
      sql: `INSERT INTO ggr_hour (${SUM_KEY}, tx_count, sum_minor) VALUES ${sums.map(() => "(?, ?, ?, ?, ?, ?, ?)").join(", ")}
        ${updateExisting(SUM_KEY)} ${added}`,
      bindings: sums.flatMap((sum) => [
        sum.merchantId,
        sum.hour,
        sum.providerId,
        sum.type,
        ACTION[sum.action],
        sum.count,
        sum.sumMinor,
      ]),
    }),
    markMinute: (numberings) => ({
      sql: `INSERT INTO feed_mark (merchant_id, minute, seq)
        VALUES ${numberings.map(() => `(?, ${nowMs} - ${nowMs} % ${MINUTE_MS}, ?)`).join(", ")} ${keepExisting("feed_mark.seq")}`,
      bindings: numberings.flatMap(({ merchantId, seq }) => [merchantId, seq]),
    }),
  };
}
