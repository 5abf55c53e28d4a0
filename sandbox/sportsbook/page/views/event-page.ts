import { make } from "../../../design/dom.ts";
import type { BoardEvent } from "../api-types.ts";
import { icon } from "../sport-icons.ts";
import type { Context } from "./context.ts";
import { failedNotice, notice, versus, waiting } from "./events.ts";
import { link } from "./header.ts";
import { marketTabs } from "./market-tabs.ts";
import { when } from "./when.ts";

/** One match with all its markets. */
export function eventPage(context: Context): HTMLElement[] {
  const { state, words } = context;
  const { event } = state;
  const back = link("/", false, "back", icon("back", 18), words.back);
  if (event === undefined) return [back, state.away ? failedNotice(context) : waiting(context)];
  if (event === "none") return [back, notice(words.noMatch, words.noMatchesText)];
  return [
    make(
      "div",
      { class: "crumbs", "data-key": "crumbs" },
      back,
      link(`/league/${event.league}`, false, "league-link", icon(event.sport, 16), event.league_name),
    ),
    state.away ? failedNotice(context) : null,
    scoreboard(context, event),
    ...(event.markets.length === 0
      ? [notice(words.finished, `${event.home} ${event.score.home} : ${event.score.away} ${event.away}`)]
      : marketTabs(context, event)),
    typeof state.brand === "object" && state.brand.control && event.phase !== "finished"
      ? levers(context, event)
      : null,
  ].filter((part) => part !== null);
}

const scoreboard = (context: Context, event: BoardEvent): HTMLElement =>
  make(
    "section",
    { class: "hero scoreboard", "data-key": "scoreboard", "aria-labelledby": "match-title" },
    versus(context, event, 64, "match-title"),
    make("p", { class: "when" }, ...when(context, event)),
  );

/** Buttons that end the match by hand. */
function levers({ words }: Context, event: BoardEvent): HTMLElement {
  const field = (name: "home" | "away") =>
    make(
      "label",
      {},
      event[name],
      make("input", {
        type: "number",
        id: `final-${name}`,
        min: 0,
        max: 999,
        value: event.score[name],
        inputmode: "numeric",
      }),
    );
  return make(
    "details",
    { class: "levers", "data-key": "levers" },
    make("summary", {}, words.backstage),
    make("p", {}, words.backstageText),
    make(
      "div",
      { class: "final" },
      field("home"),
      field("away"),
      make("button", { type: "button", class: "button", "data-do": "finish", "data-id": event.id }, words.finish),
    ),
  );
}
