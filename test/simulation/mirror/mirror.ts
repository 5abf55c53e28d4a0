/** Runs the service's own SQL in addition to the memory stores, and compares them. */
import { isDeepStrictEqual } from "node:util";
import { type Database, openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import type { SqliteConnection } from "../../../src/adapters/sql/dialects/sqlite/compiled.ts";
import { SqlChangeStore } from "../../../src/adapters/sql/reports/change-store.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { SqlRoundStore } from "../../../src/adapters/sql/transactions/round-store.ts";
import { SqlSlipStore } from "../../../src/adapters/sql/transactions/slip-store.ts";
import { SqlTransactionStore } from "../../../src/adapters/sql/transactions/transaction-store.ts";
import { SqlTransactionSupport } from "../../../src/adapters/sql/transactions/transaction-support.ts";
import type { Transaction } from "../../../src/domain/transaction/transaction.ts";
import type { ChangeStore, HourSum } from "../../../src/ports/transactions/change-store.ts";
import type { RoundStore } from "../../../src/ports/transactions/round-store.ts";
import type { Slip, SlipStore } from "../../../src/ports/transactions/slip-store.ts";
import type { TransactionStore } from "../../../src/ports/transactions/transaction-store.ts";
import type { TransactionSupport } from "../../../src/ports/transactions/transaction-support.ts";
import type { RunRecord } from "../../../testbed/judge/record.ts";
import { GAMES, PROVIDER } from "../world/world-fixture.ts";

/** The part of the memory store's answers that is compared with SQL's. */
export interface Stores {
  readonly transactions: TransactionStore;
  readonly changes: ChangeStore;
  readonly support: TransactionSupport;
  readonly slips: SlipStore;
  readonly rounds: RoundStore;
}

/**
 * A database that also runs every statement of a run, with the run's virtual time. The run uses the answers of the
 * memory stores, and the database's answers must be equal. So the simulation's results are also valid for the SQL. On
 * SQLite the time function is replaced. On MariaDB the session's time is set.
 */
export class Mirror {
  /** Descriptions of the answers in which the database differs from memory. */
  readonly differences: string[] = [];
  readonly stores: Stores;
  readonly #database: Database;
  readonly #setTime: (ms: number) => Promise<void>;

  private constructor(database: Database, setTime: (ms: number) => Promise<void>) {
    this.#database = database;
    this.#setTime = setTime;
    this.stores = {
      transactions: new SqlTransactionStore(database),
      changes: new SqlChangeStore(database),
      support: new SqlTransactionSupport(database),
      slips: new SqlSlipStore(database),
      rounds: new SqlRoundStore(database),
    };
  }

  /** Opens an empty database, and writes the run's games to it. */
  static async open(url: string): Promise<Mirror> {
    const database = openDatabase(url, { max: 1, recurringMax: 1, decisiveMax: 1 });
    await migrate(database);
    await database
      .knex("providers")
      .insert({ id: PROVIDER.id, code: PROVIDER.code, name: PROVIDER.name, active: 1, epoch: 1 });
    const game = {
      provider_id: PROVIDER.id,
      type: 1,
      demo_available: 0,
      active: 1,
      details: "{}",
      updated_at: 0,
      epoch: 1,
    };
    await database.knex("games").insert(GAMES.map(({ id, code, name }) => ({ ...game, id, code, name })));
    if (database.dialect.name === "mysql") {
      const pools = [database.knex, database.recurring, database.decisive];
      return new Mirror(
        database,
        async (ms) => void (await Promise.all(pools.map((pool) => pool.raw("SET timestamp = ?", [ms / 1_000])))),
      );
    }
    let now = 0;
    const connection: SqliteConnection & { function(name: string, options: object, run: () => number): void } =
      await database.knex.client.acquireConnection();
    connection.function("unixepoch", { varargs: true, directOnly: false }, () => now / 1_000);
    await database.knex.client.releaseConnection(connection);
    return new Mirror(database, async (ms) => {
      now = ms;
    });
  }

  /** Runs the statement on the database and compares its answer with memory's. */
  async compare(what: string, at: number, ours: unknown, ask: () => Promise<unknown>): Promise<void> {
    await this.#setTime(at);
    const theirs = await ask().catch(
      (cause: unknown) => `threw ${cause instanceof Error ? cause.stack : String(cause)}`,
    );
    if (!isDeepStrictEqual(plain(ours), plain(theirs))) this.#differs(what, ours, theirs);
  }

  /** Compares the slips with memory's at the end of a run. */
  async compareSlips(slips: readonly Slip[], at: number): Promise<void> {
    await this.#setTime(at);
    for (const slip of slips) {
      const theirs = plain(await this.stores.slips.read(slip));
      if (!isDeepStrictEqual(plain(slip), theirs)) this.#differs(`the slip ${slip.slipId}`, slip, theirs);
    }
  }

  /** Compares the rows, their numbers and the sums with the record at the end of a run. */
  async compareEnd({ rows, sums }: Pick<RunRecord, "rows" | "sums">, at: number): Promise<void> {
    await this.#setTime(at);
    const keys = [...rows.values()].map(({ transaction: { merchantId, txId } }) => ({ merchantId, txId }));
    const found = keys.length === 0 ? [] : await this.stores.transactions.read(keys);
    for (const [i, { transaction }] of [...rows.values()].entries()) {
      const theirs = found[i] as Transaction | undefined;
      const [ours, there] = [plain(transaction), plain(theirs && { ...theirs, readAt: transaction.readAt })];
      if (!isDeepStrictEqual(ours, there)) this.#differs(`the row ${transaction.txId}`, ours, there);
    }
    const stored: { merchant_id: number; tx_id: string | Buffer; feed_seq: bigint | null }[] = await this.#database
      .knex("tx")
      .select("merchant_id", "tx_id", "feed_seq");
    const numbers = stored
      .map(({ merchant_id, tx_id, feed_seq }) => `${merchant_id}/${tx_id.toString()} ${feed_seq}`)
      .sort();
    const ours = [...rows].map(([key, { feedSeq }]) => `${key} ${feedSeq}`).sort();
    if (!isDeepStrictEqual(ours, numbers)) this.#differs("the numbers", ours, numbers);
    const folds: { merchant_id: number; hour: bigint; sum: bigint }[] = await this.#database
      .knex("ggr_hour")
      .groupBy("merchant_id", "hour", "action")
      .select("merchant_id", "hour")
      .sum("sum_minor as sum");
    const theirs = folds.map(({ merchant_id, hour, sum }) => `${merchant_id} ${hour} ${sum}`).sort();
    const kept = [...sums].flatMap(([merchantId, byKey]) => foldByAction(merchantId, [...byKey.values()])).sort();
    if (!isDeepStrictEqual(kept, theirs)) this.#differs("the sums", kept, theirs);
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #differs(what: string, ours: unknown, theirs: unknown): void {
    this.differences.push(`${what}\n  memory ${text(ours)}\n  SQL    ${text(theirs)}`);
  }
}

/** Adds up the sums of all games by action, because the stored rows don't depend on the games. */
function foldByAction(merchantId: number, sums: readonly HourSum[]): string[] {
  const folded = new Map<string, bigint>();
  for (const { hour, action, sumMinor } of sums)
    folded.set(`${hour}/${action}`, (folded.get(`${hour}/${action}`) ?? 0n) + sumMinor);
  return [...folded].map(([key, sum]) => `${merchantId} ${key.split("/")[0]} ${sum}`);
}

const text = (value: unknown): string => JSON.stringify(plain(value));

/** The value without undefined fields, with fields in a fixed order, and with big integers as text. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, one) =>
      typeof one === "bigint" ? `${one}n` : isRecord(one) ? Object.fromEntries(Object.entries(one).sort()) : one,
    ),
  );
const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
