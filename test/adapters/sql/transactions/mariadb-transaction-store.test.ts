import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { transactionStoreContract } from "../../../contracts/transaction-store.ts";
import { freshMerchants, mariadb, perReplica, sleep } from "../stores.ts";

const replicas = mariadb();

transactionStoreContract(
  "MariaDB",
  async () => ({
    ...freshMerchants(),
    game: (await replicas).game,
    stores: perReplica(await replicas, (database) => new SqlTransactionStore(database)),
    pass: sleep,
  }),
  { invalidContent: (content) => ({ ...content, roundId: "r".repeat(129) }) },
);
