import type { Knex } from "knex";
import type { GgrQuery } from "../../../../ports/transactions/ggr-store.ts";
import type { Row } from "../../connection/statement.ts";
import { hoursBetween } from "../../reports/ggr-hours.ts";
import { nextPlayers, sumsOfPlayers } from "../../reports/ggr-statements.ts";
import { textOf } from "../../schema/columns.ts";
import type { Read } from "../dialect.ts";
import { sqliteFragments } from "./sql-fragments.ts";

const PLAYERS_PER_PAGE = 250;

/** Reads the players in small groups, because SQLite blocks this process until a statement ends. */
export async function readSqlitePlayers(
  _db: Knex.Transaction,
  query: GgrQuery,
  read: Read,
  page: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  const hours = hoursBetween(query.bounds);
  for (let after = ""; ; ) {
    const players = await read(nextPlayers(sqliteFragments, query, hours, after, PLAYERS_PER_PAGE));
    const last = players.at(-1);
    if (last === undefined) return;
    const to = textOf(last.k);
    await page(await read(sumsOfPlayers(sqliteFragments, query, hours, after, to)));
    await new Promise((resolve) => setImmediate(resolve));
    if (players.length < PLAYERS_PER_PAGE) return;
    after = to;
  }
}
