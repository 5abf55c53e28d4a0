import type { VNode } from "preact";
import { type Route, routeOf } from "../route.ts";
import type { State } from "../state.ts";
import { Betslip } from "./betslip.tsx";
import type { Context } from "./context.ts";
import { eventPage } from "./event-page.tsx";
import { board, Notice } from "./events.tsx";
import { BottomBar, Header } from "./header.tsx";
import { myBets } from "./my-bets.tsx";
import { SportsNav } from "./sports-nav.tsx";

/** The name of the page of a route; undefined: the brand is unknown, so there is no page. */
export const pageName = (state: State): Route["page"] | undefined =>
  state.brand === "unknown" ? undefined : routeOf(state.path).page;

/** The whole page for a state: what is in the element `#app`. */
export function Page(context: Context): VNode {
  const { state, words } = context;
  const name = pageName(state);
  if (name === undefined)
    return (
      <main id="main">
        <Notice title={words.brandUnknown} text={words.brandUnknownText} />
      </main>
    );
  const content = name === "event" ? eventPage(context) : name === "bets" ? myBets(context) : board(context);
  return (
    <>
      <Header {...context} />
      <div class="columns" data-key="columns">
        <SportsNav {...context} />
        <main id="main" tabindex={-1} inert={state.slipOpen} data-key="main">
          {content}
        </main>
        <Betslip {...context} />
      </div>
      <BottomBar {...context} />
    </>
  );
}
