import { filesInMemory } from "./testbed/files-in-memory.ts";

// The tests in a real browser. They start Chromium and the whole sandbox many times, so they have a command of their own.
export default {
  extensions: ["ts"],
  files: ["test/browser/**/*.test.ts", "test/web-renderer/**/*.test.ts", "test/console/**/*.test.ts"],
  timeout: "5m",
  concurrency: 2,
  environmentVariables: filesInMemory(),
  workerThreads: false,
};
