import type { VNode } from "preact";
import type { BoardEvent } from "../api-types.ts";
import { groupsOf, type MarketGroup, type MarketsOfKind } from "../market-groups.ts";
import { kindName, pickName, unitOf } from "../words/names.ts";
import type { Context } from "./context.ts";
import { oddsRow } from "./odds-button.tsx";

/** The markets of a match: a tab for each group, and the markets of the chosen group. */
export function marketTabs(context: Context, event: BoardEvent): VNode[] {
  const { state, words } = context;
  const groups = groupsOf(event.markets);
  const chosen = groups.has(state.group) ? state.group : "all";
  const tab = (group: MarketGroup) => (
    <button
      type="button"
      role="tab"
      id={`tab-${group}`}
      class="tab"
      key={group}
      data-key={group}
      data-do="group"
      data-id={group}
      aria-selected={group === chosen}
      aria-controls="markets"
      tabindex={group === chosen ? 0 : -1}
    >
      {group === "totals" ? words.groups.totals[unitOf(event.sport)] : words.groups[group]}
    </button>
  );
  return [
    <div class="tabs" role="tablist" aria-label={words.markets} key="tabs" data-key="tabs">
      {[...groups.keys()].map(tab)}
    </div>,
    <div
      id="markets"
      class="markets"
      role="tabpanel"
      aria-labelledby={`tab-${chosen}`}
      key="markets"
      data-key="markets"
    >
      {(groups.get(chosen) ?? []).map((markets) => card(context, event, markets))}
    </div>,
  ];
}

/** The markets of one kind: a row for each line. */
function card(context: Context, event: BoardEvent, { kind, markets }: MarketsOfKind): VNode {
  const { words } = context;
  return (
    <section class="card market" key={kind} data-key={kind}>
      <h2>{kindName(words, kind, event.sport)}</h2>
      {markets.map((market) => oddsRow(context, event, market, ({ pick }) => pickName(words, market, pick, event)))}
    </section>
  );
}
