import { Connection, type Connector } from "./connection.ts";

/**
 * A merchant's connections to its wallet: as many as it has calls, no queue and no limit of its own (the merchant's places
 * are the limit), shared with no other merchant even when both have the same walletUrl.
 */
export class MerchantConnections {
  readonly walletUrl: string;
  /** Path and query, as sent and signed. */
  readonly path: string;
  readonly #origin: string;
  readonly #connector: Connector;
  /** Last used, first taken: after a peak the surplus grows idle and is closed. */
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  #closed = false;

  /** @param walletUrl - without fault by walletUrlFault. */
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

  /** Gives back a connection whose reply was complete and sound. */
  release(connection: Connection): void {
    if (this.#closed) this.destroy(connection);
    else this.#idle.push(connection);
  }

  /** Gives up a connection; nothing that may still come over it is ever read. */
  destroy(connection: Connection): void {
    this.#all.delete(connection);
    connection.destroy();
  }

  /** The walletUrl is no longer this one: calls that run may end, nothing is kept after them. */
  retire(): void {
    this.#closed = true;
    for (const connection of this.#idle.splice(0)) this.destroy(connection);
  }

  /** As {@link retire}, and calls that run end at once. */
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
