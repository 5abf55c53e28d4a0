import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { transactionStoreContract } from "../../../contracts/transaction-store.ts";
import { freshMerchants, perReplica, serverReplicas, sleep } from "../stores.ts";

const replicas = serverReplicas();

transactionStoreContract(
  PRODUCT.name,
  async () => ({
    ...freshMerchants(),
    game: (await replicas).game,
    stores: perReplica(await replicas, (database) => new SqlTransactionStore(database)),
    pass: sleep,
  }),
  { invalidContent: (content) => ({ ...content, roundId: "r".repeat(129) }) },
);
