// Brings node_modules in line with the lock file. Every npm script begins with it, so it must run on the Node that is
// already there (20 or newer); everything after it runs on the Node 26 that the install brings.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const stamp = "node_modules/.setup-stamp";
const wanted = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
const read = (file) => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};
if (read(stamp) !== wanted) {
  console.error("Installing the packages of package-lock.json (once)...");
  try {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { stdio: ["ignore", 2, 2] });
  } catch {
    console.error("Could not install the packages: `npm ci` failed (its message is above). Is the npm registry reachable?");
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
