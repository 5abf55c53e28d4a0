/** The program of a thread with one SQLite connection. It runs the statements in the order in which they arrive. */
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { runCompiled, type SqliteConnection } from "./compiled.ts";
import { prepareConnection } from "./session.ts";
import type { Message, Reply, ThreadOptions } from "./thread.ts";

// better-sqlite3 has no types of its own.
const Sqlite: new (filename: string, options: { readonly: boolean }) => SqliteConnection = createRequire(
  import.meta.url,
)("better-sqlite3");

const connection = open(workerData as ThreadOptions);

function open({ filename, readonly, settings }: ThreadOptions): SqliteConnection {
  try {
    const opened = new Sqlite(filename, { readonly });
    opened.defaultSafeIntegers(true);
    prepareConnection(opened, settings);
    return opened;
  } catch (error) {
    // The driver's own error for a missing folder has no code.
    throw Object.assign(error as Error, { code: (error as { code?: string }).code ?? "SQLITE_CANTOPEN" });
  }
}

parentPort?.on("message", (message: Message) => {
  if (message === "close") {
    connection.close();
    parentPort?.close();
  } else parentPort?.postMessage(replyTo(message.sql, message.bindings));
});

function replyTo(sql: string, bindings: readonly unknown[]): Reply {
  try {
    return runCompiled(connection, sql, bindings);
  } catch (error) {
    // A message between threads keeps only the text of an error. The code shows what the error means.
    const { message, code } = error as Error & { code?: unknown };
    return { message, code };
  }
}
