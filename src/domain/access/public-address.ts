/**
 * The addresses that this service may call: those of the public internet and, when the configuration allows it, private
 * ones.
 */
import { type IpRange, isListed, parseAddress, parseIpRange } from "./ip-list.ts";

const ranges = (...list: readonly string[]): readonly IpRange[] =>
  list.map(parseIpRange).filter((range) => range !== undefined);

/**
 * IANA's special-purpose IPv4 addresses: this network, private, CGNAT, loopback, link-local, documentation, 6to4,
 * benchmarks, multicast, reserved. The last entry is a public address that every machine of Azure uses for platform
 * services.
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
/** IPv6's global unicast addresses. Loopback, ULA, link-local, NAT64 and multicast are outside of this range. */
const GLOBAL_6 = ranges("2000::/3");
/** Special-purpose addresses inside 2000::/3: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const SPECIAL_6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

/**
 * Link-local addresses, and the addresses at which clouds give a machine its credentials: AWS, Google, Azure, Alibaba,
 * Oracle. The last entry is link-local IPv4 behind NAT64.
 */
const METADATA = ranges(
  "169.254.0.0/16",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fe80::/10",
  "fd00:ec2::254",
  "fd20:ce::254",
  "64:ff9b::a9fe:0/112",
);

/**
 * Whether an IP address, as text, belongs to the public internet. Returns false for a text that is not an address, and
 * for an IPv4 address mapped to IPv6.
 */
export function isPublicAddress(address: string): boolean {
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
 * the metadata services of clouds: no wallet or game server has such an address.
 */
export function mayBeCalled(address: string, allowPrivate: boolean): boolean {
  return allowPrivate ? parseAddress(address) !== undefined && !isListed(METADATA, address) : isPublicAddress(address);
}
