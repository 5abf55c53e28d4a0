import type { VNode } from "preact";
import type { Market, Offer } from "../../model/markets.ts";
import type { BoardEvent } from "../api-types.ts";
import { Icon } from "../sport-icons.tsx";
import { marketName, pickName } from "../words/names.ts";
import type { Context } from "./context.ts";

/** The button of a price. It shows `label`. A screen reader also reads match, market and pick. */
export function oddsButton(
  { state, words, oddsText }: Context,
  event: BoardEvent,
  market: Market,
  { id, pick, odds }: Offer,
  label: string,
): VNode {
  const chosen = state.slip.lines.some((line) => line.id === id);
  const move = odds === null ? undefined : state.moves.get(id);
  const full = pickName(words, market, pick, event);
  return (
    <button
      type="button"
      class={`odds${chosen ? " chosen" : ""}${move === undefined ? "" : ` ${move}`}`}
      key={id}
      data-key={id}
      data-do="toggle"
      data-id={id}
      aria-pressed={chosen}
      disabled={(odds === null || state.away) && !chosen}
    >
      <span class="visually-hidden">{`${event.home} ${words.versus} ${event.away}, ${marketName(words, market, event)}: `}</span>
      <span class="pick">
        {label}
        {label === full ? null : <span class="visually-hidden">{` ${full}`}</span>}
      </span>
      {odds === null || state.away ? (
        <span class="price">
          <Icon name="lock" size={14} />
          <span class="visually-hidden">{words.suspended}</span>
        </span>
      ) : (
        <span class="price">
          {move === undefined ? null : <Icon name={move} size={11} />}
          {oddsText(odds)}
        </span>
      )}
    </button>
  );
}

/** The buttons of a market in a row. */
export function oddsRow(context: Context, event: BoardEvent, market: Market, label: (offer: Offer) => string): VNode {
  return (
    <div class={`row n${market.offers.length}`} key={market.id} data-key={market.id}>
      {market.offers.map((offer) => oddsButton(context, event, market, offer, label(offer)))}
    </div>
  );
}
