/** `npm run migrate`: brings the schema of DATABASE_URL up to date. */
import { readFileSync } from "node:fs";
import { openDatabase } from "./adapters/sql/connection/database.ts";
import { migrate } from "./adapters/sql/schema/migrate.ts";
import { DatabaseUrlError, databaseUrlFault } from "./domain/access/database-url.ts";
import { readSecretVariables } from "./domain/access/secret-variables.ts";

const read = readSecretVariables(process.env, ["DATABASE_URL"], (path) => readFileSync(path, "utf8"));
const url = read.env.DATABASE_URL?.trim() ?? "";
if (read.faults.length > 0 || url === "") {
  const missing =
    "DATABASE_URL is not set. Example: DATABASE_URL=mysql://user:password@localhost:3306/aggregator npm run migrate";
  console.error(read.faults[0] ?? missing);
  process.exit(1);
}
try {
  const database = openDatabase(url);
  try {
    const done = await migrate(database);
    console.log(done.length === 0 ? "The schema is up to date." : `The schema is up to date now: ${done.join(", ")}.`);
  } finally {
    await database.close();
  }
} catch (error) {
  console.error(
    error instanceof DatabaseUrlError
      ? `DATABASE_URL ${databaseUrlFault(error)}`
      : `The schema could not be brought up to date: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
}
