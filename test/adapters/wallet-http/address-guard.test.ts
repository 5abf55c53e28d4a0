import type { LookupAddress } from "node:dns";
import test from "ava";
import type { HostAddress } from "../../../src/adapters/names/host-addresses.ts";
import { AddressRefused, guardedLookup } from "../../../src/adapters/wallet-http/address-guard.ts";
import { isPublicAddress } from "../../../src/domain/access/public-address.ts";

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "168.63.129.15",
  "168.63.129.17",
  "192.0.1.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
];
const PUBLIC_6 = ["2606:4700::1111", "2001:4860:4860::8888", "2a00:1450:4001::1", "2400::"];

/** The first and the last address of each special range. */
const SPECIAL = [
  ...[
    "0.0.0.0",
    "0.255.255.255",
    "10.0.0.0",
    "10.255.255.255",
    "100.64.0.0",
    "100.127.255.255",
    "127.0.0.0",
    "127.0.0.1",
    "127.255.255.255",
  ],
  ...[
    "169.254.0.0",
    "169.254.169.254",
    "169.254.255.255",
    "172.16.0.0",
    "172.31.255.255",
    "192.0.0.0",
    "192.0.0.255",
    "192.0.2.0",
    "192.0.2.255",
  ],
  ...[
    "192.88.99.0",
    "192.168.0.0",
    "192.168.255.255",
    "198.18.0.0",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.0",
    "239.255.255.255",
  ],
  ...["240.0.0.0", "255.255.255.255", "168.63.129.16"],
];
const SPECIAL_6 = [
  ...[
    "::",
    "::1",
    "::2",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "5f00::1",
  ],
  ...[
    "fc00::",
    "fd12:3456::1",
    "fdff:ffff::",
    "fe80::1",
    "febf::1",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
    "2001::1",
    "2001:0:7f00:1::",
  ],
  ...["2001:db8::1", "2002:7f00:1::", "2002:a00:1::1", "3fff::1", "4000::1"],
];

test("isPublicAddress accepts the public internet's addresses", (t) => {
  for (const address of [...PUBLIC, ...PUBLIC_6]) t.true(isPublicAddress(address), address);
});

test("isPublicAddress refuses the first and the last address of every special range", (t) => {
  for (const address of [...SPECIAL, ...SPECIAL_6]) t.false(isPublicAddress(address), address);
});

test("isPublicAddress refuses texts that are not addresses, and unusual spellings of addresses", (t) => {
  for (const text of [
    "",
    "localhost",
    "1.1.1",
    "0x7f.0.0.1",
    "2130706433",
    "017700000001",
    "1.1.1.1 ",
    "[2606:4700::1]",
    "fe80::1%eth0",
    "8.8.8.8:80",
  ])
    t.false(isPublicAddress(text), text);
});

type LookupResult = { error: Error | null; addresses: readonly LookupAddress[] };

function lookUp(found: readonly HostAddress[] | Error, allowPrivate = false): Promise<LookupResult> {
  const resolve = () => (found instanceof Error ? Promise.reject(found) : Promise.resolve(found));
  return new Promise((done) =>
    guardedLookup(resolve, allowPrivate)("wallet.example", { all: true }, (error, addresses) =>
      done({ error, addresses: addresses as LookupAddress[] }),
    ),
  );
}

const four = (address: string): HostAddress => ({ address, family: 4 });
const six = (address: string): HostAddress => ({ address, family: 6 });

test("guardedLookup returns exactly the addresses that it has checked", async (t) => {
  t.deepEqual(await lookUp([four("1.1.1.1"), six("2606:4700::1111")]), {
    error: null,
    addresses: [four("1.1.1.1"), six("2606:4700::1111")],
  });
});

test("guardedLookup refuses a name if one of its addresses isn't public", async (t) => {
  for (const address of SPECIAL) {
    const { error, addresses } = await lookUp([four("1.1.1.1"), four(address)]);
    t.true(error instanceof AddressRefused, address);
    t.deepEqual(addresses, []);
  }
  for (const address of SPECIAL_6)
    t.true((await lookUp([six(address), four("1.1.1.1")])).error instanceof AddressRefused, address);
});

test("guardedLookup accepts private addresses if the configuration allows them", async (t) => {
  t.deepEqual(await lookUp([four("127.0.0.1")], true), { error: null, addresses: [four("127.0.0.1")] });
});

test("guardedLookup always refuses link-local and cloud metadata addresses, even if private addresses are allowed", async (t) => {
  for (const address of ["169.254.169.254", "169.254.0.1", "168.63.129.16", "100.100.100.200", "192.0.0.192"]) {
    t.true((await lookUp([four("10.0.0.1"), four(address)], true)).error instanceof AddressRefused, address);
  }
  for (const address of ["fe80::1", "fd00:ec2::254", "fd20:ce::254", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe"])
    t.true((await lookUp([six(address)], true)).error instanceof AddressRefused, address);
  t.is((await lookUp([four("10.0.0.1"), six("::1"), six("fd12::1"), six("64:ff9b::7f00:1")], true)).error, null);
});

test("guardedLookup checks each look-up anew: if a name later resolves to an address of this machine, it is refused at once", async (t) => {
  let n = 0;
  const resolve = () => Promise.resolve([four(n++ % 2 === 0 ? "1.1.1.1" : "127.0.0.1")]);
  const lookup = guardedLookup(resolve, false);
  for (let i = 0; i < 100; i++) {
    const error = await new Promise((done) => lookup("rebind.example", { all: true }, done));
    t.is(error instanceof AddressRefused, i % 2 === 1);
  }
});

test("guardedLookup returns the resolver's error", async (t) => {
  const fault = new Error("ENOTFOUND");
  t.deepEqual(await lookUp(fault), { error: fault, addresses: [] });
});
