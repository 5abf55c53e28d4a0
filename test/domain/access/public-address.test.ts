/**
 * Compares the table of callable addresses with IANA's registries of special-purpose IPv4 and IPv6 addresses: an
 * address inside of each block, and the addresses just before and after it.
 */
import test from "ava";
import { type IpRange, ipRangeText, parseIpRange } from "../../../src/domain/access/ip-list.ts";
import { isPublicAddress, mayBeCalled } from "../../../src/domain/access/public-address.ts";

/** The blocks of the registries, with their column "Globally Reachable". "N/A" counts as no. */
const REGISTRY: readonly (readonly [block: string, reachable: boolean])[] = [
  ["0.0.0.0/8", false],
  ["10.0.0.0/8", false],
  ["100.64.0.0/10", false],
  ["127.0.0.0/8", false],
  ["169.254.0.0/16", false],
  ["172.16.0.0/12", false],
  ["192.0.0.0/24", false],
  ["192.0.0.0/29", false],
  ["192.0.0.8/32", false],
  ["192.0.0.9/32", true],
  ["192.0.0.10/32", true],
  ["192.0.0.170/32", false],
  ["192.0.0.171/32", false],
  ["192.0.2.0/24", false],
  ["192.31.196.0/24", true],
  ["192.52.193.0/24", true],
  ["192.88.99.0/24", false],
  ["192.88.99.2/32", false],
  ["192.168.0.0/16", false],
  ["192.175.48.0/24", true],
  ["198.18.0.0/15", false],
  ["198.51.100.0/24", false],
  ["203.0.113.0/24", false],
  ["240.0.0.0/4", false],
  ["255.255.255.255/32", false],
  ["::1/128", false],
  ["::/128", false],
  ["::ffff:0:0/96", false],
  ["64:ff9b:1::/48", false],
  ["100::/64", false],
  ["100:0:0:1::/64", false],
  ["2001::/23", false],
  ["2001::/32", false],
  ["2001:1::1/128", true],
  ["2001:1::2/128", true],
  ["2001:1::3/128", true],
  ["2001:2::/48", false],
  ["2001:3::/32", true],
  ["2001:4:112::/48", true],
  ["2001:10::/28", false],
  ["2001:20::/28", true],
  ["2001:30::/28", true],
  ["2001:db8::/32", false],
  ["2002::/16", false],
  ["2620:4f:8000::/48", true],
  ["3fff::/20", false],
  ["5f00::/16", false],
  ["fc00::/7", false],
  ["fe80::/10", false],
  // Not in the registries of special-purpose addresses: multicast, what is no global unicast address, Azure's own.
  ["224.0.0.0/4", false],
  ["ff00::/8", false],
  ["::/3", false],
  ["4000::/2", false],
  ["8000::/1", false],
  ["168.63.129.16/32", false],
];

/** NAT64 is reachable, but RFC 6052 allows only global IPv4 addresses in it. */
const NAT64: typeof REGISTRY = [
  ["64:ff9b::/96", true],
  ...REGISTRY.filter(([block]) => !block.includes(":")).map(([block, reachable]) => {
    const [address = "", bits] = block.split("/");
    return [`64:ff9b::${address}/${Number(bits) + 96}`, reachable] as const;
  }),
];

interface Block extends IpRange {
  readonly reachable: boolean;
}

function blockOf(text: string, reachable: boolean): Block {
  // The parser reads mapped addresses as IPv4. The test needs their block as IPv6.
  const range =
    text === "::ffff:0:0/96"
      ? ({ bits: 128, value: 0xffffn << 32n, prefix: 96 } as const)
      : (parseIpRange(text) as IpRange);
  return { ...range, reachable };
}

const BLOCKS = [...REGISTRY, ...NAT64].map(([text, reachable]) => blockOf(text, reachable));

const textOf = (bits: 32 | 128, value: bigint): string =>
  bits === 128 && value >> 32n === 0xffffn
    ? `::ffff:${ipRangeText({ bits: 32, value: value & 0xffff_ffffn, prefix: 32 })}`
    : ipRangeText({ bits, value, prefix: bits });

/** The answer of the smallest block of the registry that has the address. */
function expected(bits: 32 | 128, value: bigint): boolean {
  const holders = BLOCKS.filter((one) => one.bits === bits && (value ^ one.value) >> BigInt(bits - one.prefix) === 0n);
  const smallest = holders.toSorted((a, b) => b.prefix - a.prefix)[0];
  return smallest?.reachable ?? true;
}

test("isPublicAddress agrees with IANA's registries at the first and last address of each block, and just outside of it", (t) => {
  for (const { bits, value, prefix } of BLOCKS) {
    const size = 1n << BigInt(bits - prefix);
    const end = 1n << BigInt(bits);
    for (const one of [value - 1n, value, value + size / 2n, value + size - 1n, value + size])
      if (one >= 0n && one < end) t.is(isPublicAddress(textOf(bits, one)), expected(bits, one), textOf(bits, one));
  }
});

/** Addresses of machines' own credentials and of link-local networks. Nothing that we call has such an address. */
const NEVER = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "169.254.42.42",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fe80::a9fe:a9fe",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
  "fd00:100::100:200",
  "fd00:c1::a9fe:a9fe",
  "fd00:42::42",
  "64:ff9b:1::1",
  "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
];
/** The neighbours of the entries above. A private network may use them. */
const NEIGHBOURS = [
  "169.253.255.255",
  "169.255.0.0",
  "168.63.129.15",
  "168.63.129.17",
  "100.100.100.199",
  "100.100.100.201",
  "192.0.0.191",
  "192.0.0.193",
  "fe7f:ffff::1",
  "fec0::1",
  "fd00:ec1:ffff::1",
  "fd00:ec3::1",
  "fd20:ce::253",
  "fd20:ce::255",
  "fd00:100::100:199",
  "fd00:100::100:201",
  "fd00:42::41",
  "fd00:42::43",
  "64:ff9b:0:ffff::1",
  "64:ff9b:2::1",
];

test("mayBeCalled refuses link-local and metadata addresses, also where private addresses are allowed", (t) => {
  for (const address of NEVER) {
    t.false(mayBeCalled(address, true), address);
    t.false(mayBeCalled(address, false), address);
  }
  for (const address of [...NEIGHBOURS, "127.0.0.1", "10.0.0.1", "::1", "fd12::1", "2606:4700::1111"])
    t.true(mayBeCalled(address, true), address);
  for (const text of ["", "localhost", "127.1", "[::1]", "fe80::1%eth0", "10.0.0.1 "]) t.false(mayBeCalled(text, true));
});

test("mayBeCalled reads the IPv4 address inside an IPv6 address of each transition technique", (t) => {
  const forms = (hex: string, dotted: string, inverted: string) => [
    `::ffff:${dotted}`,
    `::${dotted}`,
    `::ffff:0:${hex}`,
    `64:ff9b::${hex}`,
    `2002:${hex}::1`,
    `2001:0:808:808:0:0:${inverted}`,
  ];
  for (const address of forms("a9fe:a9fe", "169.254.169.254", "5601:5601")) {
    t.false(mayBeCalled(address, true), address);
    t.false(mayBeCalled(address, false), address);
  }
  for (const address of forms("a00:1", "10.0.0.1", "f5ff:fffe")) {
    t.true(mayBeCalled(address, true), address);
    t.false(mayBeCalled(address, false), address);
  }
  t.true(mayBeCalled("64:ff9b::808:808", false));
});
