import { SqlChangeStore } from "../../../../src/adapters/sql/reports/change-store.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { changeStoreContract } from "../../../contracts/changes/change-store.ts";
import { freshMerchants, lastNumber, numbers, perReplica, sleep, sqlite, storedSums } from "../stores.ts";

const replicas = sqlite();

changeStoreContract("SQLite", async () => {
  const { databases, game } = await replicas;
  return {
    ...freshMerchants(),
    game,
    transactions: new SqlTransactionStore(databases[0]),
    stores: perReplica(await replicas, (database) => new SqlChangeStore(database)),
    pass: sleep,
    numbers: (merchantId) => numbers(databases[0], merchantId),
    lastNumber: (merchantId) => lastNumber(databases[0], merchantId),
    sums: (merchantId) => storedSums(databases[0], merchantId),
  };
});
