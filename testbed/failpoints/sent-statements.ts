import { AsyncLocalStorage } from "node:async_hooks";
import type { Knex } from "knex";
import type { Database } from "../../src/adapters/sql/connection/database.ts";

/** A callback that gets the lease tokens, in hex, of the lines in a sent statement. */
type OnSent = (tokens: ReadonlySet<string>) => void;

/** The callback for the writing statements of the present asynchronous context. */
const onSentOfContext = new AsyncLocalStorage<OnSent>();

/**
 * Calls `run`. Calls `onSent` when the last packet of a writing statement has been passed to the socket, before its
 * answer can be read.
 */
export const whenSent = <T>(onSent: OnSent, run: () => Promise<T>): Promise<T> => onSentOfContext.run(onSent, run);

/** The part of a connection to a server (of mysql2) that is watched. */
interface Connection {
  execute: Execute;
  query: Execute;
  readonly stream: { write(packet: Buffer, ...more: unknown[]): boolean };
}
type Execute = (sql: unknown, bindings?: unknown, ...more: unknown[]) => unknown;

const COM_QUERY = 0x03;
const COM_STMT_EXECUTE = 0x17;
/** The offset of the command byte, after the packet's length and number. */
const COMMAND_AT = 4;

const tokensOf = (bindings: unknown): ReadonlySet<string> =>
  new Set(
    Array.isArray(bindings) ? bindings.flatMap((one) => (Buffer.isBuffer(one) ? [one.toString("hex")] : [])) : [],
  );

const watched = new WeakSet<Connection>();

/**
 * Makes {@link whenSent} work for the statements that are sent to a server. SQLite's connections have no socket, so it
 * does not work for them.
 */
export function watchStatements({ knex, recurring }: Pick<Database, "knex" | "recurring">): void {
  // On SQLite both are the same.
  for (const pool of new Set([knex, recurring])) watchPool(pool);
}

function watchPool({ client }: Knex): void {
  const acquire: () => Promise<Connection> = client.acquireConnection.bind(client);
  client.acquireConnection = async () => {
    const connection = await acquire();
    if ("stream" in connection && !watched.has(connection)) watch(connection);
    return connection;
  };
}

function watch(connection: Connection): void {
  watched.add(connection);
  // A connection runs one statement at a time, but its packets may be written in another asynchronous context than that
  // of the call. So the callback is kept in a variable of the connection.
  let notify: (() => void) | undefined;
  for (const name of ["execute", "query"] as const) {
    const execute = connection[name].bind(connection);
    connection[name] = (sql, bindings, ...more) => {
      const onSent = typeof sql === "string" && !sql.startsWith("SELECT") ? onSentOfContext.getStore() : undefined;
      notify = onSent && (() => onSent(tokensOf(bindings)));
      return execute(sql, bindings, ...more);
    };
  }
  const write = connection.stream.write.bind(connection.stream);
  connection.stream.write = (packet, ...more) => {
    const flushed = write(packet, ...more);
    const command = packet[COMMAND_AT];
    if (command === COM_QUERY || command === COM_STMT_EXECUTE) {
      notify?.();
      notify = undefined;
    }
    return flushed;
  };
}
