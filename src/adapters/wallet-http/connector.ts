import { isIP, type LookupFunction, type Socket } from "node:net";
import { createSecureContext, type SecureContext, type TLSSocket } from "node:tls";
import { buildConnector } from "undici";
import type { WalletUrlRules } from "../../domain/merchant/wallet-url.ts";
import { connectFirst, type Opening } from "../names/connect-first.ts";
import { dnsResolve, type HostAddress, type Resolve, systemLookup } from "../names/host-addresses.ts";
import { guardedLookup } from "./address-guard.ts";
import type { Connector, WalletClient } from "./connection.ts";

export interface HttpWalletOptions extends WalletUrlRules {
  /** Absent: `own`. */
  readonly client?: WalletClient;
  /** The maximum time from the look-up of the name to the last byte of the reply. */
  readonly timeoutMs: number;
  /** The name servers, `address` or `address:port`. Absent: the system's name servers. */
  readonly dnsServers?: readonly string[];
  /** A function that resolves names instead of DNS. */
  readonly resolve?: Resolve;
  /** PEM certificates of the trusted authorities. Absent: the system's authorities. */
  readonly ca?: string;
}

/** Called when a step of opening a connection has ended. */
export interface Steps {
  readonly lookedUp?: (error: NodeJS.ErrnoException | null) => void;
  readonly connected?: () => void;
  /** The handshake has begun. */
  readonly securing?: (socket: TLSSocket) => void;
}

/**
 * Opens sockets to wallets. At each connection the name is resolved, its addresses are checked, and the certificate is
 * verified. The call's deadline takes the place of a time-out here.
 */
export class WalletConnectors {
  readonly #lookup: LookupFunction;
  readonly #secureContext: SecureContext;

  constructor(options: HttpWalletOptions) {
    this.#lookup = guardedLookup(options.resolve ?? dnsOf(options), options.allowPrivate);
    // All sockets share one TLS context. A context for each socket would cost 75 KB, and a millisecond of each
    // handshake.
    this.#secureContext = createSecureContext(options.ca === undefined ? {} : { ca: options.ca });
  }

  make({ lookedUp, connected, securing }: Steps = {}): Connector {
    // Because of rejectUnauthorized, NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    const secured = buildConnector({
      allowH2: false,
      timeout: 0,
      secureContext: this.#secureContext,
      rejectUnauthorized: true,
    });
    return (options, done) => {
      const { protocol, hostname, port } = options;
      let opening: Opening | Socket | undefined;
      let isOver = false;
      const connect = (addresses: readonly HostAddress[]): void => {
        opening = connectFirst(addresses, Number(port || (protocol === "https:" ? 443 : 80)), (error, socket) => {
          if (socket === null) return done(error ?? new Error("no connection"), null);
          connected?.();
          socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
          opening = socket;
          if (protocol !== "https:") return done(null, socket);
          // undici's connector returns its socket, although its type does not show this.
          opening = secured({ ...options, httpSocket: socket }, done) as unknown as Socket;
          securing?.(opening as TLSSocket);
        });
      };
      const family = isIP(hostname);
      if (family !== 0) connect([{ address: hostname, family: family as 4 | 6 }]);
      else
        this.#lookup(hostname, { all: true }, (error, addresses) => {
          if (isOver) return;
          lookedUp?.(error);
          if (error === null) connect(addresses as HostAddress[]);
          else done(error, null);
        });
      return {
        destroy: () => {
          isOver = true;
          opening?.destroy();
        },
      };
    };
  }
}

/** When the system begins to test whether the other side of an idle connection still exists. */
const KEEP_ALIVE_MS = 60_000;

/**
 * The operating system's look-up is used only if private addresses are allowed. The names that only the system knows
 * usually have private addresses, and its look-up blocks a thread of the process.
 */
const dnsOf = ({ dnsServers, allowPrivate, timeoutMs }: HttpWalletOptions): Resolve =>
  dnsResolve(dnsServers, allowPrivate ? systemLookup : null, timeoutMs);
