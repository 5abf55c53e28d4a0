export default {
  extensions: { ts: "module" },
  files: ["test/**/*.test.ts"],
  timeout: "3m",
  concurrency: 2,
  workerThreads: false,
};
