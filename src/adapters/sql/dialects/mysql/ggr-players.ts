import type { Knex } from "knex";
import type { GgrQuery } from "../../../../ports/transactions/ggr-store.ts";
import type { Row } from "../../connection/statement.ts";
import { hoursBetween } from "../../reports/ggr-hours.ts";
import { allRowsInOrder } from "../../reports/ggr-statements.ts";
import type { Read } from "../dialect.ts";
import { mysqlFragments } from "./sql-fragments.ts";

const ROWS_PER_PAGE = 1_000;

/**
 * Reads all players with one statement. The server sums up and sorts all players once, and its rows arrive one by one.
 */
export async function readMysqlPlayers(
  db: Knex.Transaction,
  query: GgrQuery,
  _read: Read,
  page: (rows: readonly Row[]) => Promise<void>,
  limitMs: number,
): Promise<void> {
  const { sql, bindings } = allRowsInOrder(mysqlFragments, query, hoursBetween(query.bounds));
  const stream = db.raw(limited(sql, limitMs), bindings as never).stream({ highWaterMark: ROWS_PER_PAGE });
  let rows: Row[] = [];
  let fault: { readonly cause: unknown } | undefined;
  const endPage = async (): Promise<void> => {
    const full = rows;
    rows = [];
    // After a fault the read goes on to its end, because the connection can be used again only after all rows have been
    // read.
    if (fault === undefined) await page(full).catch((cause) => void (fault = { cause }));
  };
  for await (const row of stream as AsyncIterable<Row>) {
    rows.push(row);
    if (rows.length === ROWS_PER_PAGE) await endPage();
  }
  if (rows.length > 0) await endPage();
  if (fault !== undefined) throw fault.cause;
}

/**
 * The server's time limit for one SELECT, because the driver has no time limit for rows that arrive one by one. MariaDB
 * runs the text of the first comment, MySQL reads the second one, and Vitess the third. The limit does not stay on the
 * connection.
 */
const limited = (select: string, limitMs: number): string =>
  `/*M! SET STATEMENT max_statement_time = ${limitMs / 1_000} FOR */ ${select.replace(/^\s*SELECT/, `SELECT /*+ MAX_EXECUTION_TIME(${limitMs}) */ /*vt+ QUERY_TIMEOUT_MS=${limitMs} */`)}`;
