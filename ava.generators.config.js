// Clients that are generated out of the API's description, and tools that test the service by it. They install
// packages of other languages, so they have a command of their own.
export default {
  extensions: ["ts"],
  files: ["test/generators/**/*.test.ts"],
  timeout: "15m",
  concurrency: 1,
  workerThreads: false,
};
