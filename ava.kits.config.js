// The tests of the kits in other languages. They build packages, so they have a command of their own.
export default {
  extensions: ["ts"],
  files: ["test/kits/**/*.test.ts"],
  timeout: "10m",
  concurrency: 1,
  workerThreads: false,
};
