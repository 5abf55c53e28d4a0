import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Row } from "../../connection/statement.ts";
import type { Pragma } from "./session.ts";

export interface ThreadOptions {
  readonly filename: string;
  readonly readonly: boolean;
  readonly settings: readonly Pragma[];
}

/** What a thread receives: a statement, or the end. */
export type Message = { readonly sql: string; readonly bindings: readonly unknown[] } | "close";

type Result = { readonly rows: readonly Row[] } | { readonly changes: number; readonly lastInsertRowid: bigint };
/** What a thread sends for each statement: the result, or SQLite's error. */
export type Reply = Result | { readonly message: string; readonly code: unknown };

/** The code of a statement's error if the thread ended before it replied. The statement may have been applied. */
export const THREAD_ENDED = "THREAD_ENDED";

interface Waiting {
  resolve(result: Result): void;
  reject(cause: unknown): void;
}

/**
 * One SQLite connection in a thread of its own. SQLite waits for the disk at each commit. In this thread that wait would
 * stop every call, and in its own thread it stops only the next statements.
 */
export class SqliteThread {
  readonly #worker: Worker;
  /** The statements that were sent and have no reply yet, in their order. */
  #waiting: Waiting[] = [];
  /** Why the thread could not open the file, or why it ended. */
  #error: unknown;
  #ended = false;

  constructor(options: ThreadOptions) {
    this.#worker = new Worker(new URL("./thread-main.ts", import.meta.url), { workerData: options });
    this.#worker.on("message", (reply: Reply) => this.#reply(reply));
    this.#worker.on("error", (error) => {
      this.#error = error;
    });
    this.#worker.on("exit", () => this.#end());
    this.#worker.unref();
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Runs a statement after the earlier ones. Rejects with SQLite's message and code. */
  run(sql: string, bindings: readonly unknown[]): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(this.#endError());
        return;
      }
      // The process stays alive only while a statement runs.
      this.#worker.ref();
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage({ sql, bindings } satisfies Message);
    });
  }

  /** Closes the connection after the last statement. */
  async close(): Promise<void> {
    if (this.#ended) return;
    this.#worker.ref();
    const exit = once(this.#worker, "exit");
    this.#worker.postMessage("close" satisfies Message);
    await exit;
  }

  #reply(reply: Reply): void {
    const waiting = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    if ("message" in reply) waiting?.reject(Object.assign(new Error(reply.message), { code: reply.code }));
    else waiting?.resolve("rows" in reply ? { rows: reply.rows.map(withBuffers) } : reply);
  }

  #end(): void {
    this.#ended = true;
    for (const { reject } of this.#waiting) reject(this.#endError());
    this.#waiting = [];
  }

  #endError(): Error {
    const cause = this.#error as { message: string; code?: unknown } | undefined;
    return cause === undefined
      ? Object.assign(new Error("SQLite's thread has ended"), { code: THREAD_ENDED })
      : Object.assign(new Error(cause.message, { cause }), { code: cause.code });
  }
}

/** Makes Buffers of a row's bytes again. A message between threads turns a Buffer into a Uint8Array. */
function withBuffers(row: Record<string, unknown>): Row {
  for (const name in row) {
    const value = row[name];
    if (value instanceof Uint8Array) row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return row;
}
