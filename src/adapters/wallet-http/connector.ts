import { createSecureContext, type SecureContext } from "node:tls";
import { buildConnector } from "undici";
import type { WalletUrlRules } from "../../domain/merchant/wallet-url.ts";
import { guardedLookup } from "./address-guard.ts";
import type { Connector } from "./connection.ts";
import { dnsResolve, type Resolve, systemLookup } from "./host-addresses.ts";

export interface HttpWalletOptions extends WalletUrlRules {
  /** The time from the name look-up to the reply's last byte. */
  readonly timeoutMs: number;
  /** The name servers, `address` or `address:port`. Absent: those of the system. */
  readonly dnsServers?: readonly string[];
  /** Resolves names instead of DNS. */
  readonly resolve?: Resolve;
  /** PEM certificates of the trusted authorities. Absent: those of the system. */
  readonly ca?: string;
}

/**
 * Opens sockets to wallets: names are resolved and addresses judged at each connection, and certificates are verified.
 */
export class WalletConnectors {
  readonly #resolve: Resolve;
  readonly #allowPrivate: boolean;
  readonly #secureContext: SecureContext;

  constructor(options: HttpWalletOptions) {
    this.#resolve = options.resolve ?? dnsOf(options);
    this.#allowPrivate = options.allowPrivate;
    // All sockets share one context. A context of its own would cost each socket 75 KB and a millisecond of its
    // handshake.
    this.#secureContext = createSecureContext(options.ca === undefined ? {} : { ca: options.ca });
  }

  /** @param onLookup - is called when the name of a connection was looked up, with the error if there is one. */
  make(onLookup: (error: NodeJS.ErrnoException | null) => void = () => {}): Connector {
    const guarded = guardedLookup(this.#resolve, this.#allowPrivate);
    // With autoSelectFamily the socket looks up all addresses at once and tries them one after the other. The call's
    // deadline replaces a time-out here. rejectUnauthorized overrules NODE_TLS_REJECT_UNAUTHORIZED.
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
 * The operating system is asked only where private addresses are allowed: its own names usually have private addresses,
 * and asking it blocks a thread of the process.
 */
const dnsOf = ({ dnsServers, allowPrivate, timeoutMs }: HttpWalletOptions): Resolve =>
  dnsResolve(dnsServers, allowPrivate ? systemLookup : null, timeoutMs);
