import type { VNode } from "preact";
import { SPORTS, type Sport } from "../../model/scores.ts";
import type { BoardEvent } from "../api-types.ts";
import { routeOf } from "../route.ts";
import { Icon } from "../sport-icons.tsx";
import type { Context } from "./context.ts";
import { Link } from "./header.tsx";

/** The sports and leagues with their numbers of matches: a column beside the matches, or a bar above them. */
export function SportsNav({ state, words }: Context): VNode {
  const events = state.board ?? [];
  const route = routeOf(state.path);
  const only = route.page === "board" ? route.only : undefined;
  const shown = sportShown(state.path, events);
  const item = (sport: Sport): VNode => {
    const open = sport === shown;
    return (
      <li key={sport} data-key={sport}>
        <Link
          path={`/sport/${sport}`}
          current={typeof only === "object" && "sport" in only && only.sport === sport}
          class="sport"
        >
          <Icon name={sport} />
          <span>{words[sport]}</span>
          {count(events.filter((event) => event.sport === sport))}
        </Link>
        {open ? (
          <ul class="leagues">
            {leagues(
              events.filter((event) => event.sport === sport),
              only,
            )}
          </ul>
        ) : null}
      </li>
    );
  };
  return (
    <nav class="sports" aria-label={words.menu} key="sports" data-key="sports">
      <ul>
        <li key="all" data-key="all">
          <Link path="/" current={only === "all"} class="sport">
            <Icon name="home" />
            <span>{words.allSports}</span>
            {count(events)}
          </Link>
        </li>
        <li key="live" data-key="live">
          <Link path="/live" current={only === "live"} class="sport">
            <Icon name="live" />
            <span>{words.live}</span>
            {count(events.filter(({ phase }) => phase === "live"))}
          </Link>
        </li>
        {SPORTS.map(item)}
      </ul>
    </nav>
  );
}

const count = (events: readonly unknown[]): VNode => <small class="count">{String(events.length)}</small>;

/** The sport whose leagues are shown. */
function sportShown(path: string, events: readonly BoardEvent[]): Sport {
  const route = routeOf(path);
  if (route.page === "event") return events.find(({ id }) => id === route.id)?.sport ?? "football";
  if (route.page === "board" && typeof route.only === "object") {
    if ("sport" in route.only) return route.only.sport;
    const { league } = route.only;
    return events.find((event) => event.league === league)?.sport ?? "football";
  }
  return "football";
}

function leagues(events: readonly BoardEvent[], only: unknown): VNode[] {
  const names = new Map(events.map(({ league, league_name }) => [league, league_name]));
  return [...names].map(([code, name]) => {
    const current = typeof only === "object" && only !== null && "league" in only && only.league === code;
    return (
      <li key={code} data-key={code}>
        <Link path={`/league/${code}`} current={current} class="league">
          {name}
        </Link>
      </li>
    );
  });
}
