/**
 * The feed, while sequencers and writers of several replicas run. Each of them is a process that the test kills many
 * times.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import test from "ava";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { SqlTransactionReader } from "../../src/adapters/sql/listings/transaction-reader.ts";
import { migrate } from "../../src/adapters/sql/schema/migrate.ts";
import { SqlTransactionStore } from "../../src/adapters/sql/transactions/transaction-store.ts";
import { SystemClock } from "../../src/adapters/system/system-clock.ts";
import { Transactions } from "../../src/app/merchant/transactions.ts";
import { ResendTransaction } from "../../src/app/transaction/resend-transaction.ts";
import type { GameRef, Transaction } from "../../src/domain/transaction/transaction.ts";
import type { ProviderCode } from "../../src/domain/values/identifiers.ts";
import { unendedRounds } from "../../testbed/callers/rest-server.ts";
import type { Job } from "../../testbed/database/feed-process.ts";
import { startDatabaseServer } from "../../testbed/database/server.ts";
import { RecordedTelemetry } from "../../testbed/in-process/recorded-telemetry.ts";

const MERCHANT = { id: 1, code: "casa-br" };
const KILLS = 6;
const PAUSE_MS = 250;

/**
 * A merchant's copy of a transaction. A credit that was sent again is a new version, even when it has the same end as
 * before.
 */
const stateOf = (row: Transaction): string =>
  [row.status, row.status === "failed" ? row.error : "", row.resolvedBy, row.openedAt].join(" ");

async function prepare(database: Database): Promise<GameRef> {
  await migrate(database);
  await database.knex("providers").insert({ code: "ACME", name: "Acme", active: 1, epoch: 1 });
  const { id: providerId } = await database.knex("providers").where({ code: "ACME" }).first("id");
  const game = { name: "", type: 1, demo_available: 1, active: 1, details: "{}", updated_at: 0, epoch: 1 };
  await database.knex("games").insert({ ...game, provider_id: providerId, code: "fruits" });
  const { id } = await database.knex("games").where({ code: "fruits" }).first("id");
  return { id: Number(id), code: "fruits", providerId: Number(providerId), provider: "ACME" as ProviderCode };
}

/** A merchant that follows the feed, and calls another replica each time. */
class Follower {
  readonly seen = new Map<string, string>();
  readonly faults: string[] = [];
  rowsRead = 0;
  behindMs = Number.POSITIVE_INFINITY;
  #cursor: string | null = null;
  #turn = 0;
  readonly #replicas: readonly Transactions[];

  constructor(databases: readonly Database[]) {
    const clock = new SystemClock();
    this.#replicas = databases.map((database) => {
      const reader = new SqlTransactionReader(database);
      const resend = new ResendTransaction(reader, new SqlTransactionStore(database), { changed: () => {} }, 0);
      return new Transactions(reader, resend, unendedRounds(database), clock, new RecordedTelemetry());
    });
  }

  /** Reads the next page, and returns the number of its rows. */
  async read(limit: number): Promise<number> {
    const replica = this.#replicas[this.#turn++ % this.#replicas.length] as Transactions;
    const start = this.#cursor === null ? { updated_since: "2026-01-01T00:00:00Z" } : { cursor: this.#cursor };
    const query = replica.read(MERCHANT, { ...start, limit: String(limit) });
    if (!query.ok) throw new Error(JSON.stringify(query));
    const page = await replica.list(MERCHANT, query.value);
    if (!page.ok || page.value.nextCursor === null || page.value.behindMs === null)
      throw new Error(JSON.stringify(page));
    for (const { transaction } of page.value.items) {
      const state = stateOf(transaction);
      if (this.seen.get(transaction.txId) === state) this.faults.push(`${transaction.txId} came again as ${state}`);
      this.seen.set(transaction.txId, state);
      this.rowsRead++;
    }
    this.#cursor = page.value.nextCursor;
    this.behindMs = page.value.behindMs;
    return page.value.items.length;
  }
}

test("a reader of the feed gets the last state of every transaction, and a row again only after a change, although writers are killed and clocks are wrong", async (t) => {
  const server = await startDatabaseServer();
  const databaseUrl = await server.createDatabase();
  const databases = [openDatabase(databaseUrl), openDatabase(databaseUrl), openDatabase(databaseUrl)] as const;
  const [database] = databases;
  const game = await prepare(database);

  const jobs: readonly Pick<Job, "role" | "skewMs">[] = [
    { role: "sequencer", skewMs: 0 },
    { role: "sequencer", skewMs: 3_600_000 },
    { role: "sequencer", skewMs: -45_000 },
    { role: "writer", skewMs: 0 },
    { role: "writer", skewMs: 0 },
  ];
  const running = new Map<number, ChildProcess>();
  const start = async (n: number): Promise<void> => {
    const job: Job = { ...(jobs[n] as Pick<Job, "role" | "skewMs">), databaseUrl, merchantId: MERCHANT.id, game };
    const child = spawn(process.execPath, ["testbed/database/feed-process.ts", JSON.stringify(job)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.set(n, child);
    await once(child.stdout, "data");
  };
  const kill = async (n: number): Promise<void> => {
    const child = running.get(n);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      throw new Error(`process ${n} ended by itself`);
    child.kill("SIGKILL");
    await once(child, "exit");
    running.delete(n);
  };
  t.teardown(async () => {
    for (const child of running.values()) child.kill("SIGKILL");
    for (const one of databases) await one.close();
    await server.stop();
  });

  const follower = new Follower(databases);
  let following = true;
  const followed = (async () => {
    while (following) if ((await follower.read(37)) < 37) await new Promise((resolve) => setTimeout(resolve, 5));
  })();
  await Promise.all(jobs.map((_, n) => start(n)));
  for (let i = 0; i < KILLS; i++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const victim = (i * 3) % jobs.length;
    await kill(victim);
    await start(victim);
  }
  // The writers are killed, perhaps in the middle of a write. All their changes must be numbered and read.
  for (const [n, { role }] of jobs.entries()) if (role === "writer") await kill(n);
  const waiting = async (): Promise<number> =>
    Number((await database.knex("tx").whereNull("feed_seq").count({ n: "*" }))[0]?.n);
  while ((await waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  following = false;
  await followed;
  while (follower.faults.length === 0 && (await follower.read(1_000)) > 0);

  t.deepEqual(follower.faults, []);
  t.is(follower.behindMs, 0);
  const reader = new SqlTransactionReader(database);
  const there = new Map(
    (await reader.list({ merchantId: MERCHANT.id, order: "asc" }, 10_000)).map(({ transaction }) => [
      transaction.txId as string,
      stateOf(transaction),
    ]),
  );
  const skipped = [...there].filter(([txId, state]) => follower.seen.get(txId) !== state);
  t.deepEqual(skipped, []);
  t.is(follower.seen.size, there.size);
  t.log(`${there.size} transactions, ${follower.rowsRead} changes`);
  t.true(
    there.size > 200 && follower.rowsRead > there.size,
    `${there.size} transactions, ${follower.rowsRead} changes: hardly anything happened`,
  );
});
