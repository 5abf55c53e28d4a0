/** The program of a thread with one SQLite connection. It runs the statements in the order in which they arrive. */
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { compiled, type SqliteConnection } from "./compiled.ts";
import { prepareConnection } from "./session.ts";
import type { Message, Reply, ThreadOptions } from "./thread.ts";

// better-sqlite3 has no types of its own.
const Sqlite: new (filename: string, options: { readonly: boolean }) => SqliteConnection = createRequire(
  import.meta.url,
)("better-sqlite3");

const { filename, readonly, settings } = workerData as ThreadOptions;
const connection = new Sqlite(filename, { readonly });
connection.defaultSafeIntegers(true);
prepareConnection(connection, settings);

parentPort?.on("message", (message: Message) => {
  if (message === "close") {
    connection.close();
    parentPort?.close();
  } else parentPort?.postMessage(replyTo(message.sql, message.bindings));
});

function replyTo(sql: string, bindings: readonly unknown[]): Reply {
  try {
    const statement = compiled(connection, sql);
    if (statement.reader) return { rows: statement.all(bindings) };
    const { changes, lastInsertRowid } = statement.run(bindings);
    return { changes, lastInsertRowid };
  } catch (error) {
    // A message between threads keeps only the text of an error. The code shows what the error means.
    const { message, code } = error as Error & { code?: unknown };
    return { message, code };
  }
}
