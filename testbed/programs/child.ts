import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";

const STOP_WITHIN_MS = 15_000;
const REPO = new URL("../..", import.meta.url);

/**
 * The variable with which a process of Node uses the test run's cache of compiled modules. A start of the service needs
 * half as much CPU time then.
 */
export const compileCache = (): Readonly<Record<string, string>> => {
  const { NODE_COMPILE_CACHE: folder } = process.env;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
};

/** A Node process of the bench. Some of these processes get orders and answer over IPC. */
export class Child {
  readonly #process: ChildProcess;
  readonly #logFile: string;

  /**
   * @param command - Node's arguments: the module and the module's arguments.
   * @param logFile - receives the process's standard output and error.
   * @param folder - a checkout of the project; this one by default.
   */
  constructor(
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    logFile: string,
    folder: string | URL = REPO,
  ) {
    const log = openSync(logFile, "w");
    this.#logFile = logFile;
    this.#process = spawn(process.execPath, [...command], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", log, log, "ipc"],
      serialization: "advanced",
    });
    closeSync(log);
    process.once("exit", this.#kill);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  send(order: object): void {
    this.#process.send(order);
  }

  /** The next message of this kind. If the process ends first, it throws an error with the end of the log. */
  next<T extends { readonly kind: string }>(kind: T["kind"]): Promise<T> {
    return new Promise((resolve, reject) => {
      const onMessage = (message: unknown): void => {
        if ((message as T).kind !== kind) return;
        this.#process.off("exit", onExit).off("message", onMessage);
        resolve(message as T);
      };
      const onExit = (): void => {
        this.#process.off("message", onMessage);
        reject(new Error(`${this.#process.spawnargs.join(" ")} ended too early:\n${this.logTail()}`));
      };
      this.#process.on("message", onMessage).once("exit", onExit);
    });
  }

  /** Throws when the process has ended by itself. */
  assertRuns(): void {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null)
      throw new Error(`${this.#process.spawnargs.join(" ")} has ended:\n${this.logTail()}`);
  }

  logTail(): string {
    return readFileSync(this.#logFile, "utf8").slice(-2_000);
  }

  async stop(): Promise<void> {
    process.off("exit", this.#kill);
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exit = once(this.#process, "exit");
    this.#process.kill("SIGTERM");
    const timer = setTimeout(this.#kill, STOP_WITHIN_MS);
    await exit;
    clearTimeout(timer);
  }

  readonly #kill = (): void => void this.#process.kill("SIGKILL");
}
