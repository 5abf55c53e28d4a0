import { ODDS_FORMATS } from "../../../../web-renderer/protocol.ts";
import { make } from "../../../design/dom.ts";
import { routeOf } from "../route.ts";
import { icon } from "../sport-icons.ts";
import type { Words } from "../words/en.ts";
import type { Context } from "./context.ts";

export const link = (
  path: string,
  current: boolean,
  className: string,
  ...children: (Node | string | null)[]
): HTMLAnchorElement =>
  make(
    "a",
    { href: `#${path}`, "data-do": "go", "data-path": path, class: className, "aria-current": current ? "page" : null },
    ...children,
  );

export function header(context: Context): HTMLElement {
  const { state, words } = context;
  const route = routeOf(state.path);
  const at = (page: string) =>
    page === "bets" ? route.page === "bets" : route.page === "board" && (page === "live") === (route.only === "live");
  return make(
    "header",
    { class: state.hideBalance && state.session !== undefined ? "top bare" : "top", "data-key": "top" },
    make("a", { class: "skip", href: "#main", "data-do": "skip" }, words.skip),
    link("/", false, "mark", make("span", { class: "sign" }, icon("mark", 22)), make("span", {}, words.sportsbook)),
    make(
      "nav",
      { class: "pages", "aria-label": words.sportsbook },
      link("/", at("sports"), "", words.sports),
      link("/live", at("live"), "", make("span", { class: "pulse" }), words.live),
      link("/bets", at("bets"), "", words.myBets),
    ),
    make("div", { class: "tools" }, oddsFormat(context), ...player(context)),
  );
}

function oddsFormat({ state, words }: Context): HTMLElement {
  const options = ODDS_FORMATS.map((format) =>
    make("option", { value: format, selected: format === state.oddsFormat }, words[format]),
  );
  return make(
    "label",
    { class: "format" },
    make("span", { class: "visually-hidden" }, words.oddsFormat),
    make("select", { "data-change": "odds", "data-value": state.oddsFormat }, ...options),
  );
}

function player({ state, words, money }: Context): HTMLElement[] {
  if (state.session === undefined) {
    return [
      make("button", { type: "button", class: "button ghost", "data-do": "login", "data-key": "login" }, words.login),
      make(
        "button",
        { type: "button", class: "button primary", "data-do": "register", "data-key": "register" },
        words.register,
      ),
    ];
  }
  if (state.hideBalance) return [];
  return [
    make(
      "p",
      { class: "purse", "data-key": "purse" },
      make("span", { class: "visually-hidden" }, `${words.balance} `),
      make(
        "output",
        { id: "balance" },
        ...(state.balance !== null ? [money(state.balance)] : state.balanceFailed ? unknown(words) : ["…"]),
      ),
    ),
    ...(state.balanceFailed
      ? [
          make(
            "button",
            { type: "button", class: "button ghost", "data-do": "balance", "data-key": "balance-again" },
            words.retry,
          ),
        ]
      : []),
    make(
      "button",
      { type: "button", class: "button primary", "data-do": "recharge", "data-key": "recharge" },
      icon("plus", 16),
      make("span", {}, words.deposit),
    ),
  ];
}

/** A dash for an unknown balance. Screen readers get a text instead. */
const unknown = ({ balanceFailed }: Words): HTMLElement[] => [
  make("span", { "aria-hidden": "true" }, "–"),
  make("span", { class: "visually-hidden" }, balanceFailed),
];

/** The links to the pages at the bottom of narrow screens. */
export function bottomBar({ state, words }: Context): HTMLElement {
  const route = routeOf(state.path);
  const count = state.slip.lines.length;
  return make(
    "nav",
    { class: "bottom", "aria-label": words.menu, "data-key": "bottom" },
    link("/", route.page === "board" && route.only !== "live", "", icon("home"), words.sports),
    link("/live", route.page === "board" && route.only === "live", "", icon("live"), words.live),
    make(
      "button",
      { type: "button", "data-do": "slip", "aria-expanded": String(state.slipOpen), "aria-controls": "slip" },
      make("span", { class: "badge-on" }, icon("slip"), count > 0 && make("b", { class: "count" }, String(count))),
      words.betslip,
    ),
    link("/bets", route.page === "bets", "", icon("bets"), words.myBets),
  );
}
