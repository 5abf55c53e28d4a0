/** Floor: the whole service, but with a transaction store that answers at once. It has the same configuration. */
import { readConfig } from "../../src/config.ts";
import { TransactionStore } from "../../src/ports/transactions/transaction-store.ts";
import { startService } from "../../src/service.ts";
import { InstantTransactionStore } from "./instant-store.ts";

const service = await startService(readConfig(process.env), {
  adjust: (container) => container.onActivation(TransactionStore, () => new InstantTransactionStore()),
});
process.once("SIGTERM", () => void service.stop().then(() => process.exit(0)));
