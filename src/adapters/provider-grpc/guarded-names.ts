/** Names of providers' sources, judged by the addresses that they lead to each time they are looked up, so that a name that rebinds gains nothing. */
import { type ChannelOptions, experimental, Metadata, status } from "@grpc/grpc-js";
import { mayBeCalled } from "../../domain/access/public-address.ts";

/** A target with this before it is judged. An IP literal is judged like a name. */
export const GUARDED = "guarded:";
/** A channel's own option: private addresses are allowed. */
export const ALLOW_PRIVATE = "aggregator.allow_private";

type Endpoints = Parameters<experimental.ResolverListener>[0];

/** grpc-js' own look-up, whose results are judged before a connection is made. One address that may not be called refuses the name as a whole. */
class GuardedResolver implements experimental.Resolver {
  readonly #dns: experimental.Resolver;

  constructor(target: experimental.GrpcUri, listener: experimental.ResolverListener, options: ChannelOptions) {
    const judged: experimental.ResolverListener = (endpoints, ...more) => listener(judge(endpoints, target.path, options[ALLOW_PRIVATE] === true), ...more);
    this.#dns = experimental.createResolver({ ...target, scheme: "dns" }, judged, options);
  }

  updateResolution(): void {
    this.#dns.updateResolution();
  }

  destroy(): void {
    this.#dns.destroy();
  }

  /** What the certificate must be for. */
  static getDefaultAuthority(target: experimental.GrpcUri): string {
    return target.path;
  }
}

function judge(endpoints: Endpoints, name: string, allowPrivate: boolean): Endpoints {
  if (!endpoints.ok) return endpoints;
  const hosts = endpoints.value.flatMap(({ addresses }) => addresses.map((address) => ("host" in address ? address.host : address.path)));
  const refused = hosts.find((host) => !mayBeCalled(host, allowPrivate));
  if (refused === undefined) return endpoints;
  const details = `${name} leads to ${refused}, which is no address of a source${allowPrivate ? "" : ": private ones need PROVIDER_ALLOW_PRIVATE"}`;
  return experimental.statusOrFromError({ code: status.UNAVAILABLE, details, metadata: new Metadata() });
}

experimental.registerResolver(GUARDED.slice(0, -1), GuardedResolver);
