import { Connection, type Connector } from "./connection.ts";

/**
 * A merchant's connections to its wallet, one for each running call. There is no queue and no limit here: the
 * merchant's permits are the limit. Two merchants never share a connection, even when they have the same walletUrl.
 */
export class MerchantConnections {
  readonly walletUrl: string;
  /** The path and query of the walletUrl, which are sent and signed. */
  readonly path: string;
  readonly #origin: string;
  readonly #connector: Connector;
  /** The connection that was used last is taken first. So after a peak the surplus ones stay idle and are closed. */
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  #closed = false;

  /** @param walletUrl - a URL for which walletUrlFault found no fault. */
  constructor(walletUrl: string, connector: Connector) {
    const url = new URL(walletUrl);
    this.walletUrl = walletUrl;
    this.path = url.pathname + url.search;
    this.#origin = url.origin;
    this.#connector = connector;
  }

  take(): Connection {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const connection = new Connection(this.#origin, this.#connector, this.#disconnected);
    this.#all.add(connection);
    return connection;
  }

  /** Returns a connection for the next call. Its reply must have been complete and valid. */
  release(connection: Connection): void {
    if (this.#closed) this.destroy(connection);
    else this.#idle.push(connection);
  }

  /** Closes a connection. Nothing more is read from it. */
  destroy(connection: Connection): void {
    this.#all.delete(connection);
    connection.destroy();
  }

  /** Is called when the merchant has a new walletUrl. Running calls may end; then their connections are closed. */
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
