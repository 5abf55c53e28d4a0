import { ggrStoreContract } from "../../contracts/ggr-store.ts";
import { mariadb } from "./stores.ts";

const replicas = mariadb();

ggrStoreContract("MariaDB", async () => (await replicas).databases[0], 6_000);
