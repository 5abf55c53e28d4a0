const ATTEMPTS_MAX = 8;
const PAUSE_MS_MAX = 40;

/** The server undid the whole of it: deadlock (also a lost certification on Galera), lock wait, changed since the snapshot. */
const UNDONE = new Set([1213, 1205, 1020]);
/** Nobody knows whether it was done: the node left its cluster, the commit was interrupted, the connection broke. */
const UNKNOWN = new Set([1047, 1180, 1317]);
const BROKEN = new Set(["PROTOCOL_CONNECTION_LOST", "ECONNRESET", "EPIPE"]);

interface DatabaseError {
  readonly errno?: number;
  readonly code?: string;
}

const mayRepeat = ({ errno, code }: DatabaseError): boolean =>
  (errno !== undefined && (UNDONE.has(errno) || UNKNOWN.has(errno))) || (code !== undefined && BROKEN.has(code));

/**
 * Runs a statement or transaction that may be repeated without harm, at most 8 times, while the database answers that it undid
 * it or that nobody knows whether it was done. Throws the last error.
 */
export async function repeating<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !mayRepeat(error as DatabaseError)) throw error;
      // Rivals that met once would meet again if they paused equally long.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS_MAX));
    }
  }
}
