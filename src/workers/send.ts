import type { Worker } from "node:cluster";
import type { ToWorker } from "./messages.ts";

/**
 * Sends a message to a worker. The worker may just have died. Then the event `exit` reports its end, and the failed
 * message must not end the supervisor, as it would without a callback.
 */
export const send = (worker: Worker, message: ToWorker): void => void worker.send(message, () => {});
