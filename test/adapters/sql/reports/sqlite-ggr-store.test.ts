import { ggrStoreContract } from "../../../contracts/ggr-store.ts";
import { sqlite } from "../stores.ts";

const replicas = sqlite();

ggrStoreContract("SQLite", async () => (await replicas).databases[0], 100_000);
