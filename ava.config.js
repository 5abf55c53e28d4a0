import { filesInMemory } from "./testbed/files-in-memory.ts";

// The folders with the longest files, which mostly wait. They start first, so that no long file runs alone at the end.
const FIRST = ["workers", "crash", "fuzz", "simulation", "e2e", "administration"];
const place = (file) => {
  const at = FIRST.findIndex((folder) => file.includes(`/test/${folder}/`));
  return at < 0 ? FIRST.length : at;
};

export default {
  extensions: ["ts"],
  files: [
    "test/**/*.test.ts",
    ...[
      "browser",
      "web-renderer",
      "console",
      "kits",
      "certify",
      "generators",
      "operations",
      "upgrade",
      "adapters/sql/{clusters,mysql,vitess}",
    ].map((folder) => `!test/${folder}/**`),
  ],
  sortTestFiles: (a, b) => place(a) - place(b) || a.localeCompare(b),
  timeout: "3m",
  // More than the cores, because most files wait for time-outs, leases and restarts.
  concurrency: 4,
  environmentVariables: filesInMemory(),
  workerThreads: false,
};
