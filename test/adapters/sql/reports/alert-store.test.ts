import test from "ava";
import type { Database } from "../../../../src/adapters/sql/connection/database.ts";
import { SqlAlertStore } from "../../../../src/adapters/sql/reports/alert-store.ts";
import { SqlAdminStore } from "../../../../src/adapters/sql/settings/admin-store.ts";
import { SecretBox } from "../../../../src/adapters/sql/settings/secret-box.ts";
import { wholeMs } from "../../../../src/domain/values/whole-ms.ts";
import { ALERTS } from "../../../../src/ports/telemetry.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { alertStoreContract } from "../../../contracts/alert-store.ts";
import { observed, planOf } from "../plans.ts";
import { perReplica, serverReplicas, sqlite } from "../stores.ts";

const auditOf = (database: Database) => new SqlAdminStore(database, new SecretBox([Buffer.alloc(32)]));

// All tests of a dialect use one database, one after the other. Each begins with empty tables.
for (const [name, opened] of [
  ["SQLite", sqlite()],
  [`${PRODUCT.name}, three replicas`, serverReplicas()],
] as const) {
  alertStoreContract(test.serial as typeof test, `alerts on ${name}`, async () => {
    const replicas = await opened;
    const [first] = replicas.databases;
    await first.knex("alerts").delete();
    await first.knex("audit").delete();
    return {
      stores: perReplica(replicas, (database) => new SqlAlertStore(database)),
      age: async (ms) => {
        await first.knex("alerts").decrement({ first_at: ms, last_at: ms });
        await first.knex("alerts").whereNotNull("ends_at").decrement("ends_at", ms);
      },
      audit: () => auditOf(first).entries({}, 10),
    };
  });

  test.serial(`alerts on ${name}: no statement scans the table or sorts it`, async (t) => {
    const database = (await opened).databases[0];
    await database.knex("alerts").delete();
    const texts = { txId: "ACME:1", detail: "", replica: "host-1" };
    const lines = ALERTS.flatMap((alert) =>
      Array.from({ length: 300 }, (_, n) => ({
        ...{ name: alert, subject: `shop-${n}`, count: 1, ...texts },
        ...{
          firstAgoMs: wholeMs(n * 1_000),
          lastAgoMs: wholeMs(n * 1_000),
          lastsMs: n % 2 === 0 ? null : wholeMs(3_600_000),
        },
      })),
    );
    await new SqlAlertStore(database).add(lines);
    if (database.dialect.name === "mysql") await database.knex.raw("ANALYZE TABLE alerts");
    const written = observed(database, "knex");
    const read = observed(written.database);
    const store = new SqlAlertStore(read.database);
    t.is((await store.list(200)).length, 200);
    t.is((await store.quiet("credit_failed", 60_000, "shop-1", 100)).length, 100);
    await store.extend(lines.slice(0, 3), 60_000);
    await store.close({ name: "credit_failed", subject: "shop-7" }, Date.now());
    t.is(await store.forget(10), 0);
    const statements = [...read.statements, ...written.statements];
    t.is(statements.length, 5);
    for (const statement of statements) {
      const plan = await planOf(database, statement);
      t.true(plan.length > 0);
      t.notRegex(plan.map(({ text }) => text).join("; "), /SCAN|SORT/, `${statement.sql} ${JSON.stringify(plan)}`);
    }
  });
}
