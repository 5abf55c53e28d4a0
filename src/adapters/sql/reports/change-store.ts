import type { Knex } from "knex";
import {
  ChangeStore,
  type HourSum,
  type NumberLine,
  type UnnumberedRow,
} from "../../../ports/transactions/change-store.ts";
import type { Database } from "../connection/database.ts";
import { changedIn, inTransaction } from "../connection/database-transaction.ts";
import { rows } from "../connection/execute.ts";
import { failureOf } from "../connection/failure.ts";
import type { Statement } from "../connection/statement.ts";
import type { SqlFragments } from "../dialects/sql-fragments.ts";
import { ACTION, actionOf, statusOf } from "../schema/codes.ts";
import { isNumberable } from "./feed-statements.ts";
import { noteStuck } from "./stuck-notes.ts";

const MINUTE_MS = 60_000;

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

  override async unnumbered(merchantId: number, limit: number): Promise<{ seq: bigint; rows: UnnumberedRow[] }> {
    const found = await rows(this.#database, {
      sql: this.#statements.unnumbered,
      bindings: [merchantId, merchantId, limit],
    });
    return {
      seq: found[0] === undefined ? await this.#lastNumber(merchantId) : BigInt((found[0].seq ?? 0) as string | bigint),
      rows: found.map((row) => ({
        id: BigInt(row.id as string | bigint),
        status: statusOf(row.status),
        action: actionOf(row.action),
        amountMinor: BigInt(row.amount_minor as string | bigint),
        createdAt: Number(row.created_at),
        gameId: Number(row.game_id),
        refused: row.error !== null,
        endedLater: row.resolved_by !== null,
        // No row here has a live lease. If a row has a dead lease and no due time, its process died.
        orphaned: statusOf(row.status) === "pending" && row.lease_until !== null && row.next_at === null,
        readAt: Number(row.read_at),
      })),
    };
  }

  async #lastNumber(merchantId: number): Promise<bigint> {
    const sql = "SELECT seq FROM feed_head WHERE merchant_id = ?";
    const [head] = await rows(this.#database, { sql, bindings: [merchantId] });
    return BigInt((head?.seq ?? 0) as string | bigint);
  }

  override async number(
    merchantId: number,
    seq: bigint,
    lines: readonly NumberLine[],
    sums: readonly HourSum[],
  ): Promise<boolean> {
    if (lines.length === 0) return true;
    try {
      await inTransaction(this.#database, async (trx) => {
        await this.#advance(trx, merchantId, seq, seq + BigInt(lines.length));
        if ((await this.#changed(trx, this.#database.dialect.numberRows(seq, lines))) !== lines.length)
          throw new Overtaken();
        if (sums.length > 0)
          await this.#changed(trx, this.#statements.addSums(merchantId, await this.#byProviderAndType(trx, sums)));
        for (const statement of noteStuck(lines, this.#database.dialect.sql)) await this.#changed(trx, statement);
        await this.#changed(trx, { sql: this.#statements.markMinute, bindings: [merchantId, seq] });
      });
      return true;
    } catch (error) {
      if (error instanceof Overtaken || failureOf(this.#database.dialect, error) === "conflict") return false;
      throw error;
    }
  }

  /**
   * Raises the merchant's last number. The lock on this row makes other replicas wait that number the same merchant.
   * `stuck_seq` is raised, too, if every earlier change was examined for stuck money. A replica of an older release
   * does not raise it.
   */
  async #advance(trx: Knex.Transaction, merchantId: number, seq: bigint, to: bigint): Promise<void> {
    const moved = await this.#changed(trx, {
      sql: "UPDATE feed_head SET stuck_seq = CASE WHEN stuck_seq = ? THEN ? ELSE stuck_seq END, seq = ? WHERE merchant_id = ? AND seq = ?",
      bindings: [seq, to, to, merchantId, seq],
    });
    if (moved === 1) return;
    const begun =
      seq === 0n ? await this.#changed(trx, { sql: this.#statements.beginFeed, bindings: [merchantId, to, to] }) : 0;
    if (begun !== 1) throw new Overtaken();
  }

  /** The sums in the form of the table `ggr_hour`: by provider and type instead of by game. */
  async #byProviderAndType(trx: Knex.Transaction, sums: readonly HourSum[]): Promise<StoredSum[]> {
    await this.#loadGames(trx, new Set(sums.map((sum) => sum.gameId)));
    const folded = new Map<string, StoredSum>();
    for (const { hour, gameId, action, count, sumMinor } of sums) {
      const game = this.#games.get(gameId);
      if (game === undefined) throw new Error(`tx.game_id names no game: ${gameId}`);
      const key = `${hour}/${game.providerId}/${game.type}/${action}`;
      const sum = folded.get(key);
      if (sum === undefined) folded.set(key, { hour, ...game, action, count, sumMinor });
      else {
        sum.count += count;
        sum.sumMinor += sumMinor;
      }
    }
    return [...folded.values()];
  }

  async #loadGames(trx: Knex.Transaction, ids: ReadonlySet<number>): Promise<void> {
    const missing = [...ids].filter((id) => !this.#games.has(id));
    if (missing.length === 0) return;
    for (const game of await trx("games").whereIn("id", missing).select("id", "provider_id", "type"))
      this.#games.set(Number(game.id), { providerId: Number(game.provider_id), type: Number(game.type) });
  }

  #changed(trx: Knex.Transaction, statement: Statement): Promise<number> {
    return changedIn(this.#database.dialect, trx, statement);
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
  readonly hour: number;
  readonly action: HourSum["action"];
  count: number;
  sumMinor: bigint;
}

interface ChangeStatements {
  /** Result: the column id. */
  waiting(merchantIds: readonly number[]): Statement;
  /** Each row has the merchant's last number in the column seq. Bindings: merchant, merchant, limit. */
  readonly unnumbered: string;
  /** Bindings: merchant, and twice the number. Changes nothing if the merchant's feed has begun already. */
  readonly beginFeed: string;
  addSums(merchantId: number, sums: readonly StoredSum[]): Statement;
  /**
   * Bindings: merchant, and the last number before the first number of this minute. Changes nothing if the minute has
   * its entry already.
   */
  readonly markMinute: string;
}

const SUM_KEY = "merchant_id, hour, provider_id, type, action";

function changeStatements(fragments: SqlFragments): ChangeStatements {
  const { nowMs, keepExisting, updateExisting, inserted } = fragments;
  const unnumbered = `FROM tx ${fragments.byIndex("feed")} WHERE feed_seq IS NULL AND ${isNumberable("tx", fragments)}`;
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
    unnumbered: `SELECT id, status, action, amount_minor, created_at, game_id, error, resolved_by, lease_until, next_at, ${nowMs} AS read_at,
      (SELECT seq FROM feed_head WHERE merchant_id = ?) AS seq ${unnumbered} AND merchant_id = ? ORDER BY id LIMIT ?`,
    beginFeed: `INSERT INTO feed_head (merchant_id, seq, stuck_seq) VALUES (?, ?, ?) ${keepExisting("feed_head.seq")}`,
    addSums: (merchantId, sums) => ({
      sql: `INSERT INTO ggr_hour (${SUM_KEY}, tx_count, sum_minor) VALUES ${sums.map(() => "(?, ?, ?, ?, ?, ?, ?)").join(", ")}
        ${updateExisting(SUM_KEY)} ${added}`,
      bindings: sums.flatMap((sum) => [
        merchantId,
        sum.hour,
        sum.providerId,
        sum.type,
        ACTION[sum.action],
        sum.count,
        sum.sumMinor,
      ]),
    }),
    markMinute: `INSERT INTO feed_mark (merchant_id, minute, seq) VALUES (?, ${nowMs} - ${nowMs} % ${MINUTE_MS}, ?) ${keepExisting("feed_mark.seq")}`,
  };
}
