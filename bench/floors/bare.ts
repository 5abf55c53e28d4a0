/**
 * Floor: the whole service, but a bet is only its two durable statements: a claim and a settle, in a table with one key.
 * Nothing of the bet's history can be read. So other layouts of the tables can hardly cost less. It supports only bets,
 * and only on MariaDB and MySQL.
 */
import type { Knex } from "knex";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import type { Statement } from "../../src/adapters/sql/connection/statement.ts";
import { SqlTransactionStore } from "../../src/adapters/sql/transactions/transaction-store.ts";
import { readConfig } from "../../src/config.ts";
import { TransactionStore } from "../../src/ports/transactions/transaction-store.ts";
import { startService } from "../../src/service.ts";

const TABLE = "bare_tx";

/** The table tx with the same columns, but without row number. Its only key is the transaction's id. */
async function createBareTable(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE ${TABLE} LIKE tx`);
  const [keys] = await knex.raw(`SHOW INDEX FROM ${TABLE} WHERE Seq_in_index = 1`);
  const others = (keys as { Key_name: string }[]).map(({ Key_name }) => Key_name).filter((name) => name !== "tx_key");
  const drops = others.map((name) => (name === "PRIMARY" ? "DROP COLUMN id" : `DROP INDEX ${name}`));
  await knex.raw(`ALTER TABLE ${TABLE} ${drops.join(", ")}`);
}

/** The same database, but claims and settles go to the bare table. */
function bare(database: Database): Database {
  const { dialect } = database;
  const there = (statement: Statement): Statement => {
    const sql = statement.sql.replaceAll(/\btx\b/g, TABLE);
    if (sql === statement.sql) throw new Error(`this statement does not name the table tx: ${sql}`);
    return { ...statement, sql };
  };
  const transactions: typeof dialect.transactions = {
    ...dialect.transactions,
    claim: (lines) => there(dialect.transactions.claim(lines)),
    settle: (lines) => there(dialect.transactions.settle(lines)),
  };
  return { ...database, dialect: { ...dialect, transactions } };
}

const config = readConfig(process.env);
const database = openDatabase(config.databaseUrl);
await createBareTable(database.knex);
const store = new SqlTransactionStore(bare(database));
const service = await startService(config, {
  adjust: (container) => container.onActivation(TransactionStore, () => store),
});
process.once("SIGTERM", () => void service.stop().then(() => process.exit(0)));
