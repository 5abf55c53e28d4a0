import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { type Logger, pino } from "pino";

/** The most that waits for an output that takes nothing at the moment: some ten thousand lines. */
const WAITING_BYTES_MAX = 4 * 2 ** 20;
const RETRY_MS = 10;

/**
 * Writes the log's lines to a file descriptor. A log must never stop the service. So no write waits, throws or ends the
 * process: a full disk, or a reader that has stopped reading, costs lines. They wait in memory up to a limit. When the
 * output takes lines again, one line says how many are missing. A line is written before `write` returns, so a process
 * that dies afterwards has written it.
 */
export class LogOutput {
  readonly #fd: number;
  readonly #own: boolean;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #lost = 0;
  #isGone = false;
  #retry: NodeJS.Timeout | undefined;
  readonly #atExit = () => this.#flush();

  constructor(fd = 1) {
    const own = withoutWaiting(fd);
    this.#fd = own ?? fd;
    this.#own = own !== null;
    process.on("exit", this.#atExit);
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#isGone) return;
    if (this.#bytes + bytes.length > WAITING_BYTES_MAX) {
      this.#lost += 1;
      return;
    }
    this.#add(bytes);
    if (this.#retry === undefined) this.#flush();
  }

  /** Writes what it can, and takes no more lines. */
  close(): void {
    this.#flush();
    process.off("exit", this.#atExit);
    clearTimeout(this.#retry);
    this.#isGone = true;
    if (this.#own) closeSync(this.#fd);
  }

  #add(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
  }

  #flush(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      const written = this.#put(next);
      if (written === null) return;
      this.#bytes -= written;
      if (written < next.length) this.#waiting[0] = next.subarray(written);
      else this.#waiting.shift();
      if (this.#waiting.length === 0 && this.#lost > 0) this.#tellLost();
    }
  }

  /** The number of bytes that the output has taken; null: it takes nothing now. */
  #put(bytes: Buffer): number | null {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      // After EPIPE no process can read the output any more.
      this.#isGone = (error as NodeJS.ErrnoException).code === "EPIPE";
      if (this.#isGone) this.#waiting = [];
      else this.#retry = setTimeout(() => this.#flush(), RETRY_MS).unref();
      return null;
    }
  }

  #tellLost(): void {
    const line = { level: 40, time: Date.now(), pid: process.pid, msg: `${this.#lost} lines of the log are lost` };
    this.#lost = 0;
    this.#add(Buffer.from(`${JSON.stringify(line)}\n`));
  }
}

/**
 * Opens a pipe once more so that a write to it never waits for the reader. The pipe's other users are not affected.
 * null: this is not possible, or it is a file, which never makes its writer wait.
 */
function withoutWaiting(fd: number): number | null {
  const kind = fstatSync(fd);
  try {
    if (kind.isFIFO()) return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // The system does not have this folder, or the pipe is another user's.
  }
  // Node makes a pipe or a socket (systemd's journal) of its standard output non-blocking when it is first used.
  if (fd === 1 && (kind.isFIFO() || kind.isSocket())) process.stdout.on("error", () => {});
  return null;
}

/** This process's standard output. */
export const standardOutput = new LogOutput();

/** A logger that writes JSON lines to this process's standard output. */
export const openLog = (level = "info"): Logger => pino({ level }, standardOutput);
