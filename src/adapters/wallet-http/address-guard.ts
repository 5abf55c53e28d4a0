/** Which addresses a wallet may have: the public internet's. Judged on the address that is connected to, so a name that rebinds gains nothing. */
import { BlockList, isIPv4, isIPv6, type LookupFunction } from "node:net";
import type { Resolve } from "./host-addresses.ts";

function ranges(family: "ipv4" | "ipv6", list: readonly string[]): BlockList {
  const blocked = new BlockList();
  for (const range of list) {
    const [address = "", bits] = range.split("/");
    blocked.addSubnet(address, Number(bits), family);
  }
  return blocked;
}

/** IANA's special-purpose IPv4 addresses: this network, private, CGNAT, loopback, link-local (metadata), documentation, 6to4, benchmarks, multicast, reserved. */
const SPECIAL_4 = ranges("ipv4", [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24"],
  ...["192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
]);
/** Global unicast is 2000::/3; loopback, ULA, link-local, mapped IPv4, NAT64 and multicast lie outside of it. */
const GLOBAL_6 = ranges("ipv6", ["2000::/3"]);
/** Inside 2000::/3, and special: protocol assignments with Teredo and ORCHID, documentation, 6to4. */
const SPECIAL_6 = ranges("ipv6", ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** Whether a textual IP address belongs to the public internet; false for anything that is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL_4.check(address, "ipv4");
  return isIPv6(address) && GLOBAL_6.check(address, "ipv6") && !SPECIAL_6.check(address, "ipv6");
}

/** A name leads to an address that a wallet may not have; nothing was sent. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * The look-up of a socket: resolves once and hands the very addresses it has judged to connect(). One address that is not
 * public refuses the name as a whole.
 */
export function guardedLookup(resolve: Resolve, allowPrivate: boolean): LookupFunction {
  return (host, _options, done) => {
    resolve(host).then(
      (addresses) => {
        const refused = allowPrivate ? undefined : addresses.find(({ address }) => !isPublicAddress(address));
        if (refused === undefined) done(null, [...addresses]);
        else done(new AddressRefused(`${host} leads to ${refused.address}, which is no public address`), []);
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };
}
