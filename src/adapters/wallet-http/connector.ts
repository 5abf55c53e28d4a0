import { createSecureContext, type SecureContext } from "node:tls";
import { buildConnector } from "undici";
import type { WalletUrlRules } from "../../domain/merchant/wallet-url.ts";
import { guardedLookup } from "./address-guard.ts";
import type { Connector } from "./connection.ts";
import { dnsResolve, type Resolve, systemLookup } from "./host-addresses.ts";

export interface HttpWalletOptions extends WalletUrlRules {
  /** The maximum time from the look-up of the name to the last byte of the reply. */
  readonly timeoutMs: number;
  /** The name servers, `address` or `address:port`. Absent: the system's name servers. */
  readonly dnsServers?: readonly string[];
  /** A function that resolves names instead of DNS. */
  readonly resolve?: Resolve;
  /** PEM certificates of the trusted authorities. Absent: the system's authorities. */
  readonly ca?: string;
}

/**
 * Opens sockets to wallets. At each connection the name is resolved, its addresses are checked, and the certificate is
 * verified.
 */
export class WalletConnectors {
  readonly #resolve: Resolve;
  readonly #allowPrivate: boolean;
  readonly #secureContext: SecureContext;

  constructor(options: HttpWalletOptions) {
    this.#resolve = options.resolve ?? dnsOf(options);
    this.#allowPrivate = options.allowPrivate;
    // All sockets share one TLS context. A context for each socket would cost 75 KB, and a millisecond of each
    // handshake.
    this.#secureContext = createSecureContext(options.ca === undefined ? {} : { ca: options.ca });
  }

  /** @param onLookup - called after the look-up of a connection's name, with the error if there is one. */
  make(onLookup: (error: NodeJS.ErrnoException | null) => void = () => {}): Connector {
    const guarded = guardedLookup(this.#resolve, this.#allowPrivate);
    // With autoSelectFamily the socket looks up all addresses at once, and tries them one after the other. The call's
    // deadline takes the place of a time-out here. Because of rejectUnauthorized, NODE_TLS_REJECT_UNAUTHORIZED has no
    // effect.
    return buildConnector({
      allowH2: false,
      timeout: 0,
      autoSelectFamily: true,
      lookup: (host, options, done) =>
        guarded(host, options, (error, addresses, family) => {
          onLookup(error);
          done(error, addresses, family);
        }),
      secureContext: this.#secureContext,
      rejectUnauthorized: true,
    });
  }
}

/**
 * The operating system's look-up is used only if private addresses are allowed. The names that only the system knows
 * usually have private addresses, and its look-up blocks a thread of the process.
 */
const dnsOf = ({ dnsServers, allowPrivate, timeoutMs }: HttpWalletOptions): Resolve =>
  dnsResolve(dnsServers, allowPrivate ? systemLookup : null, timeoutMs);
