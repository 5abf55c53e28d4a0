/** What the page shows before its script runs. */
import test from "ava";
import { Book } from "../../../sandbox/sportsbook/model/book.ts";
import { LEAGUES } from "../../../sandbox/sportsbook/model/leagues.ts";
import type { BoardEvent, BrandReply } from "../../../sandbox/sportsbook/page/api-types.ts";
import { CHARACTERS } from "../../../sandbox/sportsbook/site/font-subset.ts";
import { readSite } from "../../../sandbox/sportsbook/site/site.ts";
import { LANGUAGES, PAGES, textsOf } from "../words/texts.ts";

const { firstScreen } = await readSite();
const BRAND: BrandReply = {
  theme: "coral-light",
  layout: "tile",
  language: "es",
  odds_format: "decimal",
  allowed_origins: "any",
  control: false,
};
const BOARD: readonly BoardEvent[] = new Book(7, () => Date.UTC(2026, 0, 1)).board();

test("the first screen has the brand's theme and layout, the language of the address or else the brand's, and five live matches", (t) => {
  t.like(firstScreen(BRAND, BOARD, "/"), { language: "es", theme: "coral-light", layout: "tile" });
  const { language, app } = firstScreen({ ...BRAND, layout: "sidebar" }, BOARD, "/pt/");
  t.is(language, "pt");
  t.true(app.includes(">Ao vivo<"));
  const shown = BOARD.filter(({ id }) => app.includes(`<article class="event" data-key="${id}">`));
  t.is(shown.length, 5);
  t.true(shown.every(({ phase }) => phase === "live"));
});

test("the first screen is inert, and shows no kick-off times, because they depend on the player's time zone", (t) => {
  const upcoming = BOARD.filter(({ phase }) => phase === "upcoming");
  const { app } = firstScreen(BRAND, upcoming, "/");
  t.regex(app, /^<div id="app" [^>]*inert="">/);
  const times = [...app.matchAll(/<time [^>]*title(?:="")?>(.*?)<\/time>/g)].map(([, text]) => text);
  t.true(times.length >= 5);
  t.deepEqual(new Set(times), new Set(["\u00a0"]));
});

test("special characters in texts are escaped in the page's HTML", (t) => {
  const [first] = BOARD as [BoardEvent];
  const { app } = firstScreen(BRAND, [{ ...first, home: '<img src="x" onerror="alert(1)">' }], "/");
  t.false(app.includes("<img"));
  t.true(app.includes("&lt;img src=&quot;x&quot;"));
});

test("the page's fonts have every character of its texts and of the teams", (t) => {
  const texts = [
    ...LANGUAGES.flatMap((language) => [...textsOf(PAGES.sportsbook?.[language] ?? {}).values()]),
    ...LEAGUES.flatMap(({ name, sides }) => [name, ...sides]),
    ...LANGUAGES.flatMap((language) => [0, 1_234.5].map((value) => value.toLocaleString(language))),
  ];
  t.true(texts.length > 500);
  const missing = new Set(texts.flatMap((text) => [...text].filter((character) => !CHARACTERS.includes(character))));
  t.deepEqual([...missing], []);
});
