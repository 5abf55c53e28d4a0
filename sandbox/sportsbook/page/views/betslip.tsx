import type { VNode } from "preact";
import { ODDS_HABITS } from "../../model/odds-habit.ts";
import { potentialMinor } from "../../model/payout.ts";
import { type SlipLine, type SlipProblem, type SlipSummary, summary } from "../slip.ts";
import { Icon } from "../sport-icons.tsx";
import { QUICK_STAKES, readStake } from "../stake.ts";
import { marketName, pickName } from "../words/names.ts";
import type { Context } from "./context.ts";
import { failureText } from "./failure-text.ts";

export function Betslip(context: Context): VNode {
  const { state, words } = context;
  const { lines } = state.slip;
  return (
    <aside
      id="slip"
      class={`slip${state.slipOpen ? " open" : ""}`}
      aria-labelledby="slip-title"
      key="slip"
      data-key="slip"
    >
      <div class="slip-head">
        <h2 id="slip-title">
          {words.betslip}
          <span class="count" id="slip-count">
            {String(lines.length)}
          </span>
        </h2>
        {lines.length > 0 && state.receipt.kind === "none" ? (
          <button type="button" class="plain" data-do="clear">
            {words.clear}
          </button>
        ) : null}
        <button type="button" class="close" data-do="slip">
          <Icon name="cross" />
          <span class="visually-hidden">{words.close}</span>
        </button>
      </div>
      {body(context)}
    </aside>
  );
}

function body(context: Context): VNode[] {
  const { state, words } = context;
  const { receipt } = state;
  if (receipt.kind === "placed" || receipt.kind === "pending") return [<ShownReceipt {...context} />];
  if (state.slip.lines.length === 0)
    return [
      <div class="slip-empty" key="empty" data-key="empty">
        <Icon name="slip" size={40} />
        <strong>{words.slipEmpty}</strong>
        <p>{words.slipEmptyText}</p>
      </div>,
    ];
  const currency = state.session?.currency ?? "";
  const sums = state.away
    ? { ...summary(state.slip, currency), problem: "offline" as const }
    : summary(state.slip, currency);
  return [
    state.slip.lines.length > 1 ? <Modes {...context} /> : null,
    <ul class="lines" key="lines" data-key="lines">
      {state.slip.lines.map((line) => lineOf(context, line))}
    </ul>,
    <div class="slip-foot" key="foot" data-key="foot">
      {foot(context, sums)}
    </div>,
  ].filter((part) => part !== null);
}

function Modes({ state, words }: Context): VNode {
  const mode = (value: "singles" | "accumulator", label: string) => (
    <label class="choice">
      <input type="radio" name="mode" value={value} checked={state.slip.mode === value} data-change="mode" />
      <span>{label}</span>
    </label>
  );
  return (
    <div class="modes" role="radiogroup" aria-label={words.betslip} key="modes" data-key="modes">
      {mode("singles", words.singles)}
      {mode("accumulator", words.accumulator)}
    </div>
  );
}

function lineOf(context: Context, line: SlipLine): VNode {
  const { state, words, oddsText } = context;
  const name = pickName(words, line, line.pick, line);
  // The odds that are no longer valid: those before a change that waits for the player, or before a change that the
  // habit accepted.
  const before = line.now !== null && line.now !== line.odds ? line.odds : line.was;
  return (
    <li class={`line${line.now === null ? " gone" : ""}`} key={line.id} data-key={line.id}>
      <div class="what">
        <strong>{name}</strong>
        <span>{marketName(words, line, line)}</span>
        <small>{`${line.home} ${words.versus} ${line.away}`}</small>
      </div>
      <div class="cost">
        <button type="button" class="remove" data-do="remove" data-id={line.id}>
          <Icon name="cross" size={16} />
          <span class="visually-hidden">{words.remove(name)}</span>
        </button>
        <span class="taken">
          {before === null ? null : <s>{oddsText(before)}</s>} <b>{oddsText(line.now ?? line.odds)}</b>
        </span>
      </div>
      {line.now === null ? <p class="problem">{words.gone}</p> : null}
      {state.slip.mode === "singles" && line.now !== null
        ? stakeField(context, line.id, line.stake, words.stakeOf(name))
        : null}
    </li>
  );
}

function stakeField({ state, words, money }: Context, id: string, stake: string, label: string): VNode {
  const currency = state.session?.currency ?? "";
  const wrong = stake.trim() !== "" && readStake(stake, currency) === undefined;
  const quick = id === "" || state.slip.lines.length === 1 ? (QUICK_STAKES[currency] ?? []) : [];
  return (
    <div class="stake" key={`stake-${id}`} data-key={`stake-${id}`}>
      <label>
        <span class={id === "" ? "" : "visually-hidden"}>{label}</span>
        <span class="field">
          <span class="unit" aria-hidden="true">
            {currency}
          </span>
          <input
            type="text"
            inputmode="decimal"
            autocomplete="off"
            maxlength={14}
            placeholder={words.stake}
            value={stake}
            data-input="stake"
            data-id={id}
            aria-invalid={wrong ? "true" : undefined}
          />
        </span>
      </label>
      {quick.length > 0 ? (
        <div class="quick">
          {quick.map((minor) => (
            <button type="button" class="chip" data-do="quick" data-id={id} data-minor={minor}>
              {money(minor)}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}

function foot(context: Context, sums: SlipSummary): VNode[] {
  const { state, words, money, oddsText } = context;
  const { slip, receipt, session, balance } = state;
  const product = slip.lines.reduce((odds, line) => odds * ((line.now ?? line.odds) / 100), 1);
  const row = (label: string, value: string, className = "") => (
    <p class={`sum ${className}`}>
      <span>{label}</span>
      <b>{value}</b>
    </p>
  );
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
    message === null ? null : (
      <p class="problem" role="alert" key="problem" data-key="problem">
        {message}
      </p>
    ),
    deposit ? (
      <button type="button" class="button wide" data-do="recharge" key="slip-deposit" data-key="slip-deposit">
        <Icon name="wallet" size={18} />
        {words.deposit}
      </button>
    ) : null,
    ...action(context, sums, notEnough),
  ].filter((part) => part !== null);
}

/** The changes that the habit accepted, and the control to choose the habit. */
function oddsChanges({ state, words }: Context): VNode[] {
  const { lines } = state.slip;
  const taken = lines.filter(({ was }) => was !== null);
  // While another change waits for the player, the page shows only that change.
  const waits = lines.some(({ now, odds }) => now !== odds);
  const text =
    taken.length === 0 || waits
      ? ""
      : words.oddsTaken[taken.every(({ odds, was }) => odds > (was ?? 0)) ? "up" : "down"];
  const options = ODDS_HABITS.map((habit) => (
    <option key={habit} value={habit}>
      {words.oddsHabits[habit]}
    </option>
  ));
  return [
    <p class="taken-note" role="status" key="taken" data-key="taken">
      {text}
    </p>,
    <label class="habit" key="habit" data-key="habit">
      <span>{words.oddsHabit}</span>
      <select data-change="habit" value={state.oddsHabit}>
        {options}
      </select>
    </label>,
  ];
}

function action({ state, words }: Context, { problem }: SlipSummary, notEnough: boolean): VNode[] {
  const wide = (what: string, text: string, className: string, disabled = false) => (
    <button
      type="button"
      class={`button wide ${className}`}
      data-do={what}
      key={`action-${what}`}
      data-key={`action-${what}`}
      disabled={disabled}
    >
      {text}
    </button>
  );
  if (state.session === undefined)
    return [
      <p class="hint">{words.loginToBet}</p>,
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

function ShownReceipt({ state, words, money }: Context): VNode {
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
  const sum = (label: string, minor: number) => (
    <p class="sum">
      <span>{label}</span>
      <b>{money(minor)}</b>
    </p>
  );
  return (
    <div class={`receipt ${receipt.kind}`} key="receipt" data-key="receipt">
      <span class="sign">
        <Icon name={placed ? "check" : "clock"} size={30} />
      </span>
      <strong>{placed ? words.placed : words.pendingTitle}</strong>
      <p>{placed ? words.placedText(bets.length) : words.pendingText}</p>
      {placed ? [sum(words.totalStake, stake), sum(words.potential, potential)] : []}
      <button type="button" class="button primary wide" data-do="done">
        {words.done}
      </button>
      <button type="button" class="button wide" data-do="go" data-path="/bets">
        {words.seeBets}
      </button>
    </div>
  );
}
