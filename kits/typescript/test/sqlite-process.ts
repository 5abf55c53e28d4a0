/** Makes 25 bets of 1.00 at once, and prints how many were applied. Arguments: the file, and the prefix of the ids. */
import { DatabaseSync } from "node:sqlite";
import { SqlStorage, sqlite } from "../src/sql/index.ts";
import { caller } from "./storage-contract.ts";

const [file = "", name = ""] = process.argv.slice(2);
const call = caller(new SqlStorage(sqlite(new DatabaseSync(file))));
const bets = Array.from({ length: 25 }, (_, i) => call("bet", { tx_id: `${name}${i}`, amount: 1 }));
console.log((await Promise.all(bets)).filter(({ ok }) => ok === true).length);
