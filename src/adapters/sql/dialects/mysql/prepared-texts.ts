/** The part of mysql2's connection that prepares. */
export interface Preparing {
  /** Gives the statement of this text back to the server. */
  unprepare(sql: string): unknown;
  readonly stream: { readonly destroyed: boolean };
}

/** Statements prepared at once on all connections of a pool. docs/deployment.md tells how many replicas a server carries by it. */
export const PREPARED_MAX = 512;

interface Prepared {
  readonly connection: Preparing;
  readonly sql: string;
}

/**
 * What is prepared on which connection of one pool. A server counts the prepared statements of all replicas together, so the pool has one
 * bound: the one longest unused is given back, whichever connection has it. Few connections do most of the work, and keep most of them.
 */
export class PreparedTexts {
  readonly #of = new WeakMap<Preparing, Map<string, Prepared>>();
  /** Those longest unused first. */
  readonly #all = new Set<Prepared>();

  /** The statement is about to run, prepared, on this connection. */
  use(connection: Preparing, sql: string): void {
    const texts = this.#of.get(connection) ?? new Map<string, Prepared>();
    this.#of.set(connection, texts);
    const prepared = texts.get(sql) ?? { connection, sql };
    texts.set(sql, prepared);
    this.#all.delete(prepared);
    this.#all.add(prepared);
    if (this.#all.size <= PREPARED_MAX) return;
    const [oldest] = this.#all;
    if (oldest === undefined) return;
    this.forget(oldest.connection, oldest.sql);
    // A connection that is gone has given all back.
    if (!oldest.connection.stream.destroyed) oldest.connection.unprepare(oldest.sql);
  }

  /** The statement is not prepared, or no longer. */
  forget(connection: Preparing, sql: string): void {
    const texts = this.#of.get(connection);
    const prepared = texts?.get(sql);
    if (texts === undefined || prepared === undefined) return;
    texts.delete(sql);
    this.#all.delete(prepared);
  }
}
