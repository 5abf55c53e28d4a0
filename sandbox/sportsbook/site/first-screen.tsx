import { renderToString } from "preact-render-to-string";
import type { BoardEvent, BrandReply } from "../page/api-types.ts";
import { lookOf } from "../page/look.ts";
import { initialState, type State } from "../page/state.ts";
import { contextOf } from "../page/views/context.ts";
import { Page, pageName } from "../page/views/page.tsx";

/** What the page shows before its script runs. */
export interface FirstScreen extends Pick<State, "language" | "theme" | "layout"> {
  /** The element `#app`. It is inert, because nothing answers a click yet. */
  readonly app: string;
}

/** Only the player's device knows its time zone. So kick-offs are empty until the page's script runs. */
const NO_TIMES = { near: () => "\u00a0", full: () => "" };

/** Draws the start page for a visitor, with the same views as in the browser. The browser then has nothing to change. */
export function firstScreen(brand: BrandReply, board: readonly BoardEvent[], pathname: string): FirstScreen {
  const look = lookOf({ brand, pathname });
  const state: State = { ...initialState(), ...look, brand, oddsFormat: brand.odds_format, board };
  const content = renderToString(<Page {...contextOf(state, NO_TIMES)} />);
  return { ...look, app: `<div id="app" class="app" data-page="${pageName(state)}" inert="">${content}</div>` };
}
