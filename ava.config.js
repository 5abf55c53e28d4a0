export default {
  extensions: ["ts"],
  files: ["test/**/*.test.ts"],
  timeout: "3m",
  concurrency: 2,
  workerThreads: false,
};
