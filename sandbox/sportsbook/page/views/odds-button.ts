import { make } from "../../../design/dom.ts";
import type { Market, Offer } from "../../model/markets.ts";
import type { BoardEvent } from "../api-types.ts";
import { icon } from "../sport-icons.ts";
import { marketName, pickName } from "../words/names.ts";
import type { Context } from "./context.ts";

/** The button of a price. It shows `label`. A screen reader also reads match, market and pick. */
export function oddsButton(
  { state, words, oddsText }: Context,
  event: BoardEvent,
  market: Market,
  { id, pick, odds }: Offer,
  label: string,
): HTMLButtonElement {
  const chosen = state.slip.lines.some((line) => line.id === id);
  const move = odds === null ? undefined : state.moves.get(id);
  const full = pickName(words, market, pick, event);
  return make(
    "button",
    {
      type: "button",
      class: `odds${chosen ? " chosen" : ""}${move === undefined ? "" : ` ${move}`}`,
      "data-key": id,
      "data-do": "toggle",
      "data-id": id,
      "aria-pressed": String(chosen),
      disabled: (odds === null || state.away) && !chosen,
    },
    make(
      "span",
      { class: "visually-hidden" },
      `${event.home} ${words.versus} ${event.away}, ${marketName(words, market, event)}: `,
    ),
    make(
      "span",
      { class: "pick" },
      label,
      label === full ? null : make("span", { class: "visually-hidden" }, ` ${full}`),
    ),
    odds === null || state.away
      ? make("span", { class: "price" }, icon("lock", 14), make("span", { class: "visually-hidden" }, words.suspended))
      : make("span", { class: "price" }, move === undefined ? null : icon(move, 11), oddsText(odds)),
  );
}

/** The buttons of a market in a row. */
export function oddsRow(
  context: Context,
  event: BoardEvent,
  market: Market,
  label: (offer: Offer) => string,
): HTMLDivElement {
  return make(
    "div",
    { class: `row n${market.offers.length}`, "data-key": market.id },
    ...market.offers.map((offer) => oddsButton(context, event, market, offer, label(offer))),
  );
}
