/** Which addresses this service may call, whoever named them: the public internet's, and where it is said so private ones. */
import { type IpRange, isListed, parseAddress, parseIpRange } from "./ip-list.ts";

const ranges = (...list: readonly string[]): readonly IpRange[] => list.map(parseIpRange).filter((range) => range !== undefined);

/** IANA's special-purpose IPv4 addresses: this network, private, CGNAT, loopback, link-local, documentation, 6to4, benchmarks, multicast, reserved. The last is a public one that Azure has on each of its machines. */
const SPECIAL_4 = ranges(
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24"],
  ...["192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16"],
);
/** Global unicast is 2000::/3; loopback, ULA, link-local, NAT64 and multicast lie outside of it. */
const GLOBAL_6 = ranges("2000::/3");
/** Inside 2000::/3, and special: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const SPECIAL_6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

/** Link-local, and where clouds tell a machine its own credentials: AWS, Google, Azure, Alibaba, Oracle. The last is link-local IPv4 behind NAT64. */
const METADATA = ranges(
  ...["169.254.0.0/16", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fe80::/10", "fd00:ec2::254", "fd20:ce::254", "64:ff9b::a9fe:0/112"],
);

/** Whether a textual IP address belongs to the public internet; false for anything that is no address, and for IPv4 mapped to IPv6. */
export function isPublicAddress(address: string): boolean {
  if (address.includes(":")) return isListed(GLOBAL_6, address) && !isListed(SPECIAL_6, address);
  return parseAddress(address) !== undefined && !isListed(SPECIAL_4, address);
}

/** Whether an address may be called. With `allowPrivate` any but link-local ones and clouds' metadata services, which are nobody's wallet or game server. */
export function mayBeCalled(address: string, allowPrivate: boolean): boolean {
  return allowPrivate ? parseAddress(address) !== undefined && !isListed(METADATA, address) : isPublicAddress(address);
}
