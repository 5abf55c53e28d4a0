import type { BoardEvent, BrandReply } from "../page/api-types.ts";
import { lookOf } from "../page/look.ts";
import { initialState, type State } from "../page/state.ts";
import { contextOf } from "../page/views/context.ts";
import { page } from "../page/views/page.ts";
import { htmlDocument } from "./html-document.ts";

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
  // The views make their elements with the global `document`, which is there only while they draw.
  globalThis.document = htmlDocument as unknown as Document;
  try {
    const app = page(contextOf(state, NO_TIMES));
    app.setAttribute("inert", "");
    return { ...look, app: app.outerHTML };
  } finally {
    Reflect.deleteProperty(globalThis, "document");
  }
}
