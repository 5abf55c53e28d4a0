// The tests of the rules, dashboards and files of deploy/, of the upgrade, and of Galera's errors, with real servers beside
// the service. One file after the other: they measure alerts and balancers, and need the machine for themselves.
export default {
  extensions: ["ts"],
  files: ["test/{operations,upgrade}/**/*.test.ts", "test/adapters/sql/clusters/*.test.ts"],
  timeout: "11m",
  concurrency: 1,
  workerThreads: false,
};
