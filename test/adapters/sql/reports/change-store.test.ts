import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { SqlRoundStore } from "../../../../src/adapters/sql/transactions/round-store.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { changeStoreContract } from "../../../contracts/changes/change-store.ts";
import {
  freshMerchants,
  lastNumber,
  numbers,
  perReplica,
  serverReplicas,
  sleep,
  sqlite,
  storedSums,
} from "../stores.ts";

for (const [name, opened] of [
  ["SQLite", sqlite()],
  [PRODUCT.name, serverReplicas()],
] as const)
  changeStoreContract(name, async () => {
    const replicas = await opened;
    const [database] = replicas.databases;
    return {
      ...freshMerchants(),
      game: replicas.game,
      transactions: new SqlTransactionStore(database),
      rounds: new SqlRoundStore(database),
      stores: perReplica(replicas, (one) => new SqlChangeStore(one)),
      pass: sleep,
      numbers: (merchantId) => numbers(database, merchantId),
      lastNumber: (merchantId) => lastNumber(database, merchantId),
      sums: (merchantId) => storedSums(database, merchantId),
    };
  });
