import { make } from "../../../design/dom.ts";
import { potentialMinor } from "../../model/payout.ts";
import type { BetReply } from "../api-types.ts";
import { icon } from "../sport-icons.ts";
import { marketName, pickName } from "../words/names.ts";
import type { Context } from "./context.ts";
import { notice, waiting } from "./events.ts";
import { failureText } from "./failure-text.ts";
import { link } from "./header.ts";
import { moment } from "./when.ts";

export function myBets(context: Context): HTMLElement[] {
  const { state, words } = context;
  const title = make("h1", { class: "page-title", "data-key": "title" }, words.myBets);
  if (state.session === undefined) {
    const login = make("button", { type: "button", class: "button primary", "data-do": "login" }, words.login);
    return [title, notice(words.loginToSee, words.noBetsText, login)];
  }
  if (state.bets === undefined) return [title, waiting(context)];
  const isSettled = (bet: BetReply) =>
    bet.state === "settled" || (bet.state === "rejected" && bet.refund !== "pending");
  const shown = state.bets.filter((bet) => isSettled(bet) === (state.betsShown === "settled"));
  const choice = (value: "open" | "settled", label: string, count: number) =>
    make(
      "label",
      { class: "choice" },
      make("input", { type: "radio", name: "bets", value, checked: state.betsShown === value, "data-change": "bets" }),
      make("span", {}, label, make("small", { class: "count" }, String(count))),
    );
  const settled = state.bets.filter(isSettled).length;
  return [
    title,
    make(
      "div",
      { class: "modes", role: "radiogroup", "aria-label": words.myBets, "data-key": "modes" },
      choice("open", words.open, state.bets.length - settled),
      choice("settled", words.settled, settled),
    ),
    shown.length === 0
      ? notice(state.betsShown === "open" ? words.noOpenBets : words.noSettledBets, words.noBetsText)
      : make("div", { class: "bets", "data-key": "bets" }, ...shown.map((bet) => betCard(context, bet))),
  ];
}

function betCard(context: Context, bet: BetReply): HTMLElement {
  const { words, money, times, oddsText } = context;
  const status = statusOf(bet);
  const odds = bet.legs.map((leg) => leg.odds);
  const product = odds.reduce((all, one) => all * (one / 100), 1);
  const sum = (label: string, value: string) =>
    make("p", { class: "sum" }, make("span", {}, label), make("b", {}, value));
  const settled = bet.state === "settled";
  return make(
    "article",
    { class: `bet ${status}`, "data-key": bet.id, "data-bet": bet.id, "data-status": status },
    make(
      "header",
      {},
      make("h2", {}, bet.legs.length > 1 ? `${words.accumulator} · ${bet.legs.length}` : words.single),
      moment(times.near(bet.placed_at, Date.now(), words), times.full(bet.placed_at), bet.placed_at),
      make("span", { class: "status" }, words.state[status]),
    ),
    make("ul", { class: "legs" }, ...bet.legs.map((leg) => legOf(context, leg))),
    bet.state === "rejected" ? make("p", { class: "problem" }, failureText(words, bet)) : null,
    make(
      "footer",
      {},
      sum(words.stake, money(bet.stake_minor)),
      bet.legs.length > 1 ? sum(words.totalOdds, oddsText(Math.round(product * 100))) : null,
      settled
        ? sum(words.returned, money(bet.return_minor) + (bet.paying ? ` · ${words.paying}` : ""))
        : bet.state === "rejected"
          ? null
          : sum(words.potential, money(Number(potentialMinor(BigInt(bet.stake_minor), odds)))),
    ),
    make("small", { class: "bet-id" }, `${words.bet} ${bet.id}`),
  );
}

function statusOf({ state, refund, result }: BetReply): keyof Context["words"]["state"] {
  if (state === "settled") return result ?? "lost";
  return state === "rejected" && refund === "pending" ? "returning" : state;
}

function legOf({ words, oddsText }: Context, leg: BetReply["legs"][number]): HTMLElement {
  const market = { kind: leg.market, line: leg.line };
  const fate = leg.outcome === null ? "open" : leg.outcome;
  return make(
    "li",
    { class: `leg ${fate}` },
    icon(
      leg.outcome === null ? "clock" : leg.outcome === "lost" || leg.outcome === "half_lost" ? "cross" : "check",
      16,
    ),
    make(
      "div",
      {},
      make("strong", {}, `${pickName(words, market, leg.pick, leg)} `, make("b", {}, oddsText(leg.odds))),
      make("span", {}, marketName(words, market, leg)),
      link(`/event/${leg.event}`, false, "leg-match", `${leg.home} ${words.versus} ${leg.away}`),
    ),
    leg.outcome === null
      ? null
      : make(
          "span",
          { class: "leg-end" },
          make("b", {}, leg.score ?? ""),
          make("small", {}, words.outcome[leg.outcome]),
        ),
  );
}
