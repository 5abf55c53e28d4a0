/**
 * Addresses and CIDR ranges. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) is always read as its IPv4 address, so
 * that both spellings of one client are equal (docs/specification/signing.md#sign-ip-list).
 */

/** An address as a number of 32 or 128 bits. */
interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** The addresses whose first `prefix` bits equal those of `value`. The other bits of `value` are zero. */
export interface IpRange extends Address {
  readonly prefix: number;
}

const BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const V4 = new RegExp(`^${BYTE}\\.${BYTE}\\.${BYTE}\\.${BYTE}$`);
const MAPPED = 0xffffn;

function parseV4(text: string): bigint | undefined {
  const [, a, b, c, d] = V4.exec(text) ?? [];
  return d === undefined ? undefined : BigInt(((Number(a) * 256 + Number(b)) * 256 + Number(c)) * 256 + Number(d));
}

/** The groups of one side of `::`; a dotted IPv4 address at the very end counts as two. */
function parseGroups(text: string, atEnd: boolean): bigint[] | undefined {
  if (text === "") return [];
  const groups: bigint[] = [];
  const parts = text.split(":");
  for (const [i, part] of parts.entries()) {
    const tail = atEnd && i === parts.length - 1 ? parseV4(part) : undefined;
    if (tail !== undefined) groups.push(tail >> 16n, tail & 0xffffn);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`));
    else return undefined;
  }
  return groups;
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? "", halves.length === 1);
  const tail = parseGroups(halves[1] ?? "", true);
  if (head === undefined || tail === undefined) return undefined;
  const zeros = 8 - head.length - tail.length;
  if (halves.length === 2 ? zeros < 1 : zeros !== 0) return undefined;
  return [...head, ...Array<bigint>(zeros).fill(0n), ...tail].reduce((value, group) => (value << 16n) | group, 0n);
}

/** Reads one address. A port, a zone, leading zeros and spaces are refused. */
export function parseAddress(text: string): Address | undefined {
  const v4 = parseV4(text);
  if (v4 !== undefined) return { bits: 32, value: v4 };
  const v6 = parseV6(text);
  if (v6 === undefined) return undefined;
  return v6 >> 32n === MAPPED ? { bits: 32, value: v6 & 0xffff_ffffn } : { bits: 128, value: v6 };
}

/**
 * Reads an address or a CIDR range. A range of mapped addresses becomes the IPv4 range. A range is refused as a mistake
 * if it begins with a mapped address but also has other addresses (`::ffff:10.0.0.0/8` means `::/8`).
 */
export function parseIpRange(text: string): IpRange | undefined {
  const [base = "", prefixText, ...rest] = text.split("/");
  const address = parseAddress(base);
  if (address === undefined || rest.length > 0) return undefined;
  if (prefixText === undefined) return { ...address, prefix: address.bits };
  if (!/^(0|[1-9]\d{0,2})$/.test(prefixText)) return undefined;
  const written = Number(prefixText);
  const prefix = address.bits === 32 && base.includes(":") ? written - 96 : written;
  if (prefix < 0 || prefix > address.bits) return undefined;
  const free = BigInt(address.bits - prefix);
  return { bits: address.bits, value: (address.value >> free) << free, prefix };
}

/** Whether `address` is in one of the ranges. A text that is not an address is in no range. */
export function isListed(ranges: readonly IpRange[], address: string): boolean {
  const read = ranges.length === 0 ? undefined : parseAddress(address);
  return read !== undefined && isWithin(ranges, read);
}

const isWithin = (ranges: readonly IpRange[], { bits, value }: Address): boolean =>
  ranges.some((range) => range.bits === bits && (value ^ range.value) >> BigInt(range.bits - range.prefix) === 0n);

/** A link-local address may have a zone, such as `%eth0`. It names a network card of this machine. */
const ZONE = /(?<=^fe[89ab][\da-f]:[\da-f:.]*)%[\w.~-]+$/i;

/** The IPv4 form of a mapped address, or an address without its zone. Any other text is returned unchanged. */
export function plainAddress(text: string): string {
  if (!text.includes(":")) return text;
  const plain = text.replace(ZONE, "");
  const address = parseAddress(plain);
  return address?.bits === 32 ? dotted(address.value) : plain;
}

/** The prefixes after which an IPv6 address carries an IPv4 address, and the number of bits to the right of that. */
const CARRIERS: readonly { readonly within: IpRange; readonly right: bigint; readonly inverted?: true }[] = [
  // IPv4-compatible, IPv4-translated (SIIT), NAT64
  ...["::/96", "::ffff:0:0:0/96", "64:ff9b::/96"].map((prefix) => ({ within: range(prefix), right: 0n })),
  // 6to4
  { within: range("2002::/16"), right: 80n },
  // Teredo. Each bit of the client's address is inverted.
  { within: range("2001::/32"), right: 0n, inverted: true },
];

function range(text: string): IpRange {
  return parseIpRange(text) as IpRange;
}

/** The IPv4 address that an IPv6 address carries, for example behind NAT64. undefined: it carries none. */
export function embeddedIPv4(text: string): string | undefined {
  const address = text.includes(":") ? parseAddress(text) : undefined;
  if (address === undefined) return undefined;
  const carrier = CARRIERS.find(({ within }) => isWithin([within], address));
  if (carrier === undefined) return undefined;
  const value = (address.value >> carrier.right) & 0xffff_ffffn;
  return dotted(carrier.inverted ? value ^ 0xffff_ffffn : value);
}

const HOST_BITS = 64n;

/**
 * The network that counts as one caller: an IPv4 address itself, or the /64 of an IPv6 address. Any other text is
 * returned unchanged.
 */
export function networkOf(text: string): string {
  if (!text.includes(":")) return text;
  const address = parseAddress(text.replace(ZONE, ""));
  if (address === undefined) return text;
  return address.bits === 32
    ? dotted(address.value)
    : ipRangeText({ ...address, value: (address.value >> HOST_BITS) << HOST_BITS, prefix: 64 });
}

const dotted = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");

/**
 * The eight groups of an IPv6 address. The longest run of two or more zeros, the first if there are several, becomes
 * `::` (RFC 5952).
 */
function colons(value: bigint): string {
  const text = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n]
    .map((shift) => ((value >> shift) & 0xffffn).toString(16))
    .join(":");
  const longest = (text.match(/\b0(?::0\b)+/g) ?? []).reduce(
    (best, run) => (run.length > best.length ? run : best),
    "",
  );
  return longest === "" ? text : text.replace(new RegExp(`(^|:)\\b${longest}\\b(:|$)`), "::");
}

/** The shortest usual text of a range: `10.0.0.0/8`, `2001:db8::1`. {@link parseIpRange} reads it back. */
export function ipRangeText({ bits, value, prefix }: IpRange): string {
  const address = bits === 32 ? dotted(value) : colons(value);
  return prefix === bits ? address : `${address}/${prefix}`;
}

/** `203.0.113.7`, `203.0.113.7:443`, `[2001:db8::7]` and `[2001:db8::7]:443`. A port may be hidden (`_p1`). */
const NODE = /^(?:\[([^\]]*:[^\]]*)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/;

/** The address in a text that a proxy wrote (RFC 7239, 6): alone, with a port, in brackets, or in quotes. */
function addressIn(text: string): string {
  const plain = text.replace(/^"(.*)"$/, "$1");
  const [, v6, v4] = NODE.exec(plain) ?? [];
  return plainAddress(v6 ?? v4 ?? plain);
}

/** The parts of a list header, the last one first. */
function* fromTheRight(lines: readonly string[]): Generator<string> {
  for (const line of lines.toReversed())
    for (let end = line.length; end >= 0; ) {
      const comma = end === 0 ? -1 : line.lastIndexOf(",", end - 1);
      yield line.slice(comma + 1, end).trim();
      end = comma;
    }
}

/**
 * The address of the caller: the peer of the connection or, when the peer is a trusted proxy, the last address in
 * X-Forwarded-For that is not a trusted proxy's. Each proxy appends the peer that it saw. So the addresses are read
 * from the right, as long as a trusted proxy has written them. The search stops at a text that is not an address.
 *
 * @param forwardedFor - the values of all lines of this header, in their order.
 */
export function clientAddress(peer: string, forwardedFor: readonly string[], trusted: readonly IpRange[]): string {
  let caller = plainAddress(peer);
  if (trusted.length === 0) return caller;
  for (const hop of fromTheRight(forwardedFor)) {
    if (!isListed(trusted, caller)) break;
    const address = addressIn(hop);
    if (parseAddress(address) === undefined) break;
    caller = address;
  }
  return caller;
}
