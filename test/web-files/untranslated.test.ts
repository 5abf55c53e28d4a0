/**
 * A browser that translates a page replaces its texts by elements of its own. The code of the page goes on changing the
 * replaced texts, so people see old figures, odds and balances. Pages that change their texts ask not to be translated.
 */
import { globSync, readFileSync } from "node:fs";
import test from "ava";

const pages = globSync("{console/app,sandbox/*/*}/index.html");

test("every page that changes its texts asks browsers not to translate it", (t) => {
  t.is(pages.length, 6);
  for (const page of pages) {
    const html = readFileSync(page, "utf8");
    t.regex(html, /<html [^>]*translate="no"/, page);
    t.true(html.includes('<meta name="google" content="notranslate">'), page);
  }
  // This file replaces the first tag of the sportsbook's page.
  for (const [tag] of readFileSync("sandbox/sportsbook/site/site.ts", "utf8").matchAll(/<html lang[^>]*>/g))
    t.true(tag.includes('translate="no"'), tag);
});
