/** Sums by player, in the players' order: any number of players, of which this process holds a page at a time. */
import type { Knex } from "knex";
import type { GgrQuery } from "../../../ports/transactions/ggr-store.ts";
import type { Dialect } from "../connection/database.ts";
import type { Row, Statement } from "../connection/statement.ts";
import { textOf } from "../schema/columns.ts";
import { hoursBetween } from "./ggr-hours.ts";
import { everythingInOrder, playersBehind, playersSums } from "./ggr-statements.ts";

const PLAYERS_AT_ONCE = 250;
const ROWS_AT_ONCE = 1_000;

type Read = (statement: Statement) => Promise<readonly Row[]>;
type Page = (rows: readonly Row[]) => Promise<void>;

/** @param page - is given one page after the other. */
export const readPlayers = (db: Knex.Transaction, dialect: Dialect, query: GgrQuery, read: Read, page: Page): Promise<void> =>
  dialect === "mysql" ? streamed(db, query, page) : paged(query, read, page);

/** The server sums up and sorts all players once; what it has comes row by row. */
async function streamed(db: Knex.Transaction, query: GgrQuery, page: Page): Promise<void> {
  const { sql, bindings } = everythingInOrder("mysql", query, hoursBetween(query.bounds));
  const stream = db.raw(sql, bindings as never).stream({ highWaterMark: ROWS_AT_ONCE });
  let rows: Row[] = [];
  let fault: { readonly cause: unknown } | undefined;
  const end = async (): Promise<void> => {
    const full = rows;
    rows = [];
    // Whatever becomes of a page: the connection can be used again only when all rows have been read off it.
    if (fault === undefined) await page(full).catch((cause) => void (fault = { cause }));
  };
  for await (const row of stream as AsyncIterable<Row>) {
    rows.push(row);
    if (rows.length === ROWS_AT_ONCE) await end();
  }
  if (rows.length > 0) await end();
  if (fault !== undefined) throw fault.cause;
}

/** SQLite runs a statement to its end before anything else has its turn, so each is about few players. */
async function paged(query: GgrQuery, read: Read, page: Page): Promise<void> {
  const hours = hoursBetween(query.bounds);
  for (let after = ""; ; ) {
    const players = await read(playersBehind("sqlite", query, hours, after, PLAYERS_AT_ONCE));
    const last = players.at(-1);
    if (last === undefined) return;
    const to = textOf(last.k as string | Buffer);
    await page(await read(playersSums("sqlite", query, hours, after, to)));
    await new Promise((resolve) => setImmediate(resolve));
    if (players.length < PLAYERS_AT_ONCE) return;
    after = to;
  }
}
