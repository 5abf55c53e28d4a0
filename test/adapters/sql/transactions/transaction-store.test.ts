import { SqlRoundStore } from "../../../../src/adapters/sql/transactions/round-store.ts";
import { SqlTransactionStore } from "../../../../src/adapters/sql/transactions/transaction-store.ts";
import { PRODUCT } from "../../../../testbed/database/products.ts";
import { transactionStoreContract } from "../../../contracts/transaction-store.ts";
import { freshMerchants, perReplica, serverReplicas, sleep, sqlite } from "../stores.ts";

for (const [name, opened] of [
  ["SQLite", sqlite()],
  [PRODUCT.name, serverReplicas()],
] as const)
  transactionStoreContract(
    name,
    async () => ({
      ...freshMerchants(),
      game: (await opened).game,
      stores: perReplica(await opened, (database) => new SqlTransactionStore(database)),
      rounds: new SqlRoundStore((await opened).databases[0]),
      pass: sleep,
    }),
    { invalidContent: (content) => ({ ...content, roundId: "r".repeat(129) }) },
  );
