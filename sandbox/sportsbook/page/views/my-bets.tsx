import type { VNode } from "preact";
import { potentialMinor } from "../../model/payout.ts";
import type { BetReply } from "../api-types.ts";
import { Icon } from "../sport-icons.tsx";
import { marketName, pickName } from "../words/names.ts";
import type { Context } from "./context.ts";
import { Notice, Waiting } from "./events.tsx";
import { failureText } from "./failure-text.ts";
import { Link } from "./header.tsx";
import { moment } from "./when.tsx";

export function myBets(context: Context): VNode[] {
  const { state, words } = context;
  const title = (
    <h1 class="page-title" key="title" data-key="title">
      {words.myBets}
    </h1>
  );
  if (state.session === undefined) {
    const login = (
      <button type="button" class="button primary" data-do="login">
        {words.login}
      </button>
    );
    return [
      title,
      <Notice title={words.loginToSee} text={words.noBetsText}>
        {login}
      </Notice>,
    ];
  }
  if (state.bets === undefined) return [title, <Waiting {...context} />];
  const isSettled = (bet: BetReply) =>
    bet.state === "settled" || (bet.state === "rejected" && bet.refund !== "pending");
  const shown = state.bets.filter((bet) => isSettled(bet) === (state.betsShown === "settled"));
  const choice = (value: "open" | "settled", label: string, count: number) => (
    <label class="choice">
      <input type="radio" name="bets" value={value} checked={state.betsShown === value} data-change="bets" />
      <span>
        {label}
        <small class="count">{String(count)}</small>
      </span>
    </label>
  );
  const settled = state.bets.filter(isSettled).length;
  return [
    title,
    <div class="modes" role="radiogroup" aria-label={words.myBets} key="modes" data-key="modes">
      {choice("open", words.open, state.bets.length - settled)}
      {choice("settled", words.settled, settled)}
    </div>,
    shown.length === 0 ? (
      <Notice title={state.betsShown === "open" ? words.noOpenBets : words.noSettledBets} text={words.noBetsText} />
    ) : (
      <div class="bets" key="bets" data-key="bets">
        {shown.map((bet) => betCard(context, bet))}
      </div>
    ),
  ];
}

function betCard(context: Context, bet: BetReply): VNode {
  const { words, money, times, oddsText } = context;
  const status = statusOf(bet);
  const odds = bet.legs.map((leg) => leg.odds);
  const product = odds.reduce((all, one) => all * (one / 100), 1);
  const sum = (label: string, value: string) => (
    <p class="sum">
      <span>{label}</span>
      <b>{value}</b>
    </p>
  );
  const settled = bet.state === "settled";
  return (
    <article class={`bet ${status}`} key={bet.id} data-key={bet.id} data-bet={bet.id} data-status={status}>
      <header>
        <h2>{bet.legs.length > 1 ? `${words.accumulator} · ${bet.legs.length}` : words.single}</h2>
        {moment(times.near(bet.placed_at, Date.now(), words), times.full(bet.placed_at), bet.placed_at)}
        <span class="status">{words.state[status]}</span>
      </header>
      <ul class="legs">{bet.legs.map((leg) => legOf(context, leg))}</ul>
      {bet.state === "rejected" ? <p class="problem">{failureText(words, bet)}</p> : null}
      <footer>
        {sum(words.stake, money(bet.stake_minor))}
        {bet.legs.length > 1 ? sum(words.totalOdds, oddsText(Math.round(product * 100))) : null}
        {settled
          ? sum(words.returned, money(bet.return_minor) + (bet.paying ? ` · ${words.paying}` : ""))
          : bet.state === "rejected"
            ? null
            : sum(words.potential, money(Number(potentialMinor(BigInt(bet.stake_minor), odds))))}
      </footer>
      <small class="bet-id">{`${words.bet} ${bet.id}`}</small>
    </article>
  );
}

function statusOf({ state, refund, result }: BetReply): keyof Context["words"]["state"] {
  if (state === "settled") return result ?? "lost";
  return state === "rejected" && refund === "pending" ? "returning" : state;
}

function legOf({ words, oddsText }: Context, leg: BetReply["legs"][number]): VNode {
  const market = { kind: leg.market, line: leg.line };
  const fate = leg.outcome === null ? "open" : leg.outcome;
  return (
    <li class={`leg ${fate}`}>
      <Icon
        name={
          leg.outcome === null ? "clock" : leg.outcome === "lost" || leg.outcome === "half_lost" ? "cross" : "check"
        }
        size={16}
      />
      <div>
        <strong>
          {`${pickName(words, market, leg.pick, leg)} `}
          <b>{oddsText(leg.odds)}</b>
        </strong>
        <span>{marketName(words, market, leg)}</span>
        <Link
          path={`/event/${leg.event}`}
          current={false}
          class="leg-match"
        >{`${leg.home} ${words.versus} ${leg.away}`}</Link>
      </div>
      {leg.outcome === null ? null : (
        <span class="leg-end">
          <b>{leg.score ?? ""}</b>
          <small>{words.outcome[leg.outcome]}</small>
        </span>
      )}
    </li>
  );
}
