import { type Connection, createConnection } from "mysql2";

const STATEMENT_MS = 3_000;

/** Where a server listens: on a port of this machine, or on a socket. */
export type Listens = { readonly port: number } | { readonly socketPath: string };

/**
 * One connection as root, for statements about a server that may be killed, paused or restarted. It is opened when it is
 * needed, and again after an error.
 */
export class RootConnection {
  readonly #listens: Listens;
  #open: Connection | null = null;

  constructor(listens: Listens) {
    this.#listens = listens;
  }

  /** Throws if the server does not answer within `limitMs`. */
  ask(sql: string, limitMs = STATEMENT_MS): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return new Promise((resolve, reject) => {
      const connection = this.#connect(limitMs);
      connection.query({ sql, timeout: limitMs }, (error, found) => {
        if (error === null) return resolve(Array.isArray(found) ? (found as Record<string, unknown>[]) : []);
        connection.destroy();
        if (this.#open === connection) this.#open = null;
        reject(Object.assign(error, { message: `${error.message}: ${sql}` }));
      });
    });
  }

  close(): void {
    this.#open?.destroy();
    this.#open = null;
  }

  #connect(limitMs: number): Connection {
    if (this.#open !== null) return this.#open;
    const connection = createConnection({
      ...("port" in this.#listens ? { host: "127.0.0.1" } : {}),
      ...this.#listens,
      user: "root",
      connectTimeout: limitMs,
      supportBigNumbers: true,
    });
    // A connection that its server ended takes no further statement.
    connection.on("error", () => {
      if (this.#open === connection) this.#open = null;
    });
    this.#open = connection;
    return connection;
  }
}
