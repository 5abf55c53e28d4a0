/**
 * Resolves the names of providers' sources, and checks their addresses at every look-up. So a name that later resolves
 * to another address (DNS rebinding) cannot bypass the check. grpc-js' own resolver would block one of getaddrinfo's
 * four threads for each silent name, and would read a service config from DNS, which belongs to the provider.
 */
import { isIP } from "node:net";
import { type ChannelOptions, experimental, Metadata, status } from "@grpc/grpc-js";
import { mayBeCalled } from "../../domain/access/public-address.ts";
import type { HostAddress, Resolve } from "../names/host-addresses.ts";

/** The scheme of targets whose addresses are checked. An IP literal is checked like a name. */
export const GUARDED = "guarded:";
/** The channel option that allows private addresses. */
export const ALLOW_PRIVATE = "aggregator.allow_private";
/** The channel option with the {@link Resolve}. */
export const RESOLVE = "aggregator.resolve";

type Endpoints = Parameters<experimental.ResolverListener>[0];

/** The shortest time from the end of a look-up to the next one. */
const PAUSE_MS = 1_000;

/** If one address of a name is not allowed, the name is refused. grpc-js tries the addresses in overlapping attempts. */
class GuardedResolver implements experimental.Resolver {
  readonly #name: string;
  readonly #host: string;
  readonly #port: number;
  readonly #listener: experimental.ResolverListener;
  readonly #allowPrivate: boolean;
  readonly #resolve: Resolve;
  #isBusy = false;
  /** Whether new addresses were asked for since the last look-up began. */
  #isWanted = false;
  /** Raised by {@link destroy}, so that an older look-up tells nothing any more. */
  #life = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(target: experimental.GrpcUri, listener: experimental.ResolverListener, options: ChannelOptions) {
    const { host, port = 443 } = experimental.splitHostPort(target.path) ?? { host: target.path };
    this.#name = target.path;
    this.#host = host;
    this.#port = port;
    this.#listener = listener;
    this.#allowPrivate = options[ALLOW_PRIVATE] === true;
    this.#resolve = options[RESOLVE] as Resolve;
  }

  updateResolution(): void {
    this.#isWanted = true;
    if (!this.#isBusy) void this.#lookUp();
  }

  destroy(): void {
    this.#life += 1;
    this.#isBusy = false;
    this.#isWanted = false;
    clearTimeout(this.#pause);
  }

  async #lookUp(): Promise<void> {
    const life = this.#life;
    this.#isBusy = true;
    this.#isWanted = false;
    const endpoints = await this.#endpoints();
    if (life !== this.#life) return;
    if (!this.#listener(endpoints, {}, null, "")) this.#isWanted = true;
    this.#pause = setTimeout(() => {
      this.#isBusy = false;
      if (this.#isWanted) void this.#lookUp();
    }, PAUSE_MS).unref();
  }

  async #endpoints(): Promise<Endpoints> {
    const family = isIP(this.#host);
    try {
      return this.#checked(
        family === 0 ? await this.#resolve(this.#host) : [{ address: this.#host, family: family as 4 | 6 }],
      );
    } catch (cause) {
      const { code = "", message } = cause as NodeJS.ErrnoException;
      return failed(`Name resolution failed for target ${this.#name}: ${code || message}`);
    }
  }

  #checked(addresses: readonly HostAddress[]): Endpoints {
    const refused = addresses.find(({ address }) => !mayBeCalled(address, this.#allowPrivate));
    // IPv6 comes first, as the system's resolver returns it.
    const ordered = addresses.toSorted((a, b) => b.family - a.family);
    if (refused === undefined)
      return experimental.statusOrFromValue(
        ordered.map(({ address }) => ({ addresses: [{ host: address, port: this.#port }] })),
      );
    const advice = this.#allowPrivate ? "" : ": private addresses need PROVIDER_ALLOW_PRIVATE";
    return failed(`${this.#name} leads to ${refused.address}, which a source may not have${advice}`);
  }

  /** The name that the certificate must have. */
  static getDefaultAuthority(target: experimental.GrpcUri): string {
    return target.path;
  }
}

const failed = (details: string): Endpoints =>
  experimental.statusOrFromError({ code: status.UNAVAILABLE, details, metadata: new Metadata() });

experimental.registerResolver(GUARDED.slice(0, -1), GuardedResolver);
