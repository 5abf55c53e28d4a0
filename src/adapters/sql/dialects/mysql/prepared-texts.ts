/** The part of mysql2's connection that this file uses. */
export interface Preparing {
  /** Closes the prepared statement of this text at the server. */
  unprepare(sql: string): unknown;
  readonly stream: { readonly destroyed: boolean };
}

/**
 * The maximum of statements that are prepared at once, on all connections of a pool. With this number,
 * docs/deployment.md computes how many replicas a server can serve.
 */
export const PREPARED_MAX = 512;

interface Prepared {
  readonly connection: Preparing;
  readonly sql: string;
}

/**
 * The texts that are prepared on each connection of one pool. A server counts the prepared statements of all replicas
 * together, so the pool has one maximum. When the maximum is reached, the statement that was not used for the longest
 * time is closed, on whatever connection it is. A few connections do most of the work, and they keep most of the
 * statements.
 */
export class PreparedTexts {
  readonly #byConnection = new WeakMap<Preparing, Map<string, Prepared>>();
  /** All statements. The statement that was not used for the longest time comes first. */
  readonly #all = new Set<Prepared>();

  /** Call this before the statement runs as a prepared statement on this connection. */
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
    // When a connection is closed, the server closes its statements with it.
    if (!oldest.connection.stream.destroyed) oldest.connection.unprepare(oldest.sql);
  }

  /** Call this if the statement is not, or no longer, prepared on this connection. */
  forget(connection: Preparing, sql: string): void {
    const texts = this.#byConnection.get(connection);
    const prepared = texts?.get(sql);
    if (texts === undefined || prepared === undefined) return;
    texts.delete(sql);
    this.#all.delete(prepared);
  }
}
