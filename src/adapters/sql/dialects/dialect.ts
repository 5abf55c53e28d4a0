import type { Knex } from "knex";
import type { Numbering } from "../../../ports/transactions/change-store.ts";
import type { GgrQuery } from "../../../ports/transactions/ggr-store.ts";
import type { Connections, PoolSizes } from "../connection/connections.ts";
import type { Failures } from "../connection/failure.ts";
import type { Cell, Row, Statement, StatementResult } from "../connection/statement.ts";
import type { SchemaSql } from "../schema/table.ts";
import type { TransactionStatements } from "../transactions/transaction-statements.ts";
import type { SqlFragments } from "./sql-fragments.ts";

/**
 * Everything that differs between databases. Each database has a folder beside this file. Its `dialect.ts` is one
 * object of this type. connection/database.ts has the list of these objects. The rest of this adapter works without
 * knowing which database it uses.
 */
export interface Dialect {
  /** The name of the kind of database, for tests and tools. */
  readonly name: "mysql" | "sqlite";
  /** Every DATABASE_URL of this kind of database begins with this text. */
  readonly urlPrefix: string;
  /** @throws DatabaseUrlError. */
  open(url: string, pools: PoolSizes): Connections;

  /**
   * Runs one statement by the driver.
   *
   * @param connection - a connection of the pool `knex`.
   * @param timeoutMs - if the server has not answered after this time, the connection is closed and the statement
   *   counts as lost.
   */
  run(
    connection: unknown,
    statement: Statement,
    timeoutMs: number,
    knex: Knex,
  ): StatementResult | Promise<StatementResult>;
  /**
   * @param silenceMs - the connection is closed when nothing arrives on it for this time.
   * @param openMaxS - the server ends the transaction when it gets no statement of it for this time.
   */
  inTransaction<T>(
    knex: Knex,
    run: (db: Knex.Transaction) => Promise<T>,
    config: Knex.TransactionConfig,
    silenceMs: number,
    openMaxS: number,
  ): Promise<T>;
  /** The rows in Knex's result for a raw SELECT. */
  rowsOf(result: unknown): readonly Row[];
  /** The number of changed rows in Knex's result for a raw INSERT or UPDATE. */
  changedBy(result: unknown): number;
  readonly failures: Failures;
  /** Why the service must not use this database; undefined: it may. */
  refusal(knex: Knex): Promise<string | undefined>;
  /**
   * The settings of the server that stores the rows, on which durability and isolation rest, as far as they are wrong or
   * cannot be read.
   */
  serverFaults(read: Read): Promise<readonly ServerFault[]>;

  readonly sql: SqlFragments;
  readonly schema: SchemaSql;
  readonly transactions: TransactionStatements;
  /**
   * Gives each merchant's rows the numbers that follow its `seq`, in the order of the lines, and gives orphaned rows
   * their due time. It changes only rows that have not changed since they were read.
   */
  numberRows(numberings: readonly Numbering[]): Statement;
  /**
   * A table for FROM: for each merchant, the `limit` rows with the latest due times. It has the columns merchant_id and
   * created_at.
   */
  latestDue(merchantIds: readonly number[], limit: number): Statement;
  /** The part of an INSERT after its columns. Each row has `columns` cells, and then the expressions `same`. */
  insertOf(rows: readonly (readonly Cell[])[], columns: number, same: readonly string[]): Statement;

  readonly snapshot: Snapshot;
  /**
   * Reads a report's sums by player, in the players' order. There may be any number of players, so this process reads
   * one page of them at a time.
   *
   * @param read - runs a statement in the report's snapshot `db`.
   * @param page - called with one page of rows after the other.
   * @param limitMs - the time limit of each statement.
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

/** A setting of the database server that is wrong. */
export interface ServerFault {
  readonly name: string;
  /** Its value; `unknown`: the server does not show it. */
  readonly found: string;
  /** For people: what it must be. */
  readonly wanted: string;
  /** What can happen because of it. */
  readonly risk: string;
  /** A statement that sets it to `wanted`. Absent: only the server's configuration can. */
  readonly set?: Statement;
}

/** How a transaction becomes a snapshot, for reports. */
interface Snapshot {
  readonly config: Knex.TransactionConfig;
  /** Whether a read that takes too long can be ended at the server. */
  readonly cancellable: boolean;
}
