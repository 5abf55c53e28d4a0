import type { Knex } from "knex";
import { ChangeStore, type HourSum, type NumberLine, type UnnumberedRow } from "../../../ports/transactions/change-store.ts";
import type { Database, Dialect } from "../connection/database.ts";
import { inTransaction } from "../connection/database-transaction.ts";
import { failureOf } from "../connection/failure.ts";
import { type Binding, rows, type Statement } from "../connection/statement.ts";
import { jsonLines } from "../dialects/sqlite/json-lines.ts";
import { ACTION, actionOf, STATUS, statusOf } from "../schema/codes.ts";
import { nowMs } from "../schema/columns.ts";
import { stands } from "./feed-statements.ts";

const MINUTE_MS = 60_000;

/** Numbers the rows of `tx` whose `feed_seq` is NULL. Cheap to lose at any point: it all applies in one transaction or not at all. */
export class SqlChangeStore extends ChangeStore {
  readonly #database: Database;
  readonly #sql: ChangeSql;

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#sql = CHANGE_SQL[database.dialect];
  }

  override async waiting(merchantIds: readonly number[]): Promise<number[]> {
    if (merchantIds.length === 0) return [];
    const found = await rows(this.#database, this.#sql.waiting(merchantIds));
    return found.map((row) => Number(row.id));
  }

  override async unnumbered(merchantId: number, limit: number): Promise<{ seq: bigint; rows: UnnumberedRow[] }> {
    const [head] = await rows(this.#database, { sql: "SELECT seq FROM feed_head WHERE merchant_id = ?", bindings: [merchantId] });
    const found = await rows(this.#database, { sql: this.#sql.unnumbered, bindings: [merchantId, limit] });
    return {
      seq: BigInt((head?.seq ?? 0) as string | bigint | number),
      rows: found.map((row) => ({
        id: BigInt(row.id as string | bigint),
        status: statusOf(row.status),
        action: actionOf(row.action),
        amountMinor: BigInt(row.amount_minor as string | bigint),
        createdAt: Number(row.created_at),
        gameId: Number(row.game_id),
        // Only rows whose lease is over are here, so one that still has a lease and no due time has lost its process.
        orphaned: statusOf(row.status) === "pending" && row.lease_until !== null && row.next_at === null,
        readAt: Number(row.read_at),
      })),
    };
  }

  override async number(merchantId: number, seq: bigint, lines: readonly NumberLine[], sums: readonly HourSum[]): Promise<boolean> {
    if (lines.length === 0) return true;
    try {
      await inTransaction(this.#database, async (trx) => {
        await this.#advance(trx, merchantId, seq, seq + BigInt(lines.length));
        if ((await this.#changed(trx, this.#sql.number(seq, lines))) !== lines.length) throw new Overtaken();
        if (sums.length > 0) await this.#changed(trx, this.#sql.addSums(merchantId, await byProviderAndType(trx, sums)));
        await this.#changed(trx, { sql: this.#sql.markMinute, bindings: [merchantId, seq] });
      });
      return true;
    } catch (error) {
      if (error instanceof Overtaken || failureOf(error) === "conflict") return false;
      throw error;
    }
  }

  /** Moves the merchant's last number on; the row it is in keeps competing workers apart. */
  async #advance(trx: Knex.Transaction, merchantId: number, seq: bigint, to: bigint): Promise<void> {
    const moved = await this.#changed(trx, { sql: "UPDATE feed_head SET seq = ? WHERE merchant_id = ? AND seq = ?", bindings: [to, merchantId, seq] });
    if (moved === 1) return;
    const begun = seq === 0n ? await this.#changed(trx, { sql: this.#sql.beginFeed, bindings: [merchantId, to] }) : 0;
    if (begun !== 1) throw new Overtaken();
  }

  async #changed(trx: Knex.Transaction, { sql, bindings }: Statement): Promise<number> {
    const result = await trx.raw(sql, bindings as never);
    return this.#database.dialect === "mysql" ? result[0].affectedRows : result.changes;
  }
}

/** Another worker was faster, or a row is no longer as it was seen: roll back. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

interface StoredSum {
  readonly hour: number;
  readonly providerId: number;
  readonly type: number;
  readonly action: HourSum["action"];
  count: number;
  sumMinor: bigint;
}

/** The sums as `ggr_hour` keeps them: games folded into their provider and type. */
async function byProviderAndType(trx: Knex.Transaction, sums: readonly HourSum[]): Promise<StoredSum[]> {
  const games = new Map<number, { providerId: number; type: number }>();
  for (const game of await trx("games")
    .whereIn("id", [...new Set(sums.map((sum) => sum.gameId))])
    .select("id", "provider_id", "type")) {
    games.set(Number(game.id), { providerId: Number(game.provider_id), type: Number(game.type) });
  }
  const folded = new Map<string, StoredSum>();
  for (const { hour, gameId, action, count, sumMinor } of sums) {
    const game = games.get(gameId);
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

interface ChangeSql {
  /** Column id. */
  waiting(merchantIds: readonly number[]): Statement;
  /** Bindings: merchant, limit. */
  readonly unnumbered: string;
  /** Bindings: merchant, number. Nothing where the feed has begun. */
  readonly beginFeed: string;
  /** Changes each row that is still as it was seen. */
  number(seq: bigint, lines: readonly NumberLine[]): Statement;
  addSums(merchantId: number, sums: readonly StoredSum[]): Statement;
  /** Bindings: merchant, the last number before this minute's first. Nothing where the minute has its mark. */
  readonly markMinute: string;
}

const unnumbered = (dialect: Dialect, index: string): string =>
  `SELECT id, status, action, amount_minor, created_at, game_id, lease_until, next_at, ${nowMs(dialect)} AS read_at
   FROM tx ${index} WHERE merchant_id = ? AND feed_seq IS NULL AND ${stands("tx", dialect)} ORDER BY id LIMIT ?`;

/**
 * One look into the feed's index per merchant, which ends at the first row found: a join or an IN list would read a whole backlog. As a
 * scalar subquery it can't be turned into a join that begins with the rows.
 */
const waiting = (dialect: Dialect, ids: string, index: string): string =>
  `SELECT n.id FROM ${ids} n
   WHERE (SELECT 1 FROM tx ${index} WHERE merchant_id = n.id AND feed_seq IS NULL AND ${stands("tx", dialect)} LIMIT 1) IS NOT NULL`;

const minute = (dialect: Dialect): string => `${nowMs(dialect)} - ${nowMs(dialect)} % ${MINUTE_MS}`;
const sumBindings = (merchantId: number, sums: readonly StoredSum[]): Binding[] =>
  sums.flatMap((sum) => [merchantId, sum.hour, sum.providerId, sum.type, ACTION[sum.action], sum.count, sum.sumMinor]);

const insertSums = (sums: readonly StoredSum[]): string =>
  `INSERT INTO ggr_hour (merchant_id, hour, provider_id, type, action, tx_count, sum_minor) VALUES ${sums.map(() => "(?, ?, ?, ?, ?, ?, ?)").join(", ")}`;

/**
 * One table by ranges of its primary key, each row's number told by its place in the list: a joined table of the lines costs the database
 * half as much again, most of it for reading the text. Ids and numbers are ours, so they stand in it.
 */
function mysqlNumber(seq: bigint, lines: readonly NumberLine[]): Statement {
  const orphans = lines.filter(({ nextAt }) => nextAt !== undefined);
  const due = orphans.length === 0 ? "" : `next_at = CASE id ${orphans.map(({ id, nextAt }) => `WHEN ${id} THEN ${nextAt}`).join(" ")} ELSE next_at END,`;
  const seen = [...new Set(lines.map((line) => line.seen))].map(
    (status) => `(status = ${STATUS[status]} AND id IN (${lines.flatMap((line) => (line.seen === status ? [line.id] : [])).join(",")}))`,
  );
  return {
    sql: `UPDATE tx FORCE INDEX (PRIMARY) SET ${due} feed_seq = ${seq} + FIELD(id, ${lines.map(({ id }) => id).join(",")})
       WHERE (${seen.join(" OR ")}) AND feed_seq IS NULL AND ${stands("tx", "mysql")}`,
    bindings: [],
  };
}

const CHANGE_SQL: Readonly<Record<Dialect, ChangeSql>> = {
  mysql: {
    // The ids are ours, so they stand in the text.
    waiting: (ids) => ({ sql: waiting("mysql", `(SELECT ${ids.join(" AS id UNION ALL SELECT ")} AS id)`, "FORCE INDEX (tx_feed)"), bindings: [] }),
    unnumbered: unnumbered("mysql", "FORCE INDEX (tx_feed)"),
    beginFeed: "INSERT INTO feed_head (merchant_id, seq) VALUES (?, ?) ON DUPLICATE KEY UPDATE seq = feed_head.seq",
    number: mysqlNumber,
    addSums: (merchantId, sums) => ({
      sql: `${insertSums(sums)} ON DUPLICATE KEY UPDATE tx_count = tx_count + VALUES(tx_count), sum_minor = sum_minor + VALUES(sum_minor)`,
      bindings: sumBindings(merchantId, sums),
    }),
    markMinute: `INSERT INTO feed_mark (merchant_id, minute, seq) VALUES (?, ${minute("mysql")}, ?) ON DUPLICATE KEY UPDATE seq = feed_mark.seq`,
  },
  sqlite: {
    waiting: (ids) => ({ sql: waiting("sqlite", "(SELECT value AS id FROM json_each(?))", "INDEXED BY tx_feed"), bindings: [JSON.stringify(ids)] }),
    unnumbered: unnumbered("sqlite", ""),
    beginFeed: "INSERT INTO feed_head (merchant_id, seq) VALUES (?, ?) ON CONFLICT (merchant_id) DO NOTHING",
    number: (seq, lines) => ({
      sql: `WITH n(i, s, z, d) AS MATERIALIZED (SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?))
       UPDATE tx AS o SET feed_seq = n.z, next_at = coalesce(n.d, o.next_at) FROM n WHERE o.id = n.i AND o.feed_seq IS NULL AND o.status = n.s AND ${stands("o", "sqlite")}`,
      bindings: [jsonLines(lines.map((line, i) => [line.id, STATUS[line.seen], seq + BigInt(i) + 1n, line.nextAt ?? null]))],
    }),
    addSums: (merchantId, sums) => ({
      sql: `${insertSums(sums)}
         ON CONFLICT (merchant_id, hour, provider_id, type, action) DO UPDATE SET tx_count = tx_count + excluded.tx_count, sum_minor = sum_minor + excluded.sum_minor`,
      bindings: sumBindings(merchantId, sums),
    }),
    markMinute: `INSERT INTO feed_mark (merchant_id, minute, seq) VALUES (?, ${minute("sqlite")}, ?) ON CONFLICT (merchant_id, minute) DO NOTHING`,
  },
};
