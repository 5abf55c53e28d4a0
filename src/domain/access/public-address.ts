/**
 * The addresses that this service may call: those of the public internet and, when the configuration allows it, private
 * ones.
 */
import { embeddedIPv4, type IpRange, isListed, parseAddress, parseIpRange } from "./ip-list.ts";

const ranges = (...list: readonly string[]): readonly IpRange[] =>
  list.map(parseIpRange).filter((range) => range !== undefined);

/**
 * IPv4 addresses that are not globally reachable, by IANA's registry of special-purpose addresses: this network,
 * private, CGNAT, loopback, link-local, protocol assignments, documentation, 6to4 relays, private, benchmarks, multicast,
 * reserved. The last entry is a public address that every machine of Azure uses for platform services.
 */
const SPECIAL_4 = ranges(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16",
);
/** IPv6's global unicast addresses. Loopback, ULA, link-local and multicast are outside of this range. */
const GLOBAL_6 = ranges("2000::/3");
/** Special-purpose addresses inside 2000::/3: protocol assignments with Teredo, documentation, 6to4. */
const SPECIAL_6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");
/**
 * Parts of the ranges above that IANA's registries call globally reachable: the anycast addresses of PCP, TURN and SRP,
 * AMT, AS112, ORCHIDv2, and drone identifiers.
 */
const REACHABLE = ranges(
  "192.0.0.9",
  "192.0.0.10",
  "2001:1::1",
  "2001:1::2",
  "2001:1::3",
  "2001:3::/32",
  "2001:4:112::/48",
  "2001:20::/28",
  "2001:30::/28",
);
/** An IPv6-only network reaches IPv4 hosts by these addresses. Each counts as the IPv4 address in it. */
const NAT64 = ranges("64:ff9b::/96");

/**
 * Addresses that are never called: link-local addresses, and the addresses at which clouds give a machine its
 * credentials (AWS, Google, Azure, Alibaba, Oracle, Scaleway). The last entry is NAT64 for local use. Each network puts
 * the IPv4 address at another place of it, so such an address may lead to any of the others.
 */
const NEVER = ranges(
  "169.254.0.0/16",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fe80::/10",
  "fd00:ec2::/32",
  "fd20:ce::254",
  "fd00:100::100:200",
  "fd00:c1::a9fe:a9fe",
  "fd00:42::42",
  "64:ff9b:1::/48",
);

/**
 * Whether an IP address, as text, belongs to the public internet. Returns false for a text that is not an address, and
 * for an IPv4 address mapped to IPv6.
 */
export function isPublicAddress(address: string): boolean {
  if (isListed(REACHABLE, address)) return true;
  if (isListed(NAT64, address)) return isPublicAddress(embeddedIPv4(address) ?? "");
  if (address.includes(":")) return isListed(GLOBAL_6, address) && !isListed(SPECIAL_6, address);
  return parseAddress(address) !== undefined && !isListed(SPECIAL_4, address);
}

/**
 * The IP address that is the host of a URL. `undefined`: the host is a name. The URL parser has already rewritten other
 * forms of an IPv4 address (0x7f.1, 2130706433) as dotted decimals.
 */
export function hostAddress({ hostname }: URL): string | undefined {
  const host = hostname.replace(/\.$/, "");
  return /^\[(.+)\]$/.exec(host)?.[1] ?? (/^[\d.]+$/.test(host) ? host : undefined);
}

/**
 * Whether an address may be called. With `allowPrivate`, every address may be called except link-local addresses and
 * the metadata services of clouds: no wallet or game server has such an address. An IPv6 address that carries such an
 * IPv4 address is refused, too.
 */
export function mayBeCalled(address: string, allowPrivate: boolean): boolean {
  if (!allowPrivate) return isPublicAddress(address);
  return [address, embeddedIPv4(address)].every(
    (one) => one === undefined || (parseAddress(one) !== undefined && !isListed(NEVER, one)),
  );
}
