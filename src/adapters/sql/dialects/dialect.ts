import type { Knex } from "knex";
import type { NumberLine } from "../../../ports/transactions/change-store.ts";
import type { GgrQuery } from "../../../ports/transactions/ggr-store.ts";
import type { Connections, PoolSizes } from "../connection/connections.ts";
import type { Failures } from "../connection/failure.ts";
import type { Cell, Row, Statement, StatementResult } from "../connection/statement.ts";
import type { SchemaSql } from "../schema/table.ts";
import type { TransactionStatements } from "../transactions/transaction-statements.ts";
import type { SqlFragments } from "./sql-fragments.ts";

/**
 * All that differs between databases. Each database has a folder beside this file whose `dialect.ts` is one such
 * object; the list of them is in connection/database.ts. The rest of this adapter never asks which database it runs on.
 */
export interface Dialect {
  /** For tests and tools that look into a database. */
  readonly name: "mysql" | "sqlite";
  /** Every DATABASE_URL of such a database begins with it. */
  readonly urlPrefix: string;
  /** The form of such a URL, for messages. */
  readonly urlForm: string;
  /** @throws Error naming what is wrong with the URL, never its password. */
  open(url: string, pools: PoolSizes): Connections;

  /**
   * Runs one statement by the driver.
   *
   * @param connection - of the pool `knex`.
   * @param timeoutMs - without an answer of the server by then, the connection is closed and the statement counts as
   *   lost.
   */
  run(
    connection: unknown,
    statement: Statement,
    timeoutMs: number,
    knex: Knex,
  ): StatementResult | Promise<StatementResult>;
  /** @param silenceMs - the connection is closed when nothing arrives on it for this time. */
  inTransaction<T>(
    knex: Knex,
    run: (db: Knex.Transaction) => Promise<T>,
    config: Knex.TransactionConfig,
    silenceMs: number,
  ): Promise<T>;
  /** The rows in what Knex gives for a raw SELECT. */
  rowsOf(result: unknown): readonly Row[];
  /** The number of rows changed, in what Knex gives for a raw INSERT or UPDATE. */
  changedBy(result: unknown): number;
  readonly failures: Failures;
  /** null: every connection is opened so that a commit survives a power cut. */
  readonly durability: DurabilitySetting | null;

  readonly sql: SqlFragments;
  readonly schema: SchemaSql;
  readonly transactions: TransactionStatements;
  /**
   * Gives the rows the numbers that follow `seq`, in their order, and orphaned ones their due time. Changes each row
   * that is still as it was seen.
   */
  numberRows(seq: bigint, lines: readonly NumberLine[]): Statement;
  /**
   * A table for FROM: of each merchant the `limit` rows with the latest due times. Columns merchant_id and created_at.
   */
  latestDue(merchantIds: readonly number[], limit: number): Statement;
  /**
   * The part of an INSERT after its columns: rows of `columns` cells each, and then of the same expressions in each
   * row.
   */
  insertOf(rows: readonly (readonly Cell[])[], columns: number, same: readonly string[]): Statement;

  readonly snapshot: Snapshot;
  /**
   * Reads a report's sums by player, in the players' order. There may be any number of players; this process holds a
   * page of them at a time.
   *
   * @param read - runs a statement in the report's snapshot `db`.
   * @param page - is called with one page of rows after the other.
   * @param limitMs - a statement that takes longer is given up.
   */
  readPlayers(
    db: Knex.Transaction,
    query: GgrQuery,
    read: Read,
    page: (rows: readonly Row[]) => Promise<void>,
    limitMs: number,
  ): Promise<void>;
}

export type Read = (statement: Statement) => Promise<readonly Row[]>;

/** The server's setting that makes a commit survive a power cut. */
interface DurabilitySetting {
  readonly name: string;
  /** The value with which every acknowledged commit survives. */
  readonly durable: number;
  /** Column value. */
  readonly read: Statement;
  /** Sets it to `durable`. */
  readonly set: Statement;
}

/** How a transaction becomes a snapshot, for reports. */
interface Snapshot {
  readonly config: Knex.TransactionConfig;
  /** Statements to run before the first read. */
  readonly preparation: readonly string[];
  /** A read that takes too long can be ended at the server. */
  readonly cancellable: boolean;
}
