import test from "ava";
import { SqlConsoleSessionStore } from "../../../src/adapters/sql/access/console-session-store.ts";
import { SqlHeartbeatStore } from "../../../src/adapters/sql/access/heartbeat-store.ts";
import { SqlNonceStore } from "../../../src/adapters/sql/access/nonce-store.ts";
import { SqlSessionStore } from "../../../src/adapters/sql/access/session-store.ts";
import { SqlUsedTokens } from "../../../src/adapters/sql/access/used-tokens.ts";
import { type Database, openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { SqlChangeStore } from "../../../src/adapters/sql/reports/change-store.ts";
import { SqlGgrAudits } from "../../../src/adapters/sql/reports/ggr-audits.ts";
import { migrate } from "../../../src/adapters/sql/schema/migrate.ts";
import { SecretBox } from "../../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../../src/adapters/sql/settings/settings-store.ts";
import { SqlRoundStore } from "../../../src/adapters/sql/transactions/round-store.ts";
import { SqlSlipStore } from "../../../src/adapters/sql/transactions/slip-store.ts";
import { SqlTransactionStore } from "../../../src/adapters/sql/transactions/transaction-store.ts";
import { startHostileServer } from "../../../testbed/database/hostile-defaults.ts";
import { PRODUCT } from "../../../testbed/database/products.ts";
import type { DatabaseServer } from "../../../testbed/database/server.ts";
import { changeStoreContract } from "../../contracts/changes/change-store.ts";
import { consoleSessionStoreContract } from "../../contracts/console-session-store.ts";
import { ggrAuditsContract } from "../../contracts/ggr-audits.ts";
import { ggrStoreContract } from "../../contracts/ggr-store.ts";
import { heartbeatStoreContract } from "../../contracts/heartbeat-store.ts";
import { nonceStoreContract } from "../../contracts/nonce-store.ts";
import { sessionStoreContract } from "../../contracts/session-store.ts";
import { settingsStoreContract } from "../../contracts/settings-store.ts";
import { slipStoreContract } from "../../contracts/slip-store.ts";
import { transactionStoreContract } from "../../contracts/transaction-store.ts";
import { usedTokensContract } from "../../contracts/used-tokens.ts";
import { freshMerchants, lastNumber, numbers, perReplica, serverReplicas, sleep, storedSums } from "./stores.ts";

const NAME = `${PRODUCT.name} with hostile defaults`;

const server: Promise<DatabaseServer> = startHostileServer();
const replicas = serverReplicas(() => server);

/** The tests of some stores begin with an empty database or table, so they run one after the other. */
const serial = test.serial as typeof test;

let last: Database | undefined;
const fresh = async (): Promise<Database> => {
  await last?.close();
  last = openDatabase(await (await server).createDatabase());
  await migrate(last);
  return last;
};
test.after.always(() => last?.close());

const emptied = async (table: string): Promise<Database> => {
  const [database] = (await replicas).databases;
  await database.knex(table).delete();
  return database;
};

const older =
  (database: Database, table: string, ...columns: readonly string[]) =>
  async (ms: number) =>
    void (await database
      .knex(table)
      .update(Object.fromEntries(columns.map((column) => [column, database.knex.raw("?? - ?", [column, ms])]))));

transactionStoreContract(
  NAME,
  async () => ({
    ...freshMerchants(),
    game: (await replicas).game,
    stores: perReplica(await replicas, (database) => new SqlTransactionStore(database)),
    rounds: new SqlRoundStore((await replicas).databases[0]),
    pass: sleep,
  }),
  { invalidContent: (content) => ({ ...content, roundId: "r".repeat(129) }) },
);

changeStoreContract(NAME, async () => {
  const { databases, game } = await replicas;
  return {
    ...freshMerchants(),
    game,
    transactions: new SqlTransactionStore(databases[0]),
    rounds: new SqlRoundStore(databases[0]),
    stores: perReplica(await replicas, (database) => new SqlChangeStore(database)),
    pass: sleep,
    numbers: (merchantId) => numbers(databases[0], merchantId),
    lastNumber: (merchantId) => lastNumber(databases[0], merchantId),
    sums: (merchantId) => storedSums(databases[0], merchantId),
  };
});

ggrStoreContract(NAME, async () => (await replicas).databases[0], 6_000);

nonceStoreContract(serial, `nonces on ${NAME}`, async () => {
  const database = await emptied("nonces");
  return { store: new SqlNonceStore(database), age: older(database, "nonces", "used_at") };
});
sessionStoreContract(serial, `sessions on ${NAME}`, async () => {
  const database = await fresh();
  return { store: new SqlSessionStore(database), age: older(database, "sessions", "created_at", "used_at") };
});
consoleSessionStoreContract(serial, `console sessions on ${NAME}`, async () => {
  const database = await emptied("console_sessions");
  return {
    store: new SqlConsoleSessionStore(database),
    age: older(database, "console_sessions", "expires_at", "used_at"),
  };
});
heartbeatStoreContract(serial, `heartbeats on ${NAME}`, async () => {
  const database = await emptied("heartbeats");
  return { store: new SqlHeartbeatStore(database), age: older(database, "heartbeats", "seen_at") };
});
ggrAuditsContract(serial, `the claim of the nightly comparison of sums on ${NAME}`, async () => {
  const database = await fresh();
  return {
    stores: [new SqlGgrAudits(database), new SqlGgrAudits(database)],
    age: older(database, "claims", "held_until"),
  };
});
settingsStoreContract(
  serial,
  `settings on ${NAME}`,
  async () => new SqlSettingsStore(await fresh(), new SecretBox([Buffer.alloc(32, 1)])),
);
slipStoreContract(serial, `slips on ${NAME}`, async () => {
  const database = await emptied("slips");
  return { stores: [new SqlSlipStore(database)], age: older(database, "slips", "due_at") };
});
usedTokensContract(serial, `used tokens on ${NAME}`, async () => {
  const database = await emptied("jtis");
  return { stores: [new SqlUsedTokens(database)], age: older(database, "jtis", "used_at") };
});
