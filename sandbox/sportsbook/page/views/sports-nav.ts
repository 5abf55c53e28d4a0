import { make } from "../../../design/dom.ts";
import { SPORTS, type Sport } from "../../model/scores.ts";
import type { BoardEvent } from "../api-types.ts";
import { routeOf } from "../route.ts";
import { icon } from "../sport-icons.ts";
import type { Context } from "./context.ts";
import { link } from "./header.ts";

/** The sports and leagues with their numbers of matches: a column beside the matches, or a bar above them. */
export function sportsNav({ state, words }: Context): HTMLElement {
  const events = state.board ?? [];
  const route = routeOf(state.path);
  const only = route.page === "board" ? route.only : undefined;
  const shown = sportShown(state.path, events);
  const item = (sport: Sport): HTMLElement => {
    const open = sport === shown;
    return make(
      "li",
      { "data-key": sport },
      link(
        `/sport/${sport}`,
        typeof only === "object" && "sport" in only && only.sport === sport,
        "sport",
        icon(sport),
        make("span", {}, words[sport]),
        count(events.filter((event) => event.sport === sport)),
      ),
      open
        ? make(
            "ul",
            { class: "leagues" },
            ...leagues(
              events.filter((event) => event.sport === sport),
              only,
            ),
          )
        : null,
    );
  };
  return make(
    "nav",
    { class: "sports", "aria-label": words.menu, "data-key": "sports" },
    make(
      "ul",
      {},
      make(
        "li",
        { "data-key": "all" },
        link("/", only === "all", "sport", icon("home"), make("span", {}, words.allSports), count(events)),
      ),
      make(
        "li",
        { "data-key": "live" },
        link(
          "/live",
          only === "live",
          "sport",
          icon("live"),
          make("span", {}, words.live),
          count(events.filter(({ phase }) => phase === "live")),
        ),
      ),
      ...SPORTS.map(item),
    ),
  );
}

const count = (events: readonly unknown[]): HTMLElement => make("small", { class: "count" }, String(events.length));

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

function leagues(events: readonly BoardEvent[], only: unknown): HTMLElement[] {
  const names = new Map(events.map(({ league, league_name }) => [league, league_name]));
  return [...names].map(([code, name]) => {
    const current = typeof only === "object" && only !== null && "league" in only && only.league === code;
    return make("li", { "data-key": code }, link(`/league/${code}`, current, "league", name));
  });
}
