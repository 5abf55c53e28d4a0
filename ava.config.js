export default {
  extensions: ["ts"],
  files: ["test/**/*.test.ts", "!test/kits/**", "!test/certify/**", "!test/generators/**"],
  timeout: "3m",
  concurrency: 2,
  workerThreads: false,
};
