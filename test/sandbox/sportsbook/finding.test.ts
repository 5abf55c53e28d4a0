/** How a player finds a match, a market and a time. */
import test from "ava";
import { Book } from "../../../sandbox/sportsbook/model/book.ts";
import { groupsOf } from "../../../sandbox/sportsbook/page/market-groups.ts";
import { found } from "../../../sandbox/sportsbook/page/search.ts";
import { Times } from "../../../sandbox/sportsbook/page/times.ts";
import { tabAfter } from "../../../sandbox/sportsbook/page/views/tab-after.ts";

const board = new Book(7, () => Date.UTC(2026, 0, 1));
const marketsOf = (event: string) => board.event(event)?.markets ?? [];

test("each market of a match is in the group of all markets and in one other group, and each kind is sorted by its lines", (t) => {
  for (const event of ["liga-do-sol-3", "metro-basket-3", "costa-open-3", "arena-five-3"]) {
    const markets = marketsOf(event);
    const groups = groupsOf(markets);
    const idsOf = (name: "all" | "main" | "totals" | "handicaps") =>
      (groups.get(name) ?? []).flatMap((kind) => kind.markets.map(({ id }) => id));
    t.deepEqual([...groups.keys()], ["all", "main", "totals", "handicaps"], event);
    t.deepEqual(idsOf("all"), [...idsOf("main"), ...idsOf("totals"), ...idsOf("handicaps")]);
    t.deepEqual(idsOf("all").toSorted(), markets.map(({ id }) => id).toSorted(), "none is missing, none comes twice");
    for (const { markets: same } of groups.get("all") ?? [])
      t.deepEqual(
        same.map(({ line }) => line),
        same.map(({ line }) => line).toSorted((a, b) => a - b),
      );
  }
  const [first] = groupsOf(marketsOf("liga-do-sol-3")).get("main") ?? [];
  t.is(first?.kind, "result", "the main market comes first");
});

test("a group without markets has no tab", (t) => {
  const onlyTotals = marketsOf("liga-do-sol-3").filter(({ kind }) => kind === "total");
  t.deepEqual([...groupsOf(onlyTotals).keys()], ["all", "totals"]);
});

test("the arrow keys move through the tabs in a circle, Home and End go to the first and last tab, and Enter moves nowhere", (t) => {
  const tabs = ["a", "b", "c"] as unknown as HTMLElement[];
  const [a, b, c] = tabs as [HTMLElement, HTMLElement, HTMLElement];
  t.deepEqual([tabAfter(tabs, a, "ArrowRight"), tabAfter(tabs, c, "ArrowRight")], [b, a]);
  t.deepEqual([tabAfter(tabs, b, "ArrowLeft"), tabAfter(tabs, a, "ArrowLeft")], [a, c]);
  t.deepEqual([tabAfter(tabs, b, "Home"), tabAfter(tabs, b, "End")], [a, c]);
  t.is(tabAfter(tabs, b, "Enter"), undefined);
});

test("a search finds matches by the beginnings of words in the names of teams and leagues, and ignores accents", (t) => {
  const events = [
    { home: "Atlético Maré", away: "Porto Azul", league_name: "Liga do Sol" },
    { home: "Atlético Pampa", away: "Río Manso", league_name: "Copa Austral" },
    { home: "Harbour City", away: "Fairhaven", league_name: "Coast Premier" },
  ];
  const homes = (text: string) => found(events, text).map(({ home }) => home);
  t.deepEqual(homes("atletico"), ["Atlético Maré", "Atlético Pampa"]);
  t.deepEqual(homes("ATLÉTICO mar"), ["Atlético Maré"]);
  t.deepEqual(homes("rio"), ["Atlético Pampa"]);
  t.deepEqual(homes("premier coast"), ["Harbour City"]);
  t.deepEqual(homes("arbour"), [], "the text in the middle of a word does not match");
  t.deepEqual(homes("  -  "), []);
});

test("every match of the board is found by its teams and by its league", (t) => {
  const events = board.board();
  for (const event of events) {
    t.true(found(events, `${event.home} ${event.away}`).includes(event), event.id);
    t.true(found(events, event.league_name).includes(event), event.id);
  }
});

const AT = Date.UTC(2026, 10, 22, 21, 30);
const DAYS = { today: "Today", tomorrow: "Tomorrow" };

test("the time of a kick-off is written in the page's language and in the format of the player's country", (t) => {
  const soon = AT - 3_600_000;
  t.is(
    new Times("pt", ["pt-BR"], "America/Sao_Paulo").near(AT, soon, { today: "Hoje", tomorrow: "Amanhã" }),
    "Hoje 18:30",
  );
  t.is(new Times("en", ["en-GB"], "America/Sao_Paulo").near(AT, soon, DAYS), "Today 18:30");
  t.regex(new Times("en", ["en-US"], "America/Sao_Paulo").near(AT, soon, DAYS), /^Today 6:30\sPM$/);
  // The browser's language is not one of the page's languages.
  t.is(new Times("pt", ["de-DE"], "America/Sao_Paulo").near(AT, soon, { today: "Hoje", tomorrow: "" }), "Hoje 18:30");
});

test("the labels Today and Tomorrow of a match mean days of the player's time zone, even if the clocks change", (t) => {
  const near = (zone: string, at: number, now: number) => new Times("en", ["en-GB"], zone).near(at, now, DAYS);
  const now = Date.UTC(2026, 10, 22, 20);
  t.is(near("America/Santiago", AT, now), "Today 18:30");
  t.is(near("Asia/Tokyo", AT, now), "Today 06:30");
  t.is(near("Asia/Tokyo", AT, Date.UTC(2026, 10, 22, 14)), "Tomorrow 06:30");
  t.regex(near("America/Bogota", Date.UTC(2026, 10, 28, 23), now), /^Sat,? 28 Nov 18:00$/);
  // The clocks of Lisbon go back in the night to 25 October: that day has 25 hours.
  t.is(near("Europe/Lisbon", Date.UTC(2026, 9, 26, 1), Date.UTC(2026, 9, 24, 23, 10)), "Tomorrow 01:00");
});

test("the names of days and months are in the page's language", (t) => {
  const later = Date.UTC(2026, 10, 22, 20) + 6 * 86_400_000;
  const near = (language: "pt" | "es", locale: string) =>
    new Times(language, [locale], "America/Lima").near(later, AT, DAYS);
  t.regex(near("pt", "pt-BR"), /^sáb.*28.*nov/);
  t.regex(near("es", "es-PE"), /^s[aá]b.*28.*nov/);
  t.regex(new Times("es", ["es-MX"], "America/Lima").full(AT), /22 de noviembre de 2026/);
});
