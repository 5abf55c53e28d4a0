// The tests of the integrator's kit: the certification, and the kits of each language. They build packages and run
// hundreds of passes of a certification, so they have a command of their own.
export default {
  extensions: ["ts"],
  files: ["test/kits/**/*.test.ts", "test/certify/**/*.test.ts"],
  timeout: "10m",
  concurrency: 2,
  workerThreads: false,
};
