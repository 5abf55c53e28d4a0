/**
 * `npm run test:vitess [-- files or options of ava]`: runs the tests that need a server with Vitess instead of MariaDB.
 * Without Go it says so and succeeds.
 */
import { spawnSync } from "node:child_process";
import { NoMysql, obtainMysql } from "../../testbed/database/mysql-server.ts";
import { NoVitess, obtainVitess, VITESS_VERSION } from "../../testbed/vitess/programs.ts";

try {
  console.log(`MySQL ${obtainMysql()}`);
  obtainVitess();
  console.log(`Vitess ${VITESS_VERSION}`);
} catch (error) {
  const { message } = error as Error;
  const isMissing = error instanceof NoMysql || error instanceof NoVitess;
  if (isMissing) console.log(`skipped, no Vitess: ${message}`);
  else console.error(message);
  process.exit(isMissing ? 0 : 1);
}
const { status } = spawnSync("ava", ["--config", "ava.vitess.config.js", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
