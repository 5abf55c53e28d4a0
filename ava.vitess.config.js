import { filesInMemory } from "./testbed/files-in-memory.ts";

// The contracts of the stores, the money path, crash points and storms on Vitess: `npm run test:vitess` obtains it. Tests
// of SQLite in these files are left out.
export default {
  extensions: ["ts"],
  files: [
    "test/adapters/sql/{access,clusters,listings,reports,schema,transactions,vitess}/**/*.test.ts",
    "test/adapters/sql/connection/{provoked-errors,broken-commits}.test.ts",
    "test/adapters/sql/*.test.ts",
    "test/{crash,storms}/**/*.test.ts",
    "test/e2e/money-path.test.ts",
    "!**/sqlite-*.test.ts",
    // Vitess itself does not start before a MySQL whose defaults are hostile, and refuses SET timestamp.
    "!test/adapters/sql/hostile-defaults.test.ts",
    "!test/adapters/sql/listings/clocks-apart.test.ts",
  ],
  match: ["!SQLite*", "!*on SQLite*"],
  environmentVariables: { TEST_DATABASE: "vitess", ...filesInMemory() },
  timeout: "10m",
  concurrency: 2,
  workerThreads: false,
};
