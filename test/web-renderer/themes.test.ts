/**
 * Several files that may not import each other have lists of the sportsbook's themes and layouts. All lists must be
 * equal.
 */
import { readFile } from "node:fs/promises";
import test from "ava";
import { LAYOUTS, THEMES } from "../../contract/values/look.ts";
import { DEFAULT_LOOK } from "../../sandbox/sportsbook/page/state.ts";
import { THEMES_BY_NAME } from "../../sandbox/sportsbook/themes.ts";
import { DEFAULT_LAYOUT, DEFAULT_THEME } from "../../src/domain/merchant/brand.ts";
import * as library from "../../web-renderer/protocol.ts";

/** The first list of themes in a text. It is found by its first and its last name. */
const listIn = (text: string): string[] => {
  const [list = ""] = /mint-carbon,[\s\S]*?amber-carbon|mint-carbon`,[\s\S]*?amber-carbon/.exec(text) ?? [];
  return list.match(/[a-z]+-[a-z]+/g) ?? [];
};

test("the service, the browser library and the sandbox have the same themes and layouts", (t) => {
  t.deepEqual([...library.THEMES], [...THEMES]);
  t.deepEqual([...library.LAYOUTS], [...LAYOUTS]);
  t.deepEqual(Object.keys(THEMES_BY_NAME), [...THEMES]);
  t.like(DEFAULT_LOOK, { theme: DEFAULT_THEME, layout: DEFAULT_LAYOUT });
});

for (const file of [
  "proto/aggregator/admin/v1/brand.proto",
  "proto/aggregator/sportsbook/v1/brand.proto",
  "proto/aggregator/sportsbook/v1/brand_service.proto",
  "docs/specification/browser-library.md",
  "docs/sportsbook-library.md",
  "docs/admin-commands.md",
]) {
  test(`${file} names exactly the existing themes`, async (t) => {
    const text = await readFile(file, "utf8");
    t.deepEqual(listIn(text), [...THEMES]);
    for (const [, count] of text.matchAll(/the (\d+) themes/g)) t.is(Number(count), THEMES.length);
  });
}
