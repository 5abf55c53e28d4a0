// Installs the programs that the tests and benchmarks need and npm can't install: a database server and a browser.
// Arguments replace the browser: `cluster` by the database's replication, `namespace` by the tools for a separate
// network, `kits` by PHP. The program installs only as root on Debian. On other systems it prints what to install.
// Tests of kits whose programs are missing are skipped, so `kits` never fails.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const CLUSTER = {
  "galera-4": ["/usr/lib/galera/libgalera_smm.so"],
  rsync: ["rsync"],
  lsof: ["lsof"],
  iproute2: ["ss"],
};
const KITS = {
  // Only php-cli is checked, because the place of PHP's modules depends on its version.
  "php-cli php-curl php-mbstring php-sqlite3 php-xml php-mysql php-pgsql": ["php"],
  phpunit: ["phpunit"],
  composer: ["composer"],
  "php-nyholm-psr7": ["/usr/share/php/Nyholm/Psr7/autoload.php"],
};
const FOR = { cluster: CLUSTER, kits: KITS, namespace: { iproute2: ["ip"], "util-linux": ["unshare"] } };
const PACKAGES = {
  "mariadb-server": ["mariadbd", "mariadb-install-db"],
  ...(FOR[process.argv[2]] ?? { chromium: ["chromium"] }),
};

// Without these programs the tests of the kits are skipped.
const isOptional = process.argv[2] === "kits";
const giveUp = (message) => {
  console.error(message);
  process.exit(isOptional ? 0 : 1);
};
const found = (program) =>
  program.startsWith("/")
    ? existsSync(program)
    : (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
const missing = Object.keys(PACKAGES).filter((name) => !PACKAGES[name].every(found));
if (missing.length > 0) {
  const manual = `Missing: ${missing.map((name) => `${name} (${PACKAGES[name].join(", ")})`).join(", ")}. Please install, with the programs on the PATH.`;
  if (process.getuid?.() !== 0 || !found("apt-get")) giveUp(manual);
  console.error(`Installing ${missing.join(" and ")} (once)...`);
  const apt = (...args) =>
    execFileSync("apt-get", ["-o", "DPkg::Lock::Timeout=300", "-qq", ...args], {
      stdio: ["ignore", 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  try {
    apt("update");
    apt("install", "-y", "--no-install-recommends", ...missing.flatMap((names) => names.split(" ")));
  } catch {
    giveUp(manual);
  }
}
