import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * The environment with which the tests' temporary files are in memory. Databases wait for the disk at each commit, and
 * the tests start hundreds of databases, so a run needs half the time then. A test that kills a database loses nothing
 * by it: the files stay, as on a disk. The folder is removed when this process ends.
 *
 * @returns nothing, if the machine has no large file system in memory in which programs may be started. Then the files
 * are where the machine has them.
 */
export function filesInMemory(): { TMPDIR?: string } {
  if (!isUsable()) return {};
  const folder = mkdtempSync(join(MEMORY, "tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}

function isUsable(): boolean {
  try {
    const mounted = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" "));
    const options = mounted.find(([, place]) => place === MEMORY)?.[3]?.split(",") ?? ["noexec"];
    const { bavail, bsize } = statfsSync(MEMORY);
    return !options.includes("noexec") && bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}
