import test from "ava";
import { DatabaseTime } from "../../../../src/adapters/sql/connection/database-time.ts";
import { SqlWalletMinutes } from "../../../../src/adapters/sql/reports/wallet-minutes.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { walletMinutesContract } from "../../../contracts/health/wallet-minutes.ts";
import { perReplica, serverReplicas, sqlite } from "../stores.ts";

// All tests of a dialect use one database, one after the other. Each begins with an empty table.
for (const [name, opened] of [
  ["SQLite", sqlite()],
  [`${PRODUCT.name}, three replicas`, serverReplicas()],
] as const)
  walletMinutesContract(test.serial as typeof test, `sums of wallet calls on ${name}`, async () => {
    const replicas = await opened;
    await replicas.databases[0].knex("wallet_minutes").delete();
    return {
      stores: perReplica(replicas, (database) => new SqlWalletMinutes(database)),
      now: () => new DatabaseTime(replicas.databases[0]).now(),
    };
  });
