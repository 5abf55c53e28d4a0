// Installs the programs that the tests and benchmarks need and npm can't install: a database server and a browser. With
// the argument `cluster` it installs the database's replication instead of the browser, with `namespace` the tools for
// a separate network. It installs only as root on Debian; elsewhere it prints what to install.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const CLUSTER = {
  "galera-4": ["/usr/lib/galera/libgalera_smm.so"],
  rsync: ["rsync"],
  lsof: ["lsof"],
  iproute2: ["ss"],
};
const FOR = { cluster: CLUSTER, namespace: { iproute2: ["ip"], "util-linux": ["unshare"] } };
const PACKAGES = {
  "mariadb-server": ["mariadbd", "mariadb-install-db"],
  ...(FOR[process.argv[2]] ?? { chromium: ["chromium"] }),
};

const found = (program) =>
  program.startsWith("/")
    ? existsSync(program)
    : (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
const missing = Object.keys(PACKAGES).filter((name) => !PACKAGES[name].every(found));
if (missing.length > 0) {
  const manual = `Missing: ${missing.map((name) => `${name} (${PACKAGES[name].join(", ")})`).join(", ")}. Please install, with the programs on the PATH.`;
  if (process.getuid?.() !== 0 || !found("apt-get")) {
    console.error(manual);
    process.exit(1);
  }
  console.error(`Installing ${missing.join(" and ")} (once)...`);
  const apt = (...args) =>
    execFileSync("apt-get", ["-o", "DPkg::Lock::Timeout=300", "-qq", ...args], {
      stdio: ["ignore", 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  try {
    apt("update");
    apt("install", "-y", "--no-install-recommends", ...missing);
  } catch {
    console.error(manual);
    process.exit(1);
  }
}
