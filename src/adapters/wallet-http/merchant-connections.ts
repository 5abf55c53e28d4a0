import type { Connection, Connector, MakeConnection } from "./connection.ts";

/**
 * A merchant's connections to its wallet, one for each running call. This class has no queue and no limit, because the
 * merchant's permits are the limit. Two merchants never share a connection, even when they have the same walletUrl.
 */
export class MerchantConnections {
  readonly walletUrl: string;
  /** The path and query of the walletUrl, which are sent and signed. */
  readonly path: string;
  readonly #make: () => Connection;
  /**
   * The connection that was used last is used next. So after a peak the connections that are no longer needed stay idle
   * and are closed.
   */
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  #closed = false;

  /** @param walletUrl - a URL for which walletUrlFault found no fault. */
  constructor(walletUrl: string, make: MakeConnection, connector: Connector) {
    const url = new URL(walletUrl);
    this.walletUrl = walletUrl;
    this.path = url.pathname + url.search;
    this.#make = () => make(url.origin, connector, this.#disconnected);
  }

  take(): Connection {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const connection = this.#make();
    this.#all.add(connection);
    return connection;
  }

  /** Puts a connection back for the next call. Call this only if its last reply was complete and valid. */
  release(connection: Connection): void {
    if (this.#closed) this.destroy(connection);
    else this.#idle.push(connection);
  }

  /** Closes a connection. Nothing more is read from it. */
  destroy(connection: Connection): void {
    this.#all.delete(connection);
    connection.destroy();
  }

  /** Call this when the merchant has a new walletUrl. Running calls may end. Then their connections are closed. */
  retire(): void {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) this.destroy(connection);
  }

  /** Like {@link retire}, but running calls end at once. */
  close(): void {
    this.retire();
    for (const connection of this.#all) this.destroy(connection);
  }

  readonly #disconnected = (connection: Connection): void => {
    const at = this.#idle.indexOf(connection);
    if (at < 0) return;
    this.#idle.splice(at, 1);
    this.#all.delete(connection);
  };
}
