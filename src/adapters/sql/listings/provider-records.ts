import type { TxId } from "../../../domain/values/identifiers.ts";
import {
  type MerchantOfRound,
  ProviderRecords,
  type RecordedTransaction,
  type RoundName,
} from "../../../ports/transactions/provider-records.ts";
import type { ListPosition } from "../../../ports/transactions/transaction-reader.ts";
import { chunks } from "../connection/chunks.ts";
import type { Database } from "../connection/database.ts";
import { decisiveRows, selectedRows } from "../connection/execute.ts";
import { FairQueue, type QueueLimits } from "../connection/fair-queue.ts";
import { marks, type Row, type Statement } from "../connection/statement.ts";
import { ACTION, STATUS } from "../schema/codes.ts";
import { numberOrNull, textOf } from "../schema/columns.ts";
import { GameRefs } from "../transactions/game-refs.ts";
import { listed, listedColumns } from "./listed-rows.ts";
import { inOrder } from "./selection.ts";

/** The creation of a round's first bet that was not rejected. */
export const ROUND_OPENED_AT = `MIN(CASE WHEN action = ${ACTION.bet} AND status IN (${STATUS.pending}, ${STATUS.success}) THEN created_at END)`;

/** The number of merchants in one statement. */
const MERCHANTS_AT_ONCE = 500;

/**
 * A round may have any number of rows, and a question without a merchant searches all merchants. So these reads use
 * the connections for long reads, and 2 of these 4 stay free for listings.
 */
const QUEUE_LIMITS: QueueLimits = {
  runningMax: 2,
  runningPerCaller: 1,
  waitingMax: 512,
  waitMs: 5_000,
  perCaller: 128,
};

/** Reads rows of `tx` by the key and by the round. */
export class SqlProviderRecords extends ProviderRecords {
  readonly #database: Database;
  readonly #games: GameRefs;
  readonly #queue = new FairQueue(QUEUE_LIMITS);

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#games = new GameRefs(database);
  }

  override async transactions(merchantIds: readonly number[], txId: TxId): Promise<RecordedTransaction[]> {
    const statement = (some: readonly number[]): Statement => ({
      sql: `${this.#select("key")} WHERE o.merchant_id IN (${marks(some)}) AND o.tx_id = ?`,
      bindings: [...some, txId],
    });
    // One row by its key is as cheap as a repeat of the transaction, so it does not wait for long reads.
    if (merchantIds.length === 1) return this.#recorded(await decisiveRows(this.#database, statement(merchantIds)));
    const found: RecordedTransaction[] = [];
    const [provider = ""] = txId.split(":", 1);
    for (const some of chunks(merchantIds, MERCHANTS_AT_ONCE))
      found.push(...(await this.#recorded(await this.#read(provider, statement(some)))));
    return found;
  }

  override async merchantsOfRound(
    merchantIds: readonly number[],
    { providerId, roundId }: RoundName,
  ): Promise<MerchantOfRound[]> {
    const found: MerchantOfRound[] = [];
    for (const some of chunks(merchantIds, MERCHANTS_AT_ONCE)) {
      const rows = await this.#read(providerId, {
        sql: `SELECT merchant_id, MAX(CASE WHEN status <> ${STATUS.void} THEN 1 ELSE 0 END) AS found,
            ${ROUND_OPENED_AT} AS opened_at
          FROM tx ${this.#database.dialect.sql.byIndex("round")}
          WHERE merchant_id IN (${marks(some)}) AND round_id = ? AND provider_id = ?
            AND (status <> ${STATUS.void} OR reversed_by IS NOT NULL)
          GROUP BY merchant_id`,
        bindings: [...some, roundId, providerId],
      });
      for (const row of rows)
        found.push({
          merchantId: Number(row.merchant_id),
          hasTransactions: Number(row.found) === 1,
          openedAt: numberOrNull(row.opened_at),
        });
    }
    return found;
  }

  override async round(
    merchantId: number,
    { providerId, roundId }: RoundName,
    after: ListPosition | undefined,
    limit: number,
  ): Promise<RecordedTransaction[]> {
    const behind =
      after === undefined
        ? { sql: "", bindings: [] }
        : {
            sql: " AND o.created_at >= ? AND (o.created_at > ? OR o.id > ?)",
            bindings: [after.createdAt, after.createdAt, after.id],
          };
    return this.#recorded(
      await this.#read(providerId, {
        sql: `${this.#select("round")}
          WHERE o.merchant_id = ? AND o.round_id = ? AND o.provider_id = ? AND o.status <> ${STATUS.void}${behind.sql}
          ORDER BY ${inOrder("asc", "o.")} LIMIT ?`,
        bindings: [merchantId, roundId, providerId, ...behind.bindings, limit],
      }),
    );
  }

  #select(index: "key" | "round"): string {
    const { byIndex, nowMs } = this.#database.dialect.sql;
    return `SELECT ${listedColumns("o")}, p.player_ref, ${nowMs} AS read_at FROM tx o ${byIndex(index)}
      JOIN players p ON p.merchant_id = o.merchant_id AND p.player_id = o.player_id`;
  }

  /** @param caller - whose reads are limited together. */
  #read(caller: number | string, statement: Statement): Promise<readonly Row[]> {
    return this.#queue.run(caller, () => selectedRows(this.#database, statement));
  }

  async #recorded(rows: readonly Row[]): Promise<RecordedTransaction[]> {
    const found = await listed(this.#games, rows);
    return found.map(({ id, transaction }, i) => ({ id, transaction, playerRef: textOf(rows[i]?.player_ref) }));
  }
}
