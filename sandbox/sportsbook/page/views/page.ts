import { make } from "../../../design/dom.ts";
import { routeOf } from "../route.ts";
import { betslip } from "./betslip.ts";
import type { Context } from "./context.ts";
import { eventPage } from "./event-page.ts";
import { board, notice } from "./events.ts";
import { bottomBar, header } from "./header.ts";
import { myBets } from "./my-bets.ts";
import { sportsNav } from "./sports-nav.ts";

/** The whole page for a state. Its `main` is keyed by route, so that another page begins at its top. */
export function page(context: Context): HTMLElement {
  const { state, words } = context;
  if (state.brand === "unknown")
    return make(
      "div",
      { id: "app", class: "app" },
      make("main", { id: "main" }, notice(words.brandUnknown, words.brandUnknownText)),
    );
  const { page: name } = routeOf(state.path);
  const content = name === "event" ? eventPage(context) : name === "bets" ? myBets(context) : board(context);
  return make(
    "div",
    { id: "app", class: "app", "data-page": name },
    header(context),
    make(
      "div",
      { class: "columns", "data-key": "columns" },
      sportsNav(context),
      make("main", { id: "main", tabindex: "-1", inert: state.slipOpen, "data-key": "main" }, ...content),
      betslip(context),
    ),
    bottomBar(context),
  );
}
