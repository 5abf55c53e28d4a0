import type { Knex } from "knex";
import type { TxKey } from "../../domain/identifiers.ts";
import type { NewAuditEntry } from "../../ports/admin-store.ts";
import type { AttemptResult } from "../../ports/transaction-store.ts";
import {
  type ListedTransaction,
  type LoggedTransaction,
  type ResolveLine,
  type TransactionQuery,
  TransactionSupport,
} from "../../ports/transaction-support.ts";
import { readLog } from "./attempt-log.ts";
import { AUDIT_COLUMNS, auditToCells } from "./audit-rows.ts";
import { ACTION, STATUS } from "./codes.ts";
import { nowMs } from "./columns.ts";
import type { Database } from "./database.ts";
import { GameRefs } from "./game-refs.ts";
import { insertRows } from "./insert-rows.ts";
import { mysqlTransactionStatements } from "./mysql-transaction-statements.ts";
import { repeating } from "./retry.ts";
import { COLUMNS, toTransaction } from "./rows.ts";
import { sqliteTransactionStatements } from "./sqlite-transaction-statements.ts";
import { type Binding, decisiveRows, type Row } from "./statement.ts";
import type { TransactionStatements } from "./transaction-statements.ts";

/** Support's view of the rows of `tx`. */
export class SqlTransactionSupport extends TransactionSupport {
  readonly #database: Database;
  readonly #games: GameRefs;
  readonly #now: string;
  readonly #statements: Pick<TransactionStatements, "resolve">;

  constructor(database: Database) {
    super();
    this.#database = database;
    this.#games = new GameRefs(database);
    this.#now = nowMs(database.dialect);
    this.#statements = database.dialect === "mysql" ? mysqlTransactionStatements : sqliteTransactionStatements;
  }

  override async find({ merchantId, txId }: TxKey): Promise<LoggedTransaction | undefined> {
    const columns = [...COLUMNS, "id", "last_result", "attempt_log"].join(", ");
    const sql = `SELECT ${columns}, ${this.#now} AS read_at FROM tx WHERE merchant_id = ? AND tx_id = ? AND status <> ${STATUS.void}`;
    const [row] = await decisiveRows(this.#database, { sql, bindings: [merchantId, txId] });
    if (row === undefined) return undefined;
    await this.#games.load([Number(row.game_id)]);
    return { ...this.#listed(row), log: readLog(row.attempt_log as string | null) };
  }

  override async list(query: TransactionQuery, limit: number): Promise<ListedTransaction[]> {
    const { sql, bindings } = conditions(query);
    const columns = [...COLUMNS, "id", "last_result"].map((name) => `o.${name}`).join(", ");
    // The page is found in an index alone; its rows are read once it is known.
    const page = `SELECT id FROM tx WHERE ${sql} ORDER BY created_at DESC, id DESC LIMIT ?`;
    const rows = await decisiveRows(this.#database, {
      sql: `SELECT ${columns}, ${this.#now} AS read_at FROM (${page}) p JOIN tx o ON o.id = p.id ORDER BY o.created_at DESC, o.id DESC`,
      bindings: [...bindings, limit],
    });
    await this.#games.load(rows.map((row) => Number(row.game_id)));
    return rows.map((row) => this.#listed(row));
  }

  override async resolve(line: ResolveLine, audit: NewAuditEntry): Promise<boolean> {
    try {
      await repeating(() => this.#database.knex.transaction((db) => this.#resolve(db, line, audit)));
      return true;
    } catch (cause) {
      if (!(cause instanceof NotAsSeen)) throw cause;
      // It may be this very line, stored by a try whose answer was lost.
      const now = await this.find(line.key);
      return now?.transaction.leaseToken === line.token;
    }
  }

  async #resolve(db: Knex.Transaction, line: ResolveLine, audit: NewAuditEntry): Promise<void> {
    const { sql, bindings } = this.#statements.resolve(line);
    const result = await db.raw(sql, bindings as never);
    const changed = this.#database.dialect === "mysql" ? result[0].affectedRows : result.changes;
    if (changed !== ((line.reversed?.change ?? null) === null ? 1 : 2)) throw new NotAsSeen();
    await insertRows(db, this.#database.dialect, { table: "audit", columns: AUDIT_COLUMNS, rows: [auditToCells(audit)], same: { at: this.#now } });
  }

  #listed(row: Row): ListedTransaction {
    return {
      id: BigInt(row.id as string | bigint),
      transaction: toTransaction(row, this.#games),
      lastResult: row.last_result === null ? null : (row.last_result as AttemptResult),
    };
  }
}

/** A row is no longer as it was seen: roll back. */
class NotAsSeen extends Error {
  override readonly name = "NotAsSeen";
}

function conditions(query: TransactionQuery): { readonly sql: string; readonly bindings: readonly Binding[] } {
  const found: string[] = [`merchant_id = ? AND status <> ${STATUS.void}`];
  const bindings: Binding[] = [query.merchantId];
  const where = <T>(value: T | undefined, sql: string, bind: (value: T) => Binding | readonly Binding[]): void => {
    if (value === undefined) return;
    found.push(sql);
    bindings.push(...[bind(value)].flat());
  };
  const same = <T>(value: T): T => value;
  where(query.from, "created_at >= ?", same);
  where(query.to, "created_at < ?", same);
  where(query.status, "status = ?", (status) => STATUS[status]);
  where(query.action, "action = ?", (action) => ACTION[action]);
  where(query.playerId, "player_id = ?", same);
  where(query.roundId, "round_id = ?", same);
  where(query.txId, "tx_id = ?", same);
  where(query.refTxId, "ref_tx_id = ?", same);
  where(query.provider, "provider_id IN (SELECT id FROM providers WHERE code = ?)", same);
  where(query.game, "game_id IN (SELECT id FROM games WHERE code = ?)", same);
  where(query.after, "created_at <= ? AND (created_at < ? OR id < ?)", ({ createdAt, id }) => [createdAt, createdAt, id]);
  return { sql: found.join(" AND "), bindings };
}
