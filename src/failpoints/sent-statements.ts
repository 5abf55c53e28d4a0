import { AsyncLocalStorage } from "node:async_hooks";
import type { Knex } from "knex";
import type { Database } from "../adapters/sql/connection/database.ts";

/** Gets the tokens in hex of the lines in a statement. */
type OnSent = (tokens: ReadonlySet<string>) => void;

/** What to tell when a writing statement of this asynchronous context has left. */
const onSentOfContext = new AsyncLocalStorage<OnSent>();

/** Runs it, and tells when the last packet of a writing statement was handed to the socket: the answer can't have been read yet. */
export const whenSent = <T>(tell: OnSent, run: () => Promise<T>): Promise<T> => onSentOfContext.run(tell, run);

/** The part of a connection to a server (mysql2's) that is watched. */
interface Connection {
  execute: Execute;
  query: Execute;
  readonly stream: { write(packet: Buffer, ...more: unknown[]): boolean };
}
type Execute = (sql: unknown, bindings?: unknown, ...more: unknown[]) => unknown;

const COM_QUERY = 0x03;
const COM_STMT_EXECUTE = 0x17;
/** Behind the packet's length and number. */
const COMMAND_AT = 4;

const tokensOf = (bindings: unknown): ReadonlySet<string> =>
  new Set(Array.isArray(bindings) ? bindings.flatMap((one) => (Buffer.isBuffer(one) ? [one.toString("hex")] : [])) : []);

const watched = new WeakSet<Connection>();

/** Makes {@link whenSent} see the statements that are sent to a server. SQLite's connections have no socket. */
export function watchStatements({ knex }: Database): void {
  const client: Knex.Client = knex.client;
  const acquire: () => Promise<Connection> = client.acquireConnection.bind(client);
  client.acquireConnection = async () => {
    const connection = await acquire();
    if ("stream" in connection && !watched.has(connection)) watch(connection);
    return connection;
  };
}

function watch(connection: Connection): void {
  watched.add(connection);
  // One statement at a time has the connection, and its packets may leave in another asynchronous context than it came in.
  let tell: (() => void) | undefined;
  for (const name of ["execute", "query"] as const) {
    const ask = connection[name].bind(connection);
    connection[name] = (sql, bindings, ...more) => {
      const told = typeof sql === "string" && !sql.startsWith("SELECT") ? onSentOfContext.getStore() : undefined;
      tell = told && (() => told(tokensOf(bindings)));
      return ask(sql, bindings, ...more);
    };
  }
  const write = connection.stream.write.bind(connection.stream);
  connection.stream.write = (packet, ...more) => {
    const flushed = write(packet, ...more);
    const command = packet[COMMAND_AT];
    if (command === COM_QUERY || command === COM_STMT_EXECUTE) {
      tell?.();
      tell = undefined;
    }
    return flushed;
  };
}
