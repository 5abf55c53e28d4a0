import type { Server, Socket } from "node:net";
import { type IpRange, isListed, networkOf } from "../../domain/access/ip-list.ts";

/** The share of the free connections that one address may have at most, if it has shown no right key. */
const STRANGERS_SHARE = 1 / 4;
/** The share of the free connections that one address may have at most. */
const SHARE = 1 / 2;
/** The number of connections that an address may always have. */
const LEAST = 64;

/** The open connections of one address. */
interface Counts {
  all: number;
  /** Those that have shown no right key or signature. */
  strange: number;
}

interface Connection {
  readonly counts: Counts;
  known: boolean;
}

/**
 * Divides a listener's connections among the callers' addresses, so that no address can take all of them. All IPv6
 * addresses of one /64 count as one. A trusted proxy stands for many callers, so its connections have no share.
 */
export class ConnectionShares {
  readonly #max: number;
  readonly #proxies: readonly IpRange[];
  readonly #byNetwork = new Map<string, Counts>();
  readonly #byPeer = new Map<string, Connection>();
  #open = 0;

  /** @param max - the maximum of open connections of the listener. */
  constructor(max: number, proxies: readonly IpRange[]) {
    this.#max = max;
    this.#proxies = proxies;
  }

  /** Counts a connection until it closes. false: its address has no share left, and the connection was closed. */
  accept(socket: Socket): boolean {
    const [address, peer] = [socket.remoteAddress ?? "", peerOf(socket)];
    const network = isListed(this.#proxies, address) ? undefined : networkOf(address);
    const counts = (network !== undefined && this.#byNetwork.get(network)) || { all: 0, strange: 0 };
    if (!this.#mayOpen(counts)) {
      socket.destroy();
      return false;
    }
    const connection: Connection = { counts, known: false };
    if (network !== undefined) this.#byNetwork.set(network, counts);
    this.#byPeer.set(peer, connection);
    this.#open += 1;
    counts.all += 1;
    counts.strange += 1;
    // This listener is on the socket, because a connection that never finishes its TLS handshake has no session.
    socket.once("close", () => {
      this.#open -= 1;
      counts.all -= 1;
      if (!connection.known) counts.strange -= 1;
      if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
      if (counts.all === 0 && network !== undefined) this.#byNetwork.delete(network);
    });
    return true;
  }

  /** Records that a right key or signature came over this connection. */
  recognize(socket: Peer): void {
    const connection = this.#byPeer.get(peerOf(socket));
    if (connection === undefined || connection.known) return;
    connection.known = true;
    connection.counts.strange -= 1;
  }

  #mayOpen({ all, strange }: Counts): boolean {
    const free = this.#max - this.#open;
    return all < Math.max(LEAST, free * SHARE) && strange < Math.max(LEAST, free * STRANGERS_SHARE);
  }
}

type Peer = Pick<Socket, "remoteAddress" | "remotePort">;

/** The other end of a connection. It is equal for a TLS socket and the socket below it. */
export const peerOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`;

/**
 * Limits a server's connections, before its own listeners for new connections run.
 *
 * @param proxies - the addresses of trusted proxies.
 */
export function shareConnections(server: Server, max: number, proxies: readonly IpRange[]): ConnectionShares {
  const shares = new ConnectionShares(max, proxies);
  // Without dropMaxConnection, the worker processes would pass a connection above the limit to each other for ever.
  Object.assign(server, { maxConnections: max, dropMaxConnection: true });
  const listeners = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    if (shares.accept(socket)) for (const listener of listeners) listener.call(server, socket);
  });
  return shares;
}
