/** The part of mysql2's connection that prepares. */
export interface Preparing {
  /** Gives the statement of this text back to the server. */
  unprepare(sql: string): unknown;
  readonly stream: { readonly destroyed: boolean };
}

/**
 * Statements prepared at once on all connections of a pool. docs/deployment.md tells how many replicas a server can
 * carry with it.
 */
export const PREPARED_MAX = 512;

interface Prepared {
  readonly connection: Preparing;
  readonly sql: string;
}

/**
 * The texts that are prepared on each connection of one pool. A server counts the prepared statements of all replicas
 * together, so the pool has one bound. At the bound the statement that was unused for longest is given back, on
 * whichever connection it is. A few connections do most of the work, and they keep most of the statements.
 */
export class PreparedTexts {
  readonly #byConnection = new WeakMap<Preparing, Map<string, Prepared>>();
  /** The one unused for longest stands first. */
  readonly #all = new Set<Prepared>();

  /** Call it before the statement runs, prepared, on this connection. */
  use(connection: Preparing, sql: string): void {
    const texts = this.#byConnection.get(connection) ?? new Map<string, Prepared>();
    this.#byConnection.set(connection, texts);
    const prepared = texts.get(sql) ?? { connection, sql };
    texts.set(sql, prepared);
    this.#all.delete(prepared);
    this.#all.add(prepared);
    if (this.#all.size <= PREPARED_MAX) return;
    const [oldest] = this.#all;
    if (oldest === undefined) return;
    this.forget(oldest.connection, oldest.sql);
    // The server dropped the statements of a closed connection with it.
    if (!oldest.connection.stream.destroyed) oldest.connection.unprepare(oldest.sql);
  }

  /** The statement is not prepared on this connection, or no longer. */
  forget(connection: Preparing, sql: string): void {
    const texts = this.#byConnection.get(connection);
    const prepared = texts?.get(sql);
    if (texts === undefined || prepared === undefined) return;
    texts.delete(sql);
    this.#all.delete(prepared);
  }
}
