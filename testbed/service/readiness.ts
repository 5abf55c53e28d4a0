import { setTimeout as sleep } from "node:timers/promises";

const READY_WITHIN_MS = 30_000;
const READY_POLL_MS = 10;

/** The functions of the service's process that the wait for readiness needs. */
export interface Watched {
  /** Throws when the process has ended. */
  assertRuns(): void;
  /** The end of the process's log, for the text of an error. */
  logTail(): string;
}

/** Resolves when the service answers 200 at /health/ready. Throws when its process ends first, or after 30 s. */
export async function untilReady(restPort: number, watched: Watched): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  while (!(await isReady(`http://127.0.0.1:${restPort}`))) {
    watched.assertRuns();
    if (performance.now() > until)
      throw new Error(`the service is not ready after ${READY_WITHIN_MS} ms:\n${watched.logTail()}`);
    await sleep(READY_POLL_MS);
  }
}

/** Whether the service answers 200 at /health/ready now. */
export async function isReady(restOrigin: string): Promise<boolean> {
  try {
    const response = await fetch(`${restOrigin}/health/ready`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
