/** What a test needs to examine the databases' plans for the statements of a store. */
import type { Knex } from "knex";
import type { Database } from "../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../src/adapters/sql/connection/driver.ts";
import type { Row, Statement } from "../../../src/adapters/sql/connection/statement.ts";

/** The same database, with a record of the statements that one of its pools runs. */
export function observed(
  database: Database,
  pool: "selecting" | "knex" = "selecting",
): { readonly database: Database; readonly statements: Statement[] } {
  const statements: Statement[] = [];
  const { client } = database[pool];
  const real = new Map<unknown, unknown>();
  const watching = {
    client: {
      async acquireConnection() {
        const connection = await client.acquireConnection();
        const watched = {
          query: (sql: string, bindings: Statement["bindings"], done: unknown) => {
            statements.push({ sql, bindings });
            connection.query(sql, bindings, done);
          },
          prepare: (sql: string) => {
            const prepared = connection.prepare(sql);
            const run = (how: "all" | "run") => (bindings: Statement["bindings"]) => {
              statements.push({ sql, bindings });
              return prepared[how](bindings);
            };
            return { reader: prepared.reader, all: run("all"), run: run("run") };
          },
        };
        real.set(watched, connection);
        return watched;
      },
      releaseConnection: (watched: unknown) => client.releaseConnection(real.get(watched)),
    },
  } as unknown as Knex;
  return { database: { ...database, [pool]: watching }, statements };
}

/**
 * One step of a plan: the table or alias, its index, and the database's whole text. MariaDB's text also has the way in
 * which the index is read.
 */
export interface Step {
  readonly table: string;
  readonly index: string;
  readonly text: string;
}

export async function planOf(database: Database, { sql, bindings }: Statement): Promise<Step[]> {
  const explain = database.dialect.name === "mysql" ? "EXPLAIN" : "EXPLAIN QUERY PLAN";
  const { rows } = await byDriver(database.knex, database.dialect, { sql: `${explain} ${sql}`, bindings });
  return rows.map(database.dialect.name === "mysql" ? mysqlStep : sqliteStep);
}

const mysqlStep = (row: Row): Step => ({
  table: String(row.table),
  index: String(row.key),
  text: `${row.type === "ALL" || row.type === "index" ? "SCAN " : ""}${row.Extra}`.replace("Using filesort", "SORT"),
});

const sqliteStep = ({ detail }: Row): Step => {
  const text = String(detail).replace(/USE TEMP B-TREE FOR (LAST TERM OF )?ORDER BY/, "SORT");
  return { table: /(?:SEARCH|SCAN) (\w+)/.exec(text)?.[1] ?? "", index: /INDEX (\w+)/.exec(text)?.[1] ?? "", text };
};
