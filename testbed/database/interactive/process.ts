/**
 * A separate process that runs one of the transactions of transactions.ts. Arguments: the database's URL and the
 * transaction's name. It prints `ready`, runs the transaction when a line comes on its input, and prints `ended`.
 */
import { once } from "node:events";
import { openDatabase } from "../../../src/adapters/sql/connection/database.ts";
import { INTERACTIVE } from "./transactions.ts";

const [url = "", name] = process.argv.slice(2);
const wanted = INTERACTIVE.find((one) => one.name === name);
if (wanted === undefined) throw new Error(`no transaction has the name ${name}`);
const run = await wanted.begin(openDatabase(url, { max: 1, decisiveMax: 1 }));
process.stdout.write("ready\n");
await once(process.stdin, "data");
await run().catch(() => {});
process.stdout.write("ended\n");
process.exit(0);
