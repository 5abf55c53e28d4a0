import test from "ava";
import { type Database, openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import type { GameRef } from "../../../src/domain/transaction/transaction.ts";
import type { ProviderCode } from "../../../src/domain/values/identifiers.ts";
import { wholeMs } from "../../../src/domain/values/whole-ms.ts";
import { type DatabaseServer, startDatabaseServer } from "../../../testbed/database/server.ts";

/**
 * The databases of one test file: one per replica of the service, over the same rows. They are closed when the file
 * ends.
 */
export interface Replicas {
  readonly url: string;
  readonly databases: readonly [Database, ...Database[]];
  readonly game: GameRef;
}

/** SQLite in memory: one database for all stores. Call it at the top of a test file. */
export function sqlite(): Promise<Replicas> {
  const open = async (): Promise<Replicas> => {
    const database = openDatabase("sqlite::memory:");
    return { url: "sqlite::memory:", databases: [database], game: await prepare(database) };
  };
  const replicas = open();
  test.after.always(async () => (await replicas).databases[0].close());
  return replicas;
}

/**
 * Starts a MariaDB for one test file and opens one database three times, like three replicas of the service. Call it at
 * the top of a test file.
 */
export function serverReplicas(start: () => Promise<DatabaseServer> = startDatabaseServer): Promise<Replicas> {
  const server = start();
  const open = async (): Promise<Replicas> => {
    const url = await (await server).createDatabase();
    const databases = [openDatabase(url), openDatabase(url), openDatabase(url)] as const;
    return { url, databases, game: await prepare(databases[0]) };
  };
  const replicas = open();
  // SQLite works without a pause. While its tests run, a connection to the server would exceed its time limit.
  test.before(() => replicas.then(() => {}));
  test.after.always(async () => {
    for (const database of (await replicas).databases) await database.close();
    await (await server).stop();
  });
  return replicas;
}

/** Migrates an empty database and adds a provider with a game, for transactions. */
async function prepare(database: Database): Promise<GameRef> {
  await migrate(database);
  await database.knex("providers").insert({ code: "ACME", name: "Acme", active: 1, epoch: 1 });
  const provider = await database.knex("providers").where({ code: "ACME" }).first("id");
  await database.knex("games").insert({
    provider_id: provider.id,
    code: "fruits",
    name: "Fruits",
    type: 1,
    demo_available: 1,
    active: 1,
    details: "{}",
    updated_at: 0,
    epoch: 1,
  });
  const game = await database.knex("games").where({ code: "fruits" }).first("id");
  return { id: Number(game.id), code: "fruits", providerId: Number(provider.id), provider: "ACME" as ProviderCode };
}

let merchants = 0;
/** Merchant numbers that no other test of the file uses. */
export const freshMerchants = (): { merchantId: number; otherMerchantId: number } => ({
  merchantId: ++merchants,
  otherMerchantId: ++merchants,
});

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes one object for each replica. */
export const perReplica = <T>(
  { databases: [first, ...more] }: Replicas,
  create: (database: Database) => T,
): readonly [T, ...T[]] => [create(first), ...more.map(create)];

const ACTIONS = [undefined, "bet", "win", "refund", "rollback"] as const;

/** The numbers of a merchant's rows, in the order of their insertion; null: the row has no number. */
export async function numbers(database: Database, merchantId: number): Promise<(bigint | null)[]> {
  const rows = await database.knex("tx").where({ merchant_id: merchantId }).orderBy("id").select("feed_seq");
  return rows.map((row) => (row.feed_seq === null ? null : BigInt(row.feed_seq)));
}

/** The merchant's last number; 0: it has none. */
export async function lastNumber(database: Database, merchantId: number): Promise<bigint> {
  const head = await database.knex("feed_head").where({ merchant_id: merchantId }).first("seq");
  return BigInt(head?.seq ?? 0);
}

/** A merchant's rows of `ggr_hour`. */
export async function storedSums(database: Database, merchantId: number) {
  const rows = await database.knex("ggr_hour").where({ merchant_id: merchantId });
  return rows.map((row) => ({
    hour: wholeMs(Number(row.hour)),
    action: ACTIONS[Number(row.action)] as NonNullable<(typeof ACTIONS)[number]>,
    count: Number(row.tx_count),
    sumMinor: BigInt(row.sum_minor),
  }));
}
