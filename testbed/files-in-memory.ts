import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * The environment with which the tests' temporary files are in memory. Databases wait for the disk at each commit, and
 * the tests start hundreds of databases, so a run needs half the time then. A test that kills a database loses nothing
 * by it: the files stay, as on a disk. The folder is removed when this process ends; if a signal ends it, the next run
 * removes the folder.
 *
 * @returns nothing, if the machine has no large file system in memory in which programs may be started. Then the files
 * are where the machine has them.
 */
export function filesInMemory(): { TMPDIR?: string } {
  if (!isUsable()) return {};
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = /^tests-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(join(MEMORY, name));
  }
  const folder = mkdtempSync(join(MEMORY, `tests-${process.pid}-`));
  process.once("exit", () => remove(folder));
  return { TMPDIR: folder };
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

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
