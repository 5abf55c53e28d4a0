import { BlockList, isIP } from "node:net";
import {
  clientAddress,
  type IpRange,
  ipRangeText,
  isListed,
  networkOf,
  parseIpRange,
  plainAddress,
} from "../../../../src/domain/access/ip-list.ts";
import { isPublicAddress } from "../../../../src/domain/access/public-address.ts";
import type { SeededRandom } from "../../../../testbed/seeded-random.ts";
import type { Kind } from "../../kind.ts";
import { mutateText } from "../../mutate.ts";

const v4 = (random: SeededRandom): string =>
  Array.from({ length: 4 }, () => random.pick([0, 1, 10, 127, 169, 192, 254, 255, random.int(0, 255)])).join(".");
const group = (random: SeededRandom): string =>
  random.pick(["0", "1", "ffff", "fe80", "2001", "db8", random.int(0, 0xffff).toString(16)]);

function address(random: SeededRandom): string {
  const groups = (count: number): string => Array.from({ length: count }, () => group(random)).join(":");
  switch (random.int(0, 5)) {
    case 0:
      return `::ffff:${v4(random)}`;
    case 1:
      return groups(8);
    case 2:
      return `${groups(random.int(0, 3))}::${groups(random.int(0, 4))}`;
    default:
      return v4(random);
  }
}

interface ListInput {
  readonly range: string;
  readonly address: string;
}

/** Entries of an IP list and their members, compared with Node's own block list. */
export const ipLists: Kind<ListInput> = {
  name: "ip-lists",
  reader: "domain/access/ip-list, wallet-http/address-guard",
  perMillion: 80_000,
  generate: (random) => {
    const base = address(random);
    return {
      range: random.chance(0.6) ? `${base}/${random.int(0, base.includes(":") ? 128 : 32)}` : base,
      address: random.chance(0.4) ? base : address(random),
    };
  },
  mutate: (random, { range, address: from }) =>
    random.chance(0.6)
      ? { range: mutateText(random, range), address: from }
      : { range, address: mutateText(random, from) },
  check: ({ range, address: from }) => [...rangeFaults(range), ...listFaults(range, from), ...addressFaults(from)],
};

/**
 * The family by the standard library; 0: no address. An address with a zone is local to a machine and does not count as
 * an address.
 */
const family = (text: string): 0 | 4 | 6 => (text.includes("%") ? 0 : (isIP(text) as 0 | 4 | 6));
const isMapped = (text: string): boolean => plainAddress(text) !== text && family(plainAddress(text)) === 4;

function rangeFaults(text: string): string[] {
  const [base = "", bits, ...more] = text.split("/");
  const range = parseIpRange(text);
  if (range === undefined) {
    const isPlain = more.length === 0 && family(base) !== 0 && (bits === undefined || /^(0|[1-9]\d*)$/.test(bits));
    const max = family(base) === 4 ? 32 : 128;
    return isPlain && (bits === undefined || (Number(bits) <= max && Number(bits) >= (isMapped(base) ? 96 : 0)))
      ? [`${text} is a range`]
      : [];
  }
  if (family(base) === 0) return [`${text} was read as a range`];
  const again = parseIpRange(ipRangeText(range));
  return again?.value === range.value && again.prefix === range.prefix && again.bits === range.bits
    ? []
    : [`${text} is written as ${ipRangeText(range)}`];
}

function listFaults(text: string, from: string): string[] {
  const range = parseIpRange(text);
  if (range === undefined) return [];
  const is = isListed([range], from);
  if (family(from) === 0) return is ? [`${from} is in ${text}`] : [];
  const list = new BlockList();
  const kind = range.bits === 32 ? "ipv4" : "ipv6";
  list.addSubnet(ipRangeText({ ...range, prefix: range.bits }), range.prefix, kind);
  const plain = plainAddress(from);
  const expected =
    (family(plain) === 4) === (kind === "ipv4") && list.check(plain, family(plain) === 4 ? "ipv4" : "ipv6");
  return is === expected ? [] : [`${from} in ${text}: ${is}`];
}

function addressFaults(from: string): string[] {
  const faults: string[] = [];
  if (isPublicAddress(from) && (isIP(from) === 0 || PRIVATE.some((range) => isListed([range], from))))
    faults.push(`${from} is taken for public`);
  if (networkOf(networkOf(from).split("/")[0] ?? "") !== networkOf(from) && family(from) !== 0)
    faults.push(`the network of ${from}`);
  return faults;
}

const PRIVATE = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "224.0.0.0/3",
  "::/8",
  "fc00::/7",
  "fe80::/10",
  "ff00::/8",
  "2002::/16",
].map(parseIpRange) as IpRange[];

interface ForwardedInput {
  /** Header lines that a caller made up before the request reached the first proxy. */
  readonly invented: readonly string[];
  readonly client: string;
}

const PROXIES = ["10.0.0.0/8", "2001:db8:1::/48"].map(parseIpRange) as IpRange[];

/**
 * A caller that invents forwarded addresses, behind two trusted proxies. The caller's address is the address that the
 * first proxy saw.
 */
export const forwarded: Kind<ForwardedInput> = {
  name: "forwarded",
  reader: "domain/access/ip-list clientAddress",
  perMillion: 50_000,
  generate: (random) => ({
    invented: Array.from({ length: random.int(0, 3) }, () => invention(random)),
    client: address(random),
  }),
  mutate: (random, { invented, client }) => ({
    client,
    invented: [...invented.slice(1), mutateText(random, invented[0] ?? "10.0.0.1")],
  }),
  check: ({ invented, client }) => {
    const direct = clientAddress(client, invented, []);
    const faults = direct === plainAddress(client) ? [] : [`without proxies ${client} became ${direct}`];
    // A client at a proxy's own address counts as that proxy.
    if (isListed(PROXIES, client)) return faults;
    const spellings = [
      [...invented, `${client}, 10.0.0.2`],
      [...invented, client, "10.0.0.2"],
      [[...invented, client, "2001:db8:1::5"].join(",")],
      [...invented, withPort(client), "[2001:db8:1::5]:443", "10.0.0.2:80"],
    ];
    const seen = spellings.map((lines) => clientAddress("::ffff:10.9.9.9", lines, PROXIES));
    return [
      ...faults,
      ...seen.filter((one) => one !== plainAddress(client)).map((one) => `${client} passed for ${one}`),
    ];
  },
};

const withPort = (one: string): string => (one.includes(":") ? `"[${one}]:50123"` : `${one}:50123`);

const invention = (random: SeededRandom): string =>
  random.pick<(random: SeededRandom) => string>([
    address,
    () => "10.0.0.1",
    () => "unknown",
    () => "",
    () => "for=192.0.2.1;proto=https",
    (one: SeededRandom) => `${v4(one)}:443`,
    (one: SeededRandom) => `[${address(one)}]:1`,
    (one: SeededRandom) => `${address(one)}, ${address(one)}`,
    () => ",,,",
    () => "fe80::1%eth0",
  ])(random);
