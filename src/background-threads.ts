/** The priority of the threads on which V8 collects garbage and compiles code, beside the thread that runs JavaScript. */
import { readdirSync, readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";

/** Linux lists the threads of this process here. `comm` is a thread's name. */
const THREADS = "/proc/self/task";
/** Node calls V8's threads `node-V8Worker`. */
const V8_WORKER = /V8Worker/;

/**
 * Gives V8's worker threads the lowest priority (nice 19). A major collection keeps all four of them busy for a tenth of
 * a second. On a machine with few cores they would share these cores equally with the thread that answers calls, and
 * with a database that runs there. Calls would then take several times as long.
 *
 * Works on Linux, where each thread has a priority of its own (setpriority(2)). Does nothing on other systems, and
 * where the system does not allow it. The service also works without it.
 */
export function lowerBackgroundThreads(): void {
  if (process.platform !== "linux") return;
  try {
    for (const thread of readdirSync(THREADS))
      if (V8_WORKER.test(readFileSync(`${THREADS}/${thread}/comm`, "utf8")))
        setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // A container may hide /proc or forbid the system call.
  }
}
