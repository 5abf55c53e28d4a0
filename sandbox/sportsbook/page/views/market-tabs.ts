import { make } from "../../../design/dom.ts";
import type { BoardEvent } from "../api-types.ts";
import { groupsOf, type MarketGroup, type MarketsOfKind } from "../market-groups.ts";
import { kindName, pickName, unitOf } from "../words/names.ts";
import type { Context } from "./context.ts";
import { oddsRow } from "./odds-button.ts";

/** The markets of a match: a tab for each group, and the markets of the chosen group. */
export function marketTabs(context: Context, event: BoardEvent): HTMLElement[] {
  const { state, words } = context;
  const groups = groupsOf(event.markets);
  const chosen = groups.has(state.group) ? state.group : "all";
  const tab = (group: MarketGroup) =>
    make(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${group}`,
        class: "tab",
        "data-key": group,
        "data-do": "group",
        "data-id": group,
        "aria-selected": String(group === chosen),
        "aria-controls": "markets",
        tabindex: group === chosen ? 0 : -1,
      },
      group === "totals" ? words.groups.totals[unitOf(event.sport)] : words.groups[group],
    );
  return [
    make(
      "div",
      { class: "tabs", role: "tablist", "aria-label": words.markets, "data-key": "tabs" },
      ...[...groups.keys()].map(tab),
    ),
    make(
      "div",
      { id: "markets", class: "markets", role: "tabpanel", "aria-labelledby": `tab-${chosen}`, "data-key": "markets" },
      ...(groups.get(chosen) ?? []).map((markets) => card(context, event, markets)),
    ),
  ];
}

/** The markets of one kind: a row for each line. */
function card(context: Context, event: BoardEvent, { kind, markets }: MarketsOfKind): HTMLElement {
  const { words } = context;
  return make(
    "section",
    { class: "card market", "data-key": kind },
    make("h2", {}, kindName(words, kind, event.sport)),
    ...markets.map((market) => oddsRow(context, event, market, ({ pick }) => pickName(words, market, pick, event))),
  );
}

/** The tab that a key chooses, from the tab `from`. undefined: the key does not choose a tab. */
export function tabAfter(tabs: readonly HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined {
  const at = tabs.indexOf(from);
  switch (key) {
    case "ArrowRight":
      return tabs[(at + 1) % tabs.length];
    case "ArrowLeft":
      return tabs.at(at - 1);
    case "Home":
      return tabs[0];
    case "End":
      return tabs.at(-1);
    default:
      return undefined;
  }
}
