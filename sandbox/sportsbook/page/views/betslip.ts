import { make } from "../../../design/dom.ts";
import { ODDS_HABITS } from "../../model/odds-habit.ts";
import { potentialMinor } from "../../model/payout.ts";
import { type SlipLine, type SlipProblem, type SlipSummary, summary } from "../slip.ts";
import { icon } from "../sport-icons.ts";
import { QUICK_STAKES, readStake } from "../stake.ts";
import { marketName, pickName } from "../words/names.ts";
import type { Context } from "./context.ts";
import { failureText } from "./failure-text.ts";

export function betslip(context: Context): HTMLElement {
  const { state, words } = context;
  const { lines } = state.slip;
  return make(
    "aside",
    { id: "slip", class: `slip${state.slipOpen ? " open" : ""}`, "aria-labelledby": "slip-title", "data-key": "slip" },
    make(
      "div",
      { class: "slip-head" },
      make(
        "h2",
        { id: "slip-title" },
        words.betslip,
        make("span", { class: "count", id: "slip-count" }, String(lines.length)),
      ),
      lines.length > 0 && state.receipt.kind === "none"
        ? make("button", { type: "button", class: "plain", "data-do": "clear" }, words.clear)
        : null,
      make(
        "button",
        { type: "button", class: "close", "data-do": "slip" },
        icon("cross"),
        make("span", { class: "visually-hidden" }, words.close),
      ),
    ),
    ...body(context),
  );
}

function body(context: Context): HTMLElement[] {
  const { state, words } = context;
  const { receipt } = state;
  if (receipt.kind === "placed" || receipt.kind === "pending") return [receiptOf(context)];
  if (state.slip.lines.length === 0)
    return [
      make(
        "div",
        { class: "slip-empty", "data-key": "empty" },
        icon("slip", 40),
        make("strong", {}, words.slipEmpty),
        make("p", {}, words.slipEmptyText),
      ),
    ];
  const currency = state.session?.currency ?? "";
  const sums = state.away
    ? { ...summary(state.slip, currency), problem: "offline" as const }
    : summary(state.slip, currency);
  return [
    state.slip.lines.length > 1 ? modes(context) : null,
    make("ul", { class: "lines", "data-key": "lines" }, ...state.slip.lines.map((line) => lineOf(context, line))),
    make("div", { class: "slip-foot", "data-key": "foot" }, ...foot(context, sums)),
  ].filter((part) => part !== null);
}

function modes({ state, words }: Context): HTMLElement {
  const mode = (value: "singles" | "accumulator", label: string) =>
    make(
      "label",
      { class: "choice" },
      make("input", { type: "radio", name: "mode", value, checked: state.slip.mode === value, "data-change": "mode" }),
      make("span", {}, label),
    );
  return make(
    "div",
    { class: "modes", role: "radiogroup", "aria-label": words.betslip, "data-key": "modes" },
    mode("singles", words.singles),
    mode("accumulator", words.accumulator),
  );
}

function lineOf(context: Context, line: SlipLine): HTMLElement {
  const { state, words, oddsText } = context;
  const name = pickName(words, line, line.pick, line);
  // The odds that are no longer valid: those before a change that waits for the player, or before a change that the
  // habit accepted.
  const before = line.now !== null && line.now !== line.odds ? line.odds : line.was;
  return make(
    "li",
    { class: `line${line.now === null ? " gone" : ""}`, "data-key": line.id },
    make(
      "div",
      { class: "what" },
      make("strong", {}, name),
      make("span", {}, marketName(words, line, line)),
      make("small", {}, `${line.home} ${words.versus} ${line.away}`),
    ),
    make(
      "div",
      { class: "cost" },
      make(
        "button",
        { type: "button", class: "remove", "data-do": "remove", "data-id": line.id },
        icon("cross", 16),
        make("span", { class: "visually-hidden" }, words.remove(name)),
      ),
      make(
        "span",
        { class: "taken" },
        before === null ? null : make("s", {}, oddsText(before)),
        " ",
        make("b", {}, oddsText(line.now ?? line.odds)),
      ),
    ),
    line.now === null ? make("p", { class: "problem" }, words.gone) : null,
    state.slip.mode === "singles" && line.now !== null
      ? stakeField(context, line.id, line.stake, words.stakeOf(name))
      : null,
  );
}

function stakeField({ state, words, money }: Context, id: string, stake: string, label: string): HTMLElement {
  const currency = state.session?.currency ?? "";
  const wrong = stake.trim() !== "" && readStake(stake, currency) === undefined;
  const quick = id === "" || state.slip.lines.length === 1 ? (QUICK_STAKES[currency] ?? []) : [];
  return make(
    "div",
    { class: "stake", "data-key": `stake-${id}` },
    make(
      "label",
      {},
      make("span", { class: id === "" ? "" : "visually-hidden" }, label),
      make(
        "span",
        { class: "field" },
        make("span", { class: "unit", "aria-hidden": "true" }, currency),
        make("input", {
          type: "text",
          inputmode: "decimal",
          autocomplete: "off",
          maxlength: 14,
          placeholder: words.stake,
          value: stake,
          "data-input": "stake",
          "data-id": id,
          "aria-invalid": wrong ? "true" : null,
        }),
      ),
    ),
    quick.length > 0
      ? make(
          "div",
          { class: "quick" },
          ...quick.map((minor) =>
            make(
              "button",
              { type: "button", class: "chip", "data-do": "quick", "data-id": id, "data-minor": minor },
              money(minor),
            ),
          ),
        )
      : null,
  );
}

function foot(context: Context, sums: SlipSummary): HTMLElement[] {
  const { state, words, money, oddsText } = context;
  const { slip, receipt, session, balance } = state;
  const product = slip.lines.reduce((odds, line) => odds * ((line.now ?? line.odds) / 100), 1);
  const row = (label: string, value: string, className = "") =>
    make("p", { class: `sum ${className}` }, make("span", {}, label), make("b", {}, value));
  const notEnough = balance !== null && sums.stakeMinor > balance;
  const message =
    receipt.kind === "failed"
      ? failureText(words, receipt)
      : notEnough
        ? words.notEnough
        : problemText(context, sums.problem);
  const deposit = notEnough || (receipt.kind === "failed" && receipt.error === "INSUFFICIENT_FUNDS");
  return [
    slip.mode === "accumulator" ? row(words.totalOdds, oddsText(Math.round(product * 100)), "odds-sum") : null,
    slip.mode === "accumulator" && session !== undefined ? stakeField(context, "", slip.stake, words.stake) : null,
    session !== undefined && slip.mode === "singles" && slip.lines.length > 1
      ? row(words.totalStake, money(sums.stakeMinor))
      : null,
    session !== undefined ? row(words.potential, money(sums.potentialMinor), "potential") : null,
    ...oddsChanges(context),
    message === null ? null : make("p", { class: "problem", role: "alert", "data-key": "problem" }, message),
    deposit
      ? make(
          "button",
          { type: "button", class: "button wide", "data-do": "recharge", "data-key": "slip-deposit" },
          icon("wallet", 18),
          words.deposit,
        )
      : null,
    ...action(context, sums, notEnough),
  ].filter((part) => part !== null);
}

/** The changes that the habit accepted, and the control to choose the habit. */
function oddsChanges({ state, words }: Context): HTMLElement[] {
  const { lines } = state.slip;
  const taken = lines.filter(({ was }) => was !== null);
  // While another change waits for the player, the page shows only that change.
  const waits = lines.some(({ now, odds }) => now !== odds);
  const text =
    taken.length === 0 || waits
      ? ""
      : words.oddsTaken[taken.every(({ odds, was }) => odds > (was ?? 0)) ? "up" : "down"];
  const options = ODDS_HABITS.map((habit) =>
    make("option", { value: habit, selected: habit === state.oddsHabit }, words.oddsHabits[habit]),
  );
  return [
    make("p", { class: "taken-note", role: "status", "data-key": "taken" }, text),
    make(
      "label",
      { class: "habit", "data-key": "habit" },
      make("span", {}, words.oddsHabit),
      make("select", { "data-change": "habit", "data-value": state.oddsHabit }, ...options),
    ),
  ];
}

function action({ state, words }: Context, { problem }: SlipSummary, notEnough: boolean): HTMLElement[] {
  const wide = (what: string, text: string, className: string, disabled = false) =>
    make(
      "button",
      { type: "button", class: `button wide ${className}`, "data-do": what, "data-key": `action-${what}`, disabled },
      text,
    );
  if (state.session === undefined)
    return [
      make("p", { class: "hint" }, words.loginToBet),
      wide("login", words.login, "primary"),
      wide("register", words.register, ""),
    ];
  if (problem === "changed") return [wide("accept", words.acceptChanges, "primary")];
  if (state.receipt.kind === "placing") return [wide("place", words.placing, "primary", true)];
  return [wide("place", words.place, "primary", problem !== null || notEnough)];
}

function problemText({ words, state }: Context, problem: SlipProblem | null): string | null {
  switch (problem) {
    case "offline":
      return words.locked;
    case "changed":
      return words.oddsChanged;
    case "same_match":
      return words.sameMatch;
    case "too_few":
      return words.tooFew;
    case "bad_stake":
      return state.session === undefined ? null : words.badStake;
    default:
      return null;
  }
}

function receiptOf({ state, words, money }: Context): HTMLElement {
  const { receipt } = state;
  const bets = receipt.kind === "placed" ? receipt.bets : [];
  const stake = bets.reduce((sum, bet) => sum + bet.stake_minor, 0);
  // At the odds at which the bets were placed.
  const potential = bets.reduce(
    (all, bet) =>
      all +
      Number(
        potentialMinor(
          BigInt(bet.stake_minor),
          bet.legs.map(({ odds }) => odds),
        ),
      ),
    0,
  );
  const placed = receipt.kind === "placed";
  const sum = (label: string, minor: number) =>
    make("p", { class: "sum" }, make("span", {}, label), make("b", {}, money(minor)));
  return make(
    "div",
    { class: `receipt ${receipt.kind}`, "data-key": "receipt" },
    make("span", { class: "sign" }, icon(placed ? "check" : "clock", 30)),
    make("strong", {}, placed ? words.placed : words.pendingTitle),
    make("p", {}, placed ? words.placedText(bets.length) : words.pendingText),
    ...(placed ? [sum(words.totalStake, stake), sum(words.potential, potential)] : []),
    make("button", { type: "button", class: "button primary wide", "data-do": "done" }, words.done),
    make("button", { type: "button", class: "button wide", "data-do": "go", "data-path": "/bets" }, words.seeBets),
  );
}
