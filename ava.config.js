export default {
  extensions: ["ts"],
  files: ["test/**/*.test.ts", "!test/kits/**", "!test/certify/**", "!test/generators/**"],
  timeout: "3m",
  concurrency: 3,
  workerThreads: false,
};
