/** Floor: the whole service, but for a store of transactions that answers at once. Configured as the service is. */
import { readConfig } from "../../src/config.ts";
import { startService } from "../../src/service.ts";
import { InstantTransactionStore } from "./instant-store.ts";

const service = await startService(readConfig(process.env), { transactionStore: () => new InstantTransactionStore() });
process.once("SIGTERM", () => void service.stop().then(() => process.exit(0)));
