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
      "adapters/sql/mysql",
    ].map((folder) => `!test/${folder}/**`),
  ],
  timeout: "3m",
  concurrency: 3,
  workerThreads: false,
};
