import test from "ava";
import { chipFormat, minorFormat, moneyFormat } from "../../sandbox/design/money.ts";

/** Formatted amounts may have no-break spaces. */
const plain = (text: string): string => text.replaceAll(/\s/g, " ");

test("an amount is written in the format that is usual for its currency", (t) => {
  t.is(plain(moneyFormat("BRL")(2_500.5)), "R$ 2.500,50");
  t.is(plain(minorFormat("BRL")(250)), "R$ 2,50");
  t.is(plain(minorFormat("CLP")(1_500)), "$1.500");
  t.is(plain(minorFormat("MXN")(150_000)), "$1,500.00");
  t.is(plain(minorFormat("BRL")(-250)), "\u2212R$ 2,50", "the minus sign does not break off");
});

test("a chip has the decimal mark of its currency's amounts, thousands as K, and no zeros at the end", (t) => {
  const faces = (currency: string, ...minors: readonly number[]) => minors.map(chipFormat(currency));
  t.deepEqual(faces("BRL", 50, 125, 2_500, 100_000, 150_000), ["0,5", "1,25", "25", "1K", "1,5K"]);
  t.deepEqual(faces("ARS", 50, 250_000), ["0,5", "2,5K"]);
  t.deepEqual(faces("CLP", 500, 1_500, 100_000), ["500", "1,5K", "100K"]);
  t.deepEqual(faces("MXN", 50, 150_000), ["0.5", "1.5K"]);
  t.deepEqual(faces("USD", 50, 100_000), ["0.5", "1K"]);
});
