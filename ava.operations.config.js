// The tests of the rules, dashboards and files of deploy/, and of the upgrade, with real servers beside the service. One
// file after the other: they measure alerts and balancers, and need the machine for themselves.
export default {
  extensions: ["ts"],
  files: ["test/operations/**/*.test.ts", "test/upgrade/**/*.test.ts"],
  timeout: "11m",
  concurrency: 1,
  workerThreads: false,
};
