import { filesInMemory } from "./testbed/files-in-memory.ts";

// The tests in a real browser. They start Chromium and the whole sandbox many times, so they have a command of their own.
// This file waits for whole minutes to pass, so it starts first.
const isLong = (file) => file.endsWith("console/health.test.ts");

export default {
  extensions: ["ts"],
  files: ["test/browser/**/*.test.ts", "test/web-renderer/**/*.test.ts", "test/console/**/*.test.ts"],
  sortTestFiles: (a, b) => Number(isLong(b)) - Number(isLong(a)) || a.localeCompare(b),
  timeout: "5m",
  concurrency: 3,
  environmentVariables: filesInMemory(),
  workerThreads: false,
};
