// Installs the packages of the lock file. Every npm script begins with this program, so it must run with the machine's
// own Node (20 or newer).
//
// node tools/setup.mjs installs every package; the npm script then runs with the Node among the packages node
// tools/setup.mjs --omit=dev installs the packages that the service and its command line need; prints the path of the
// Node to run them with With --omit=dev the printed path is that of the machine's own Node, if it can run the service.
// Then no other Node is installed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, resolve } from "node:path";

// npm puts node_modules/.bin into PATH, so that the scripts find the Node among the packages there.
if (resolve(".").includes(delimiter)) {
  fail(
    `The folder ${resolve(".")} has a "${delimiter}" in its path. This character separates the folders of PATH, so no program of node_modules can be found. Rename the folder.`,
  );
}
// The bundler of the sandbox's pages takes a star for a pattern and finds no file.
if (resolve(".").includes("*")) {
  fail(
    `The folder ${resolve(".")} has a "*" in its path. The sandbox's pages cannot be built there. Rename the folder.`,
  );
}
const stamp = "node_modules/.setup-stamp";
const packagesNode = resolve("node_modules/.bin/node");
const smaller = process.argv.includes("--omit=dev");
const machinesNode = smaller ? ownNode() : null;

const omitted = smaller ? ["dev", ...(machinesNode === null ? [] : ["optional"])] : [];
const lock = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
const [installed, ...missing] = read(stamp).trim().split(" without ");
if (installed !== lock || missing.some((kind) => !omitted.includes(kind))) {
  console.error("Installing the packages of package-lock.json (once)...");
  try {
    // Both kinds are given to npm, because otherwise NODE_ENV=production would leave out the packages for development.
    const kinds = ["dev", "optional"].map((kind) => `--${omitted.includes(kind) ? "omit" : "include"}=${kind}`);
    execFileSync("npm", ["ci", ...kinds, "--no-audit", "--no-fund", "--loglevel=error"], { stdio: ["ignore", 2, 2] });
  } catch {
    fail("Could not install the packages: `npm ci` failed (its message is above). Is the npm registry reachable?");
  }
  writeFileSync(stamp, [lock, ...omitted].join(" without "));
}
if (smaller) {
  const node = machinesNode ?? packagesNode;
  if (!existsSync(node)) {
    fail(
      `Node 26 or newer is needed (with Temporal, which some builds lack): this machine's is ${process.version}, and no package has one for ${process.platform}-${process.arch}.`,
    );
  }
  console.log(node);
}

// The path of the Node that runs npm; null: this Node cannot run the service, or it is the Node among the packages, which
// an installation without that Node would remove.
function ownNode() {
  // npm puts node_modules/.bin first in the path. So `node` is the Node among the packages if that Node is installed.
  const node = process.env.npm_node_execpath ?? process.execPath;
  if (node.startsWith(resolve("node_modules"))) return null;
  const able = 'Boolean(process.features.typescript) && typeof Temporal === "object"';
  try {
    return execFileSync(node, ["-p", able], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() === "true"
      ? node
      : null;
  } catch {
    return null;
  }
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
