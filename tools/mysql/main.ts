/**
 * `npm run test:mysql [-- files or options of ava]`: runs the tests that need a server with MySQL itself, instead of
 * MariaDB. Without a MySQL it says why and succeeds.
 */
import { spawnSync } from "node:child_process";
import { NoMysql, obtainMysql } from "../../testbed/database/mysql-server.ts";

try {
  console.log(`MySQL ${obtainMysql()}`);
} catch (error) {
  const { message } = error as Error;
  if (error instanceof NoMysql) console.log(`skipped, no MySQL: ${message}`);
  else console.error(message);
  process.exit(error instanceof NoMysql ? 0 : 1);
}
const { status } = spawnSync("ava", ["--config", "ava.mysql.config.js", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
