import test from "ava";
import fc from "fast-check";
import { freeKeyName, newKeyFaults } from "../../../src/domain/access/api-key.ts";
import { changedFields, isSameJson } from "../../../src/domain/access/audit.ts";
import { ipRangeText, parseIpRange } from "../../../src/domain/access/ip-list.ts";
import { mayAct, ROLES } from "../../../src/domain/access/role.ts";
import { readGame } from "../../../src/domain/catalog/game.ts";
import { brandFaults, DEFAULT_LAYOUT, DEFAULT_THEME } from "../../../src/domain/merchant/brand.ts";

const brand = { code: "house", name: "House", theme: DEFAULT_THEME, layout: DEFAULT_LAYOUT, settings: {}, allowedOrigins: [] };
const fields = (faults: readonly { readonly field: string }[]) => faults.map(({ field }) => field);

test("an origin is scheme, host and port, and nothing more", (t) => {
  const faultsOf = (origin: string) => fields(brandFaults({ ...brand, allowedOrigins: [origin] }));
  for (const origin of ["https://shop.example", "http://localhost:3000", "https://shop.example:8443"]) t.deepEqual(faultsOf(origin), [], origin);
  for (const origin of [
    "https://shop.example/",
    "https://Shop.example",
    "https://shop.example:443",
    "shop.example",
    "*",
    "null",
    "https://*.example",
    "ftp://shop.example",
    "",
  ]) {
    t.deepEqual(faultsOf(origin), ["allowed_origins"], origin);
  }
});

test("every fault of a brand is told at once", (t) => {
  t.deepEqual(brandFaults(brand), []);
  const faulty = { code: "", name: "\n", theme: "Mint-Carbon", layout: "", settings: { default_language: 7, big: "x".repeat(17_000) }, allowedOrigins: ["x"] };
  t.deepEqual(fields(brandFaults(faulty)), ["code", "name", "theme", "layout", "default_language", "settings", "allowed_origins"]);
});

test("an address range is written in its shortest form, and read back as the same", (t) => {
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

test("a role may all that those before it may", (t) => {
  for (const [i, role] of ROLES.entries()) for (const [j, needed] of ROLES.entries()) t.is(mayAct(role, needed), i >= j, `${role} ${needed}`);
});

test("a key has a name of its own and ends in the future", (t) => {
  const others = [{ name: "key-1" }, { name: "live" }];
  t.is(freeKeyName(others), "key-2");
  t.deepEqual(newKeyFaults("key-2", 11, others, 10), []);
  t.deepEqual(fields(newKeyFaults("live", 10, others, 10)), ["name", "expires_at"]);
  t.deepEqual(fields(newKeyFaults("ADMIN_KEY", null, [], 10)), ["name"]);
});

test("a change names the fields that differ, whatever the order of an object's keys", (t) => {
  t.deepEqual(changedFields({ a: 1, b: { x: [1, 2], y: null }, c: "c" }, { a: 1, b: { y: null, x: [2, 1] }, c: null }), [
    { field: "b", from: { x: [1, 2], y: null }, to: { y: null, x: [2, 1] } },
    { field: "c", from: "c", to: null },
  ]);
  t.deepEqual(changedFields(undefined, { a: null, b: [], c: {}, d: false, e: "", f: [null] }), [
    { field: "d", to: false },
    { field: "e", to: "" },
    { field: "f", to: [null] },
  ]);
  fc.assert(fc.property(fc.jsonValue(), (value) => t.true(isSameJson(value, JSON.parse(JSON.stringify(value))))));
  for (const [a, b] of [
    [{}, []],
    [{ a: undefined }, { b: undefined }],
    [null, {}],
    [[1], [1, 2]],
  ])
    t.false(isSameJson(a, b));
});

test("a game's times are kept in UTC with milliseconds; a day is its beginning", (t) => {
  const released = (released_at: string) => {
    const read = readGame({ provider: "ACME", code: "a", name: "A", type: "slot", released_at });
    return "game" in read ? read.game.details.released_at : fields(read.faults);
  };
  t.is(released("2025-01-12"), "2025-01-12T00:00:00.000Z");
  t.is(released("2025-01-12T01:30:00+02:00"), "2025-01-11T23:30:00.000Z");
  // Years of four digits alone: what an offset carries beyond them could not be imported again.
  for (const none of ["0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2025-13-01", "2025-02-30", "2025-01-12T00:00:00", "12.1.2025"])
    t.deepEqual(released(none), ["released_at"], none);
});
