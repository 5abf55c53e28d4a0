/** Errors that a real server reports, and what is in the table afterwards. */
import test from "ava";
import { type Database, openDatabase } from "../../../../src/adapters/sql/connection/database.ts";
import { byDriver } from "../../../../src/adapters/sql/connection/driver.ts";
import { rows, write } from "../../../../src/adapters/sql/connection/execute.ts";
import { causeOf, type Failure, failureOf } from "../../../../src/adapters/sql/connection/failure.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import { StoreUnavailable } from "../../../../src/ports/store-unavailable.ts";
import { BATCH_MAX, type ClaimLine } from "../../../../src/ports/transactions/transaction-store.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { startDatabaseServer } from "../../../../testbed/database/server.ts";
import { contentOf, id } from "../../../contracts/content.ts";
import { freshMerchants, serverReplicas, sleep } from "../stores.ts";

const ONE_EACH = { max: 1, recurringMax: 1, decisiveMax: 1, selectingMax: 1 };

const server = startDatabaseServer(["--max-allowed-packet=16384"]);
const replicas = serverReplicas(() => server);

const linesOf = async (merchantId: number, count: number, idBytes = 40): Promise<ClaimLine[]> => {
  const { game } = await replicas;
  return Array.from({ length: count }, (_, i) => ({
    content: contentOf({ merchantId, game }, { txId: id(`${i}`.padEnd(idBytes, "x")) }),
    token: (i + 1).toString(16).padStart(32, "0"),
    as: "leased" as const,
    leaseMs: wholeMs(60_000),
  }));
};

async function countOf(database: Database, merchantId: number): Promise<number> {
  const sql = "SELECT COUNT(*) AS n FROM tx WHERE merchant_id = ?";
  return Number((await rows(database, { sql, bindings: [merchantId] }))[0]?.n);
}

const isVitess = PRODUCT.name === "Vitess";

/** An administrator's connections to the server itself. Vitess' proxy would not pass every statement on. */
const administrator = replicas.then(async () => openDatabase((await server).direct("test_1"), ONE_EACH));
test.after.always(async () => (await administrator).close());

/** A user that is no administrator, with its own connections. Vitess works as its own user at the server. */
async function plainUser(): Promise<Database> {
  const { url } = await replicas;
  const admin = await administrator;
  await admin.knex.raw("CREATE USER IF NOT EXISTS plain@localhost");
  await admin.knex.raw("GRANT ALL ON test_1.* TO plain@localhost");
  return openDatabase(url.replace("root@", "plain@"), ONE_EACH);
}

// In this order: not enough memory (2), no resources, a fault without a name, errors of the network (4), no more locks, an
// interrupted statement, a statement at its time limit, an engine's own error, and errors that no release has.
const UNKNOWN_OUTCOME = [1037, 1038, 1041, 1105, 1158, 1159, 1160, 1161, 1206, 1317, 1969, 1030, 1999, 4999, 60_000];

test.serial(
  `${PRODUCT.name}: no error of the server whose meaning is not known counts as a fault of the row`,
  async (t) => {
    const [database] = (await replicas).databases;
    const admin = await administrator;
    const store = new SqlTransactionStore(database);
    for (const errno of UNKNOWN_OUTCOME) {
      const { merchantId } = freshMerchants();
      await admin.knex.raw(
        `CREATE TRIGGER refuses BEFORE INSERT ON tx FOR EACH ROW SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}`,
      );
      const lines = await linesOf(merchantId, 3);
      const error = await t.throwsAsync(store.claim(lines), { instanceOf: StoreUnavailable }, String(errno));
      if (!isVitess) t.is(causeOf(error?.cause).errno, errno);
      await admin.knex.raw("DROP TRIGGER refuses");
      t.is(await countOf(database, merchantId), 0);
      t.true(
        (await store.claim(lines)).every((line) => "mine" in line && line.mine),
        String(errno),
      );
      t.is(await countOf(database, merchantId), 3);
    }
  },
);

test.serial(`${PRODUCT.name}: a server that accepts no write is unavailable, and has written nothing`, async (t) => {
  const plain = await plainUser();
  const admin = await administrator;
  t.teardown(() => plain.close());
  const { merchantId } = freshMerchants();
  const store = new SqlTransactionStore(plain);
  await admin.knex.raw(`SET GLOBAL ${isVitess ? "super_read_only" : "read_only"} = 1`);
  const error = await t.throwsAsync(store.claim(await linesOf(merchantId, 3)), { instanceOf: StoreUnavailable });
  t.is(failureOf(plain.dialect, error?.cause), "unavailable");
  await admin.knex.raw("SET GLOBAL read_only = 0");
  t.is(await countOf(admin, merchantId), 0);
});

test.serial(
  `${PRODUCT.name}: a batch that is too large for the server's packets is divided, and every line is written`,
  async (t) => {
    const [database] = (await replicas).databases;
    const { merchantId } = freshMerchants();
    const lines = await linesOf(merchantId, BATCH_MAX, 120);
    const whole = await t.throwsAsync(
      byDriver(database.recurring, database.dialect, database.dialect.transactions.claim(lines)),
    );
    t.is(failureOf(database.dialect, whole), "content", String(whole));
    const claimed = await new SqlTransactionStore(database).claim(lines);
    t.true(claimed.every((line) => "mine" in line && line.mine));
    t.is(await countOf(database, merchantId), BATCH_MAX);
  },
);

test.serial(`${PRODUCT.name}: after a killed statement or connection the outcome is not known`, async (t) => {
  const { url } = await replicas;
  const admin = await administrator;
  const failureAfter = async (strike: (connection: number) => Promise<void>): Promise<Failure> => {
    const victim = openDatabase(url, ONE_EACH);
    try {
      const running = byDriver(victim.knex, victim.dialect, {
        sql: "UPDATE settings_epoch SET epoch = epoch WHERE SLEEP(60) = 0",
        bindings: [],
      }).then(
        () => undefined,
        (error) => failureOf(victim.dialect, error),
      );
      const state =
        "SELECT MAX(id) AS id FROM information_schema.processlist WHERE info LIKE '%settings_epoch%SLEEP(60)%' AND info NOT LIKE '%processlist%'";
      let connection: unknown = null;
      while (connection === null) {
        [{ id: connection }] = (await admin.knex.raw(state))[0];
        await sleep(5);
      }
      await strike(Number(connection));
      return (await running) ?? "content";
    } finally {
      await victim.close();
    }
  };
  for (const kind of ["QUERY", "CONNECTION"])
    t.is(await failureAfter(async (connection) => void (await admin.knex.raw(`KILL ${kind} ${connection}`))), "lost");
});

test.serial(
  `${PRODUCT.name}: a full table is unavailable and too many connections are, and nothing was written`,
  async (t) => {
    const small = await startDatabaseServer([
      "--innodb-file-per-table=0",
      "--innodb-data-file-path=ibdata1:12M:autoextend:max:80M",
      ...(isVitess ? [] : ["--max-connections=10"]),
    ]);
    t.teardown(() => small.stop());
    const url = await small.createDatabase();
    const database = openDatabase(url, ONE_EACH);
    t.teardown(() => database.close());
    await database.knex.raw("CREATE TABLE t (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, a LONGBLOB) ENGINE=InnoDB");
    let written = 0;
    const error = await t.throwsAsync(async () => {
      for (; written < 100; written++)
        await write(database, { sql: "INSERT INTO t (a) VALUES (REPEAT('x', 2000000))", bindings: [] });
    });
    t.true(error instanceof StoreUnavailable, String(error));
    t.is(failureOf(database.dialect, error?.cause), "unavailable", String(error?.cause));
    t.is(Number((await rows(database, { sql: "SELECT COUNT(*) AS n FROM t", bindings: [] }))[0]?.n), written);

    // Vitess has its own limits for its pools.
    if (isVitess) return;
    await database.knex.raw("CREATE USER plain@localhost");
    const others = Array.from({ length: 12 }, () => openDatabase(url.replace("root@", "plain@"), ONE_EACH));
    const results = await Promise.all(
      others.map((one) =>
        one.knex.raw("SELECT 1").then(
          () => "connected",
          (cause) => failureOf(one.dialect, cause),
        ),
      ),
    );
    await Promise.all(others.map((one) => one.close()));
    t.true(results.includes("unavailable"), results.join(" "));
  },
);
