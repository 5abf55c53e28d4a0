import type { VNode } from "preact";
import type { BoardEvent } from "../api-types.ts";
import { Icon } from "../sport-icons.tsx";
import type { Context } from "./context.ts";
import { FailedNotice, Notice, versus, Waiting } from "./events.tsx";
import { Link } from "./header.tsx";
import { marketTabs } from "./market-tabs.tsx";
import { when } from "./when.tsx";

/** One match with all its markets. */
export function eventPage(context: Context): VNode[] {
  const { state, words } = context;
  const { event } = state;
  const back = (
    <Link path="/" current={false} class="back">
      <Icon name="back" size={18} />
      {words.back}
    </Link>
  );
  if (event === undefined) return [back, state.away ? <FailedNotice {...context} /> : <Waiting {...context} />];
  if (event === "none") return [back, <Notice title={words.noMatch} text={words.noMatchesText} />];
  return [
    <div class="crumbs" key="crumbs" data-key="crumbs">
      {back}
      <Link path={`/league/${event.league}`} current={false} class="league-link">
        <Icon name={event.sport} size={16} />
        {event.league_name}
      </Link>
    </div>,
    state.away ? <FailedNotice {...context} /> : null,
    scoreboard(context, event),
    ...(event.markets.length === 0
      ? [
          <Notice
            title={words.finished}
            text={`${event.home} ${event.score.home} : ${event.score.away} ${event.away}`}
          />,
        ]
      : marketTabs(context, event)),
    typeof state.brand === "object" && state.brand.control && event.phase !== "finished"
      ? levers(context, event)
      : null,
  ].filter((part) => part !== null);
}

const scoreboard = (context: Context, event: BoardEvent): VNode => (
  <section class="hero scoreboard" key="scoreboard" data-key="scoreboard" aria-labelledby="match-title">
    {versus(context, event, 64, "match-title")}
    <p class="when">{when(context, event)}</p>
  </section>
);

/** Buttons that end the match by hand. */
function levers({ words }: Context, event: BoardEvent): VNode {
  const field = (name: "home" | "away") => (
    <label>
      {event[name]}
      <input
        type="number"
        id={`final-${name}`}
        min={0}
        max={999}
        defaultValue={String(event.score[name])}
        inputmode="numeric"
      />
    </label>
  );
  return (
    <details class="levers" key="levers" data-key="levers">
      <summary>{words.backstage}</summary>
      <p>{words.backstageText}</p>
      <div class="final">
        {field("home")}
        {field("away")}
        <button type="button" class="button" data-do="finish" data-id={event.id}>
          {words.finish}
        </button>
      </div>
    </details>
  );
}
