import { make } from "../../../design/dom.ts";
import type { BoardEvent } from "../api-types.ts";
import { routeOf } from "../route.ts";
import { found } from "../search.ts";
import { crest, icon } from "../sport-icons.ts";
import { lineText, shortPick } from "../words/names.ts";
import type { Context } from "./context.ts";
import { link } from "./header.ts";
import { oddsButton, oddsRow } from "./odds-button.ts";
import { searchField } from "./search-field.ts";
import { when } from "./when.ts";

/** The matches that fit the height of an embedded page. */
const FIRST_SCREEN_ROWS = 5;

/** The board in the current layout. */
export function board(context: Context): HTMLElement[] {
  const { state, words } = context;
  if (state.board === undefined) return state.away ? [failedNotice(context)] : [waiting(context)];
  const route = routeOf(state.path);
  const only = route.page === "board" ? route.only : "all";
  const searching = state.search.trim() !== "";
  const shown = state.board.filter((event) => {
    if (typeof only === "string") return only === "all" || event.phase === "live";
    return "sport" in only ? event.sport === only.sport : event.league === only.league;
  });
  // A search includes all matches, even those that the current page does not show.
  const events = searching ? found(state.board, state.search) : shown;
  const search = searchField(context, searching ? events.length : null);
  const live = events.filter(({ phase }) => phase === "live");
  const later = events.filter(({ phase }) => phase !== "live");
  const title = searching
    ? words.results
    : only === "all"
      ? words.sports
      : only === "live"
        ? words.live
        : "sport" in only
          ? words[only.sport]
          : (events[0]?.league_name ?? words.sports);
  if (events.length === 0)
    return [
      search,
      make("h1", { class: "page-title", "data-key": "title" }, title),
      searching ? notice(words.foundNone, words.foundNoneText) : notice(words.noMatches, words.noMatchesText),
    ];
  const featured =
    !searching && only === "all" && state.layout !== "classic"
      ? (live.find(({ sport }) => sport === "football") ?? events[0])
      : undefined;
  const room = state.firstScreenOnly ? FIRST_SCREEN_ROWS : events.length;
  const roomLeft = Math.max(0, room - live.length);
  return [
    search,
    state.away ? failedNotice(context) : null,
    featured === undefined ? make("h1", { class: "page-title", "data-key": "title" }, title) : hero(context, featured),
    live.length > 0 ? section(context, words.liveNow, live, live.slice(0, room)) : null,
    later.length > 0 && roomLeft > 0 ? section(context, words.upcoming, later, later.slice(0, roomLeft)) : null,
  ].filter((part) => part !== null);
}

/** `drawn`: those of the events that are drawn now. All are live, or none is. */
function section(
  context: Context,
  title: string,
  events: readonly BoardEvent[],
  drawn: readonly BoardEvent[],
): HTMLElement {
  const { layout } = context.state;
  const live = events[0]?.phase === "live";
  const heading = make(
    "h2",
    { class: "section-title" },
    live ? make("span", { class: "pulse" }) : null,
    title,
    make("small", { class: "count" }, String(events.length)),
  );
  const byLeague = Map.groupBy(drawn, ({ league }) => league);
  const body =
    layout === "tile"
      ? [make("div", { class: "tiles", "data-key": "tiles" }, ...drawn.map((event) => tile(context, event)))]
      : layout === "classic"
        ? live
          ? [...Map.groupBy(drawn, ({ sport }) => sport)].map(([sport, group]) =>
              table(context, context.words[sport], group),
            )
          : [...byLeague.values()].map((group) => table(context, group[0]?.league_name ?? "", group))
        : live
          ? [make("div", { class: "card", "data-key": "live" }, ...drawn.map((event) => row(context, event)))]
          : [...byLeague].map(([code, group]) => leagueCard(context, code, group));
  return make("section", { class: live ? "live-now" : "later", "data-key": live ? "live" : "later" }, heading, ...body);
}

function leagueCard(context: Context, code: string, events: readonly BoardEvent[]): HTMLElement {
  const [first] = events as [BoardEvent];
  return make(
    "div",
    { class: "card", "data-key": code },
    make("h3", { class: "league-title" }, icon(first.sport, 16), first.league_name),
    ...events.map((event) => row(context, event)),
  );
}

/**
 * Both sides with the time, and with the score between them after the match has begun. The whole element is a link to
 * the match.
 */
function teams(context: Context, event: BoardEvent, size: number): HTMLElement {
  const hasScore = event.phase !== "upcoming";
  const side = (name: string) =>
    make("span", { class: "side" }, crest(name, size), make("span", { class: "name" }, name));
  return link(
    `/event/${event.id}`,
    false,
    hasScore ? "teams scored" : "teams",
    make("span", { class: "when" }, ...when(context, event)),
    side(event.home),
    hasScore ? score(event) : null,
    side(event.away),
  );
}

const score = ({ score: { home, away } }: BoardEvent): HTMLElement =>
  make("b", { class: "score" }, `${home} : ${away}`);

/** A heading with both sides, and between them the score of a match that began. */
export function versus({ words }: Context, event: BoardEvent, size: number, id: string | null = null): HTMLElement {
  const side = (name: string) => make("span", { class: "side" }, crest(name, size), make("span", {}, name));
  return make(
    "h1",
    { id },
    side(event.home),
    event.phase === "upcoming" ? make("small", {}, words.versus) : score(event),
    side(event.away),
  );
}

function row(context: Context, event: BoardEvent): HTMLElement {
  const [main, total] = event.markets;
  return make(
    "article",
    { class: "event", "data-key": event.id },
    teams(context, event, 20),
    main === undefined ? null : oddsRow(context, event, main, ({ pick }) => shortPick(context.words, main, pick)),
    total === undefined ? null : oddsRow(context, event, total, ({ pick }) => shortPick(context.words, total, pick)),
    more(context, event),
  );
}

function tile(context: Context, event: BoardEvent): HTMLElement {
  const [main] = event.markets;
  return make(
    "article",
    { class: "tile", "data-key": event.id },
    make("p", { class: "league-title" }, icon(event.sport, 16), event.league_name),
    teams(context, event, 34),
    main === undefined ? null : oddsRow(context, event, main, ({ pick }) => shortPick(context.words, main, pick)),
    more(context, event),
  );
}

function more({ words }: Context, event: BoardEvent): HTMLElement {
  const count = event.more ?? 0;
  return link(
    `/event/${event.id}`,
    false,
    "more",
    make("span", { "aria-hidden": "true" }, words.more(count)),
    make(
      "span",
      { class: "visually-hidden" },
      `${event.home} ${words.versus} ${event.away}: ${words.moreMarkets(count)}`,
    ),
  );
}

/**
 * A table with a line for each match and a column for each pick. A match without a draw leaves that column empty, so
 * that tables align.
 */
function table(context: Context, title: string, events: readonly BoardEvent[]): HTMLElement {
  const { words } = context;
  const [first] = events as [BoardEvent];
  const head = (text: string) => make("th", { scope: "col" }, text);
  return make(
    "div",
    { class: "card table-card", "data-key": title },
    make(
      "table",
      { class: "dense" },
      make("caption", {}, icon(first.sport, 16), title),
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          ...[words.match, "1", "X", "2", words.over, words.under].map(head),
          make("th", { scope: "col" }, make("span", { class: "visually-hidden" }, words.seeMatch)),
        ),
      ),
      make(
        "tbody",
        {},
        ...events.map((event) =>
          make(
            "tr",
            { class: "event", "data-key": event.id },
            make("th", { scope: "row" }, teams(context, event, 16)),
            ...["home", "draw", "away"].map((pick) => cell(context, event, 0, pick, "")),
            ...["over", "under"].map((pick) =>
              cell(context, event, 1, pick, lineText(words, event.markets[1]?.line ?? 0)),
            ),
            make("td", {}, more(context, event)),
          ),
        ),
      ),
    ),
  );
}

function cell(context: Context, event: BoardEvent, index: number, pick: string, label: string): HTMLElement {
  const market = event.markets[index];
  const offer = market?.offers.find((one) => one.pick === pick);
  return make(
    "td",
    { class: "cell" },
    market === undefined || offer === undefined ? null : oddsButton(context, event, market, offer, label),
  );
}

function hero(context: Context, event: BoardEvent): HTMLElement {
  const { words } = context;
  const [main] = event.markets;
  return make(
    "section",
    { class: "hero", "aria-label": words.featured, "data-key": "hero" },
    make("p", { class: "kicker" }, icon(event.sport, 16), `${words.featured} · ${event.league_name}`),
    versus(context, event, 44),
    make(
      "p",
      { class: "when" },
      ...when(context, event),
      link(`/event/${event.id}`, false, "see", words.seeMatch, icon("chevron", 16)),
    ),
    main === undefined
      ? null
      : make(
          "div",
          { class: "hero-odds" },
          oddsRow(context, event, main, ({ pick }) =>
            pick === "home" ? event.home : pick === "away" ? event.away : words.draw,
          ),
        ),
  );
}

export function notice(title: string, text: string, ...more: (Node | null)[]): HTMLElement {
  return make("div", { class: "notice" }, make("strong", {}, title), make("span", {}, text), ...more);
}

export function failedNotice({ words }: Context): HTMLElement {
  return make(
    "div",
    { class: "notice failed", role: "alert", "data-key": "failed" },
    make("strong", {}, words.failedTitle),
    make("span", {}, words.failedText),
    make("button", { type: "button", class: "button", "data-do": "retry" }, words.retry),
  );
}

export function waiting({ words }: Context): HTMLElement {
  const bones = Array.from({ length: 7 }, () => make("div", { class: "bone" }));
  return make(
    "div",
    { class: "waiting-list", "data-key": "waiting" },
    make("p", { class: "visually-hidden", role: "status" }, words.loading),
    make("div", { class: "bone big" }),
    ...bones,
  );
}
