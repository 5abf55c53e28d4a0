import test from "ava";
import { DatabaseTime } from "../../../../src/adapters/sql/connection/database-time.ts";
import { SqlSourceHours } from "../../../../src/adapters/sql/reports/source-hours.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { sourceHoursContract } from "../../../contracts/health/source-hours.ts";
import { perReplica, serverReplicas, sqlite } from "../stores.ts";

// All tests of a dialect use one database, one after the other. Each begins with an empty table.
for (const [name, opened] of [
  ["SQLite", sqlite()],
  [`${PRODUCT.name}, three replicas`, serverReplicas()],
] as const)
  sourceHoursContract(test.serial as typeof test, `results of sources on ${name}`, async () => {
    const replicas = await opened;
    await replicas.databases[0].knex("source_hours").delete();
    return {
      stores: perReplica(replicas, (database) => new SqlSourceHours(database)),
      now: () => new DatabaseTime(replicas.databases[0]).now(),
    };
  });
