/**
 * `npm run faults -- <suite> [--flags]`: tests the real service with real faults (docs/reliability.md). Ends with 1 if
 * there is a violation.
 */
import type { FaultSuite } from "./suite.ts";

const SUITES: Readonly<Record<string, () => Promise<FaultSuite>>> = {
  cluster: () => import("./cluster/main.ts"),
  database: () => import("./database/main.ts"),
  restore: () => import("./restore/main.ts"),
  wallet: () => import("./wallet/main.ts"),
};

const [name = "", ...args] = process.argv.slice(2);
const suite = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined;
if (suite === undefined) {
  console.error(`npm run faults -- ${Object.keys(SUITES).join(" | ")}: which of them?`);
  process.exit(1);
}
const violations = await (await suite()).run(args);
process.exit(violations > 0 ? 1 : 0);
