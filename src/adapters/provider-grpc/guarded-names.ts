/**
 * Checks the addresses of providers' sources at every look-up of a name. So a name that later resolves to another
 * address (DNS rebinding) cannot bypass the check.
 */
import { type ChannelOptions, experimental, Metadata, status } from "@grpc/grpc-js";
import { mayBeCalled } from "../../domain/access/public-address.ts";

/** The scheme of targets whose addresses are checked. An IP literal is checked like a name. */
export const GUARDED = "guarded:";
/** The channel option that allows private addresses. */
export const ALLOW_PRIVATE = "aggregator.allow_private";

type Endpoints = Parameters<experimental.ResolverListener>[0];

/**
 * Wraps grpc-js's look-up, and checks the addresses before a connection is opened. If one address of a name is not
 * allowed, the name is refused.
 */
class GuardedResolver implements experimental.Resolver {
  readonly #dns: experimental.Resolver;

  constructor(target: experimental.GrpcUri, listener: experimental.ResolverListener, options: ChannelOptions) {
    const allowPrivate = options[ALLOW_PRIVATE] === true;
    const checked: experimental.ResolverListener = (endpoints, ...more) =>
      listener(check(endpoints, target.path, allowPrivate), ...more);
    this.#dns = experimental.createResolver({ ...target, scheme: "dns" }, checked, options);
  }

  updateResolution(): void {
    this.#dns.updateResolution();
  }

  destroy(): void {
    this.#dns.destroy();
  }

  /** The name that the certificate must have. */
  static getDefaultAuthority(target: experimental.GrpcUri): string {
    return target.path;
  }
}

function check(endpoints: Endpoints, name: string, allowPrivate: boolean): Endpoints {
  if (!endpoints.ok) return endpoints;
  const hosts = endpoints.value.flatMap(({ addresses }) =>
    addresses.map((address) => ("host" in address ? address.host : address.path)),
  );
  const refused = hosts.find((host) => !mayBeCalled(host, allowPrivate));
  if (refused === undefined) return endpoints;
  const details = `${name} leads to ${refused}, which a source may not have${allowPrivate ? "" : ": private addresses need PROVIDER_ALLOW_PRIVATE"}`;
  return experimental.statusOrFromError({ code: status.UNAVAILABLE, details, metadata: new Metadata() });
}

experimental.registerResolver(GUARDED.slice(0, -1), GuardedResolver);
