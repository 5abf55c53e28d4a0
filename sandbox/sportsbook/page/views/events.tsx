import type { ComponentChildren, VNode } from "preact";
import type { BoardEvent } from "../api-types.ts";
import { routeOf } from "../route.ts";
import { found } from "../search.ts";
import { Crest, Icon } from "../sport-icons.tsx";
import { lineText, shortPick } from "../words/names.ts";
import type { Context } from "./context.ts";
import { Link } from "./header.tsx";
import { oddsButton, oddsRow } from "./odds-button.tsx";
import { searchField } from "./search-field.tsx";
import { when } from "./when.tsx";

/** The matches that fit the height of an embedded page. */
const FIRST_SCREEN_ROWS = 5;

/** The board in the current layout. */
export function board(context: Context): VNode[] {
  const { state, words } = context;
  if (state.board === undefined) return state.away ? [<FailedNotice {...context} />] : [<Waiting {...context} />];
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
      <h1 class="page-title" key="title" data-key="title">
        {title}
      </h1>,
      searching ? (
        <Notice title={words.foundNone} text={words.foundNoneText} />
      ) : (
        <Notice title={words.noMatches} text={words.noMatchesText} />
      ),
    ];
  const featured =
    !searching && only === "all" && state.layout !== "classic"
      ? (live.find(({ sport }) => sport === "football") ?? events[0])
      : undefined;
  const room = state.firstScreenOnly ? FIRST_SCREEN_ROWS : events.length;
  const roomLeft = Math.max(0, room - live.length);
  return [
    search,
    state.away ? <FailedNotice {...context} /> : null,
    featured === undefined ? (
      <h1 class="page-title" key="title" data-key="title">
        {title}
      </h1>
    ) : (
      hero(context, featured)
    ),
    live.length > 0 ? section(context, words.liveNow, live, live.slice(0, room)) : null,
    later.length > 0 && roomLeft > 0 ? section(context, words.upcoming, later, later.slice(0, roomLeft)) : null,
  ].filter((part) => part !== null);
}

/** `drawn`: those of the events that are drawn now. All are live, or none is. */
function section(context: Context, title: string, events: readonly BoardEvent[], drawn: readonly BoardEvent[]): VNode {
  const { layout } = context.state;
  const live = events[0]?.phase === "live";
  const heading = (
    <h2 class="section-title">
      {live ? <span class="pulse" /> : null}
      {title}
      <small class="count">{String(events.length)}</small>
    </h2>
  );
  const byLeague = Map.groupBy(drawn, ({ league }) => league);
  const body =
    layout === "tile"
      ? [
          <div class="tiles" key="tiles" data-key="tiles">
            {drawn.map((event) => tile(context, event))}
          </div>,
        ]
      : layout === "classic"
        ? live
          ? [...Map.groupBy(drawn, ({ sport }) => sport)].map(([sport, group]) =>
              table(context, context.words[sport], group),
            )
          : [...byLeague.values()].map((group) => table(context, group[0]?.league_name ?? "", group))
        : live
          ? [
              <div class="card" key="live" data-key="live">
                {drawn.map((event) => row(context, event))}
              </div>,
            ]
          : [...byLeague].map(([code, group]) => leagueCard(context, code, group));
  return (
    <section class={live ? "live-now" : "later"} key={live ? "live" : "later"} data-key={live ? "live" : "later"}>
      {heading}
      {body}
    </section>
  );
}

function leagueCard(context: Context, code: string, events: readonly BoardEvent[]): VNode {
  const [first] = events as [BoardEvent];
  return (
    <div class="card" key={code} data-key={code}>
      <h3 class="league-title">
        <Icon name={first.sport} size={16} />
        {first.league_name}
      </h3>
      {events.map((event) => row(context, event))}
    </div>
  );
}

/**
 * Both sides with the time, and with the score between them after the match has begun. The whole element is a link to
 * the match.
 */
function teams(context: Context, event: BoardEvent, size: number): VNode {
  const hasScore = event.phase !== "upcoming";
  const side = (name: string) => (
    <span class="side">
      <Crest name={name} size={size} />
      <span class="name">{name}</span>
    </span>
  );
  return (
    <Link path={`/event/${event.id}`} current={false} class={hasScore ? "teams scored" : "teams"}>
      <span class="when">{when(context, event)}</span>
      {side(event.home)}
      {hasScore ? score(event) : null}
      {side(event.away)}
    </Link>
  );
}

const score = ({ score: { home, away } }: BoardEvent): VNode => <b class="score">{`${home} : ${away}`}</b>;

/** A heading with both sides, and between them the score of a match that began. */
export function versus({ words }: Context, event: BoardEvent, size: number, id?: string): VNode {
  const side = (name: string) => (
    <span class="side">
      <Crest name={name} size={size} />
      <span>{name}</span>
    </span>
  );
  return (
    <h1 id={id}>
      {side(event.home)}
      {event.phase === "upcoming" ? <small>{words.versus}</small> : score(event)}
      {side(event.away)}
    </h1>
  );
}

function row(context: Context, event: BoardEvent): VNode {
  const [main, total] = event.markets;
  return (
    <article class="event" key={event.id} data-key={event.id}>
      {teams(context, event, 20)}
      {main === undefined ? null : oddsRow(context, event, main, ({ pick }) => shortPick(context.words, main, pick))}
      {total === undefined ? null : oddsRow(context, event, total, ({ pick }) => shortPick(context.words, total, pick))}
      {more(context, event)}
    </article>
  );
}

function tile(context: Context, event: BoardEvent): VNode {
  const [main] = event.markets;
  return (
    <article class="tile" key={event.id} data-key={event.id}>
      <p class="league-title">
        <Icon name={event.sport} size={16} />
        {event.league_name}
      </p>
      {teams(context, event, 34)}
      {main === undefined ? null : oddsRow(context, event, main, ({ pick }) => shortPick(context.words, main, pick))}
      {more(context, event)}
    </article>
  );
}

function more({ words }: Context, event: BoardEvent): VNode {
  const count = event.more ?? 0;
  return (
    <Link path={`/event/${event.id}`} current={false} class="more">
      <span aria-hidden="true">{words.more(count)}</span>
      <span class="visually-hidden">{`${event.home} ${words.versus} ${event.away}: ${words.moreMarkets(count)}`}</span>
    </Link>
  );
}

/**
 * A table with a line for each match and a column for each pick. A match without a draw leaves that column empty, so
 * that tables align.
 */
function table(context: Context, title: string, events: readonly BoardEvent[]): VNode {
  const { words } = context;
  const [first] = events as [BoardEvent];
  const head = (text: string) => <th scope="col">{text}</th>;
  return (
    <div class="card table-card" key={title} data-key={title}>
      <table class="dense">
        <caption>
          <Icon name={first.sport} size={16} />
          {title}
        </caption>
        <thead>
          <tr>
            {[words.match, "1", "X", "2", words.over, words.under].map(head)}
            <th scope="col">
              <span class="visually-hidden">{words.seeMatch}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr class="event" key={event.id} data-key={event.id}>
              <th scope="row">{teams(context, event, 16)}</th>
              {["home", "draw", "away"].map((pick) => cell(context, event, 0, pick, ""))}
              {["over", "under"].map((pick) =>
                cell(context, event, 1, pick, lineText(words, event.markets[1]?.line ?? 0)),
              )}
              <td>{more(context, event)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cell(context: Context, event: BoardEvent, index: number, pick: string, label: string): VNode {
  const market = event.markets[index];
  const offer = market?.offers.find((one) => one.pick === pick);
  return (
    <td class="cell">
      {market === undefined || offer === undefined ? null : oddsButton(context, event, market, offer, label)}
    </td>
  );
}

function hero(context: Context, event: BoardEvent): VNode {
  const { words } = context;
  const [main] = event.markets;
  return (
    <section class="hero" aria-label={words.featured} key="hero" data-key="hero">
      <p class="kicker">
        <Icon name={event.sport} size={16} />
        {`${words.featured} · ${event.league_name}`}
      </p>
      {versus(context, event, 44)}
      <p class="when">
        {when(context, event)}
        <Link path={`/event/${event.id}`} current={false} class="see">
          {words.seeMatch}
          <Icon name="chevron" size={16} />
        </Link>
      </p>
      {main === undefined ? null : (
        <div class="hero-odds">
          {oddsRow(context, event, main, ({ pick }) =>
            pick === "home" ? event.home : pick === "away" ? event.away : words.draw,
          )}
        </div>
      )}
    </section>
  );
}

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

export const Notice = ({ title, text, children }: NoticeProps): VNode => (
  <div class="notice">
    <strong>{title}</strong>
    <span>{text}</span>
    {children}
  </div>
);

export function FailedNotice({ words }: Context): VNode {
  return (
    <div class="notice failed" role="alert" key="failed" data-key="failed">
      <strong>{words.failedTitle}</strong>
      <span>{words.failedText}</span>
      <button type="button" class="button" data-do="retry">
        {words.retry}
      </button>
    </div>
  );
}

export function Waiting({ words }: Context): VNode {
  const bones = Array.from({ length: 7 }, () => <div class="bone" />);
  return (
    <div class="waiting-list" key="waiting" data-key="waiting">
      <p class="visually-hidden" role="status">
        {words.loading}
      </p>
      <div class="bone big" />
      {bones}
    </div>
  );
}
