import test from "ava";
import fc from "fast-check";
import {
  clientAddress,
  type IpRange,
  ipRangeText,
  isListed,
  parseAddress,
  parseIpRange,
  plainAddress,
} from "../../../src/domain/access/ip-list.ts";

const ranges = (...texts: readonly string[]): IpRange[] =>
  texts.map((text) => {
    const range = parseIpRange(text);
    if (range === undefined) throw new Error(text);
    return range;
  });

test("isListed compares addresses and ranges of IPv4 and IPv6, and reads IPv4-mapped IPv6 addresses as IPv4", (t) => {
  for (const [list, address, listed] of [
    ["192.0.2.1", "192.0.2.1", true],
    ["192.0.2.1", "192.0.2.2", false],
    ["192.0.2.1", "::ffff:192.0.2.1", true],
    ["192.0.2.1", "::FFFF:c000:201", true],
    ["::ffff:192.0.2.1", "192.0.2.1", true],
    ["::ffff:192.0.2.0/120", "192.0.2.200", true],
    ["::ffff:192.0.2.0/120", "192.0.3.1", false],
    ["10.0.0.0/8", "10.255.255.255", true],
    ["10.0.0.0/8", "11.0.0.0", false],
    ["10.1.2.3/8", "10.200.0.1", true],
    ["0.0.0.0/0", "203.0.113.9", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["::/0", "2001:db8::1", true],
    ["::/0", "203.0.113.9", false],
    ["2001:db8::/32", "2001:db8:ffff::1", true],
    ["2001:db8::/32", "2001:db9::1", false],
    ["2001:db8::1", "2001:0DB8:0:0:0:0:0:1", true],
    ["::1", "::1", true],
    ["::", "::", true],
  ] as const) {
    t.is(isListed(ranges(list), address), listed, `${address} in ${list}`);
  }
  t.false(isListed([], "192.0.2.1"));
  for (const junk of ["", "x", "192.0.2.1:80", "192.0.2.1 ", "fe80::1%eth0"])
    t.false(isListed(ranges("0.0.0.0/0", "::/0"), junk), junk);
});

test("a range that begins with an IPv4-mapped address but also contains other addresses is refused", (t) => {
  for (const text of ["::ffff:10.0.0.0/8", "::ffff:0:0/95", "::ffff:10.0.0.0/0"])
    t.is(parseIpRange(text), undefined, text);
  t.deepEqual(parseIpRange("::ffff:0.0.0.0/96"), parseIpRange("0.0.0.0/0"));
});

test("only the usual forms of addresses are accepted", (t) => {
  for (const text of [
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "01.2.3.4",
    "1.2.3.4.",
    "1..2.3",
    "0x7f.1",
    "2130706433",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "g::",
    "12345::",
    "::1.2.3",
    "1.2.3.4::",
    "[::1]",
    "::1%1",
    "1.2.3.4/",
  ])
    t.is(parseAddress(text), undefined, text);
  for (const text of ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/8/8", "::/129", "10.0.0.0/-1", "/8", ""])
    t.is(parseIpRange(text), undefined, text);
  for (const text of ["1:2:3:4:5:6:7:8", "::8", "1::", "1:2:3:4:5:6:1.2.3.4", "::1.2.3.4", "1::3:4:5:6:7:8"])
    t.is(parseAddress(text)?.bits, 128, text);
});

test("every IPv4 address, written as an IPv4-mapped IPv6 address, is in each range that begins with it", (t) => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, prefix) => {
      t.true(isListed(ranges(`${address}/${prefix}`), `::ffff:${address}`));
      t.is(plainAddress(`::ffff:${address}`), address);
    }),
  );
});

test("every IPv6 address can be read", (t) => {
  fc.assert(fc.property(fc.ipV6(), (address) => t.truthy(parseAddress(address), address)));
});

test("clientAddress reads X-Forwarded-For from the right, past trusted proxies, and stops at the first other address or at a text that is not an address", (t) => {
  const trusted = ranges("10.0.0.0/8", "::1");
  for (const [peer, forwarded, seen] of [
    ["203.0.113.9", ["192.0.2.1"], "203.0.113.9"],
    ["10.0.0.1", [], "10.0.0.1"],
    ["::ffff:10.0.0.1", ["192.0.2.1"], "192.0.2.1"],
    ["10.0.0.1", ["6.6.6.6, 192.0.2.1 , 10.0.0.2"], "192.0.2.1"],
    ["10.0.0.1", ["6.6.6.6", "192.0.2.1", "10.0.0.2"], "192.0.2.1"],
    ["::1", ["10.0.0.3,10.0.0.2"], "10.0.0.3"],
    ["10.0.0.1", ["192.0.2.1, unknown, 10.0.0.2"], "10.0.0.2"],
    ["10.0.0.1", [""], "10.0.0.1"],
    ["", ["192.0.2.1"], ""],
    ["fe80::1%eth0", ["192.0.2.1"], "fe80::1"],
  ] as const) {
    t.is(clientAddress(peer, forwarded, trusted), seen, JSON.stringify([peer, forwarded]));
  }
});

test("clientAddress reads an address in each form in which a proxy writes it", (t) => {
  const trusted = ranges("10.0.0.0/8", "fe80::/16");
  for (const [hop, seen] of [
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.7:51234", "203.0.113.7"],
    ["203.0.113.7:_p1", "203.0.113.7"],
    ['"203.0.113.7:51234"', "203.0.113.7"],
    ["\t203.0.113.7:51234  ", "203.0.113.7"],
    ["2001:db8::7", "2001:db8::7"],
    ["2001:DB8::7", "2001:DB8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["[2001:db8::7]:51234", "2001:db8::7"],
    ['"[2001:db8::7]:51234"', "2001:db8::7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["[::ffff:203.0.113.7]:51234", "203.0.113.7"],
    ["fec0::7", "fec0::7"],
    ["[FEBF::7%eth0]:51234", "FEBF::7"],
    ["fea0::7%eth0", "fea0::7"],
  ] as const)
    for (const lines of [
      [hop],
      [`6.6.6.6, ${hop}, 10.0.0.2:80`],
      ["6.6.6.6:1", hop, '"10.0.0.2"'],
      [`,,${hop},[fe80::2%1]:443`],
    ])
      for (const peer of ["10.0.0.1", "::ffff:10.0.0.1", "fe80::1%eth0"])
        t.is(clientAddress(peer, lines, trusted), seen, JSON.stringify(lines));
});

test("clientAddress takes no address that is left of a text that is not an address", (t) => {
  for (const hop of [
    ...[
      "unknown",
      "_hidden",
      "_hidden:80",
      "for=203.0.113.7",
      "unix:",
      "203.0.113.7:",
      "203.0.113.7:port",
      "203.0.113.7:123456",
    ],
    ...[
      "203.0.113.7 203.0.113.8",
      "203.0.113",
      "203.0.113.007",
      "[203.0.113.7]",
      "[2001:db8::7",
      "2001:db8::7]:1",
      "[]",
      "[]:1",
    ],
    ...[
      '"203.0.113.7',
      '""203.0.113.7""',
      "[2001:db8::7]x",
      "x[2001:db8::7]",
      "203.0.113.7/32",
      "2001:db8::7:51234",
      "%eth0",
      "2001:db8::7%eth0",
      "[::ffff:203.0.113.7%eth0]:1",
      "",
    ],
  ]) {
    t.is(clientAddress("10.0.0.1", [`192.0.2.1, ${hop}, 10.0.0.2:80`], ranges("10.0.0.0/8")), "10.0.0.2", hop);
    t.is(clientAddress("203.0.113.9", [hop], ranges("10.0.0.0/8")), "203.0.113.9", hop);
  }
});

test("an address range is written in its shortest form, and this form is read as the same range", (t) => {
  for (const [given, short] of [
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["192.0.2.1/32", "192.0.2.1"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["::/0", "::/0"],
    ["::1", "::1"],
    ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8:0:1:0:1:0:1", "2001:db8:0:1:0:1:0:1"],
    ["fe80:0:0:0:0:0:0:0/10", "fe80::/10"],
    ["1:0:0:2:0:0:0:0", "1:0:0:2::"],
    ["10:0:0:0:0:0:0:100", "10::100"],
  ] as const) {
    const range = parseIpRange(given);
    t.is(range && ipRangeText(range), short, given);
  }
  const groups = fc.array(fc.constantFrom(0, 0, 0, 1, 0x10, 0x100, 0xabcd), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, fc.integer({ min: 0, max: 128 }), (value, prefix) => {
      const range = parseIpRange(`${value.map((group) => group.toString(16)).join(":")}/${prefix}`);
      if (range !== undefined) t.deepEqual(parseIpRange(ipRangeText(range)), range);
    }),
  );
});
