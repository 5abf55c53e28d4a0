import test from "ava";
import { fields, table } from "../../src/cli/output/table.ts";

const terminal = (columns: number | null, colour = false) => ({ out: () => {}, err: () => {}, columns, colour });
const rows = [
  { code: "shop-brl", products: ["slot", "live"], wallet_url: "https://wallet.shop.example/aggregator" },
  { code: "b", products: [], wallet_url: null },
];
const columns = ["code", "products", "wallet_url"];

test("columns are aligned under their names; null and empty lists are printed as a dash", (t) => {
  t.deepEqual(table(terminal(null), columns, rows).split("\n"), [
    "code      products   wallet_url",
    "shop-brl  slot,live  https://wallet.shop.example/aggregator",
    "b         -          -",
    "",
  ]);
});

test("lines for a terminal are shortened in the widest column, with an ellipsis", (t) => {
  const lines = table(terminal(40), columns, rows).split("\n");
  t.is(lines[1], "shop-brl  slot,live  https://wallet.sho…");
  t.true(lines.every((line) => line.length <= 40));
});

test("output that does not go to a terminal has every character, and no colour", (t) => {
  t.true(table(terminal(null), columns, rows).includes("https://wallet.shop.example/aggregator"));
  t.false(table(terminal(null), columns, rows).includes("\u001b"));
  t.true(table(terminal(80, true), columns, rows).startsWith("\u001b[1mcode"));
});

test("a record has a line for each field, and for each field of an object in it", (t) => {
  t.is(
    fields({ code: "shop", limits: { launch_rate: 5, reports_rate: null } }),
    "code                 shop\nlimits.launch_rate   5\nlimits.reports_rate  -\n",
  );
});

test("characters that turn the direction of text, and others that nobody sees, are written out", (t) => {
  t.is(fields({ tx_id: "a\u202eb\u2066c\u200bd" }), "tx_id  a[U+202E]b[U+2066]c[U+200B]d\n");
  const rows = [{ code: "a\u061cb", products: ["\ufeffslot"] }];
  t.is(table(terminal(null), ["code", "products"], rows).split("\n")[1], "a[U+061C]b  [U+FEFF]slot");
});

test("line breaks and control characters in a value don't reach the terminal", (t) => {
  t.is(fields({ name: "a\nb\u001b[31m" }), "name  a b [31m\n");
});
