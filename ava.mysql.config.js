import { filesInMemory } from "./testbed/files-in-memory.ts";

// Tests that need a database server, on MySQL instead of MariaDB: `npm run test:mysql` obtains it. Tests of SQLite in
// these files are left out.
export default {
  extensions: ["ts"],
  files: [
    "test/adapters/sql/**/*.test.ts",
    "test/adapters/rest/authentication/replay.test.ts",
    "test/adapters/telemetry/no-values-in-logs.test.ts",
    "test/{administration,cli,crash,e2e,faults,storms}/**/*.test.ts",
    "!test/adapters/sql/vitess/**",
    "!test/faults/wallet/**",
    "!**/sqlite-*.test.ts",
  ],
  match: ["!SQLite*", "!*on SQLite*"],
  environmentVariables: { TEST_DATABASE: "mysql", ...filesInMemory() },
  timeout: "3m",
  concurrency: 3,
  workerThreads: false,
};
