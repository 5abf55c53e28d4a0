import type { Database } from "../../src/adapters/sql/connection/database.ts";
import { Inventor } from "./invent-hour.ts";
import { type HistoryPlan, HOUR_MS } from "./plan.ts";
import { MARK_COLUMNS, RowWriter, SUM_COLUMNS, TX_COLUMNS, TX_SET } from "./rows.ts";
import { TableLoader } from "./table-loader.ts";

const SAY_EVERY_MS = 5_000;

/**
 * Writes the history into the empty tables of a migrated database. Returns the number of transactions. The keys of `tx`
 * are built after its rows are written, because building a key at once, in its own order, is faster.
 */
export async function writeHistory(
  database: Database,
  databaseUrl: string,
  plan: HistoryPlan,
  log: (text: string) => void,
): Promise<number> {
  const { knex } = database;
  const keys = await keysOf(database);
  await knex.raw(`ALTER TABLE tx ${keys.map(({ name }) => `DROP KEY ${name}`).join(", ")}`);
  const writer = new RowWriter(plan.seed);
  await load(databaseUrl, plan, writer, log);
  // The history has no failed credits, so there is no stuck money to find in it.
  await knex.raw(
    `INSERT INTO feed_head (merchant_id, seq, stuck_seq) VALUES ${writer.heads.map(() => "(?, ?, ?)").join(",")}`,
    writer.heads.flatMap(([merchantId, seq]) => [merchantId, seq, seq]),
  );

  log(`${keys.length} keys of tx, ...`);
  const beganAt = performance.now();
  await knex.raw(`ALTER TABLE tx ${keys.map(({ definition }) => `ADD ${definition}`).join(", ")}`);
  await knex.raw("ANALYZE TABLE tx, ggr_hour, feed_mark");
  log(`keys and statistics after ${Math.round((performance.now() - beganAt) / 1_000)} s`);
  return writer.written;
}

interface Key {
  readonly name: string;
  /** The definition in CREATE TABLE. */
  readonly definition: string;
}

async function keysOf({ knex }: Database): Promise<Key[]> {
  const [[shown]] = await knex.raw("SHOW CREATE TABLE tx");
  const text = String(shown["Create Table"]);
  return [...text.matchAll(/^ {2}((?:UNIQUE )?KEY `(\w+)` \(.*\)),?$/gm)].map(([, definition = "", name = ""]) => ({
    name,
    definition,
  }));
}

async function load(
  databaseUrl: string,
  plan: HistoryPlan,
  writer: RowWriter,
  log: (text: string) => void,
): Promise<void> {
  const tx = await TableLoader.open(databaseUrl, "tx", TX_COLUMNS, TX_SET);
  const marks = await TableLoader.open(databaseUrl, "feed_mark", MARK_COLUMNS);
  const sums = await TableLoader.open(databaseUrl, "ggr_hour", SUM_COLUMNS);
  const inventor = new Inventor(plan);
  const beganAt = performance.now();
  let loggedAt = beganAt;
  for (let hour = plan.from; hour < plan.until; hour += HOUR_MS) {
    const lines = writer.write(inventor.hour(hour));
    await tx.write(lines.tx);
    await marks.write(lines.marks);
    await sums.write(lines.sums);
    if (performance.now() - loggedAt < SAY_EVERY_MS) continue;
    loggedAt = performance.now();
    const share = (hour - plan.from) / (plan.until - plan.from);
    log(
      `${Math.round(share * 100)} % of the year, ${writer.written} transactions, ${Math.round(writer.written / ((loggedAt - beganAt) / 1_000))} a second`,
    );
  }
  log(`${writer.written} transactions invented; the server finishes them ...`);
  await Promise.all([tx.end(), marks.end(), sums.end()]);
  log(`loaded after ${Math.round((performance.now() - beganAt) / 1_000)} s`);
}
