// Unpacks programs that an installation of the service uses, so that tests can run them: by default Prometheus with two
// exporters and Alertmanager, for `npm run test:operations`. Arguments name other packages. Debian's packages would start services if
// they were installed, so they are only unpacked, into .cache/programs. A program that is on the PATH is used as it is.
// Without root, or without Debian, the missing programs are named, and their tests are skipped. With the argument `helm`
// this script builds Helm instead, with Go, which takes some minutes.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const PACKAGES = {
  prometheus: ["prometheus", "promtool"],
  "prometheus-node-exporter": ["prometheus-node-exporter"],
  "prometheus-mysqld-exporter": ["prometheus-mysqld-exporter"],
  "prometheus-alertmanager": ["prometheus-alertmanager", "amtool"],
};
const OTHERS = {
  haproxy: ["haproxy"],
  nginx: ["nginx"],
  "mariadb-backup": ["mariadb-backup"],
  debootstrap: ["debootstrap"],
};
const ROOT = resolve(".cache/programs");
const ARCHIVES = resolve(".cache/packages");

if (process.argv[2] === "helm") {
  const env = { ...process.env, GOBIN: join(ROOT, "usr/bin"), GOFLAGS: "-buildvcs=false" };
  execFileSync("go", ["install", "helm.sh/helm/v3/cmd/helm@v3.22.0"], { stdio: ["ignore", 2, 2], env });
  process.exit();
}

const folders = [...(process.env.PATH ?? "").split(delimiter), join(ROOT, "usr/bin"), join(ROOT, "usr/sbin")];
const wanted =
  process.argv.length > 2 ? Object.fromEntries(process.argv.slice(2).map((name) => [name, OTHERS[name]])) : PACKAGES;
const found = (program) => folders.some((folder) => existsSync(join(folder, program)));
const missing = Object.keys(wanted).filter((name) => !wanted[name].every(found));
if (missing.length > 0) {
  const manual = `Missing: ${missing.join(", ")}. The tests that need them are skipped.`;
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) console.error(manual);
  else {
    console.error(`Unpacking ${missing.join(" and ")} (once)...`);
    const options = ["-o", "DPkg::Lock::Timeout=300", "-o", `Dir::Cache::archives=${ARCHIVES}`, "-qq"];
    const run = (program, ...args) => execFileSync(program, args, { stdio: ["ignore", 2, 2] });
    try {
      mkdirSync(join(ARCHIVES, "partial"), { recursive: true });
      mkdirSync(ROOT, { recursive: true });
      run("apt-get", ...options, "update");
      run("apt-get", ...options, "install", "-y", "--no-install-recommends", "--download-only", ...missing);
      for (const file of readdirSync(ARCHIVES).filter((name) => name.endsWith(".deb")))
        run("dpkg-deb", "-x", join(ARCHIVES, file), ROOT);
    } catch {
      console.error(manual);
    }
  }
}
