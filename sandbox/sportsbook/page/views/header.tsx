import type { ComponentChildren, VNode } from "preact";
import { ODDS_FORMATS } from "../../../../web-renderer/protocol.ts";
import { routeOf } from "../route.ts";
import { Icon } from "../sport-icons.tsx";
import type { Words } from "../words/en.ts";
import type { Context } from "./context.ts";

interface LinkProps {
  readonly path: string;
  readonly current: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A link to a page of the sportsbook. */
export const Link = ({ path, current, class: name = "", children }: LinkProps): VNode => (
  <a href={`#${path}`} data-do="go" data-path={path} class={name} aria-current={current ? "page" : undefined}>
    {children}
  </a>
);

export function Header(context: Context): VNode {
  const { state, words } = context;
  const route = routeOf(state.path);
  const at = (page: string) =>
    page === "bets" ? route.page === "bets" : route.page === "board" && (page === "live") === (route.only === "live");
  return (
    <header class={state.hideBalance && state.session !== undefined ? "top bare" : "top"} key="top" data-key="top">
      <a class="skip" href="#main" data-do="skip">
        {words.skip}
      </a>
      <Link path="/" current={false} class="mark">
        <span class="sign">
          <Icon name="mark" size={22} />
        </span>
        <span>{words.sportsbook}</span>
      </Link>
      <nav class="pages" aria-label={words.sportsbook}>
        <Link path="/" current={at("sports")}>
          {words.sports}
        </Link>
        <Link path="/live" current={at("live")}>
          <span class="pulse" />
          {words.live}
        </Link>
        <Link path="/bets" current={at("bets")}>
          {words.myBets}
        </Link>
      </nav>
      <div class="tools">
        <ChooseOddsFormat {...context} />
        {player(context)}
      </div>
    </header>
  );
}

function ChooseOddsFormat({ state, words }: Context): VNode {
  const options = ODDS_FORMATS.map((format) => (
    <option key={format} value={format}>
      {words[format]}
    </option>
  ));
  return (
    <label class="format">
      <span class="visually-hidden">{words.oddsFormat}</span>
      <select data-change="odds" value={state.oddsFormat}>
        {options}
      </select>
    </label>
  );
}

function player({ state, words, money }: Context): VNode[] {
  if (state.session === undefined) {
    return [
      <button type="button" class="button ghost" data-do="login" key="login" data-key="login">
        {words.login}
      </button>,
      <button type="button" class="button primary" data-do="register" key="register" data-key="register">
        {words.register}
      </button>,
    ];
  }
  if (state.hideBalance) return [];
  return [
    <p class="purse" key="purse" data-key="purse">
      <span class="visually-hidden">{`${words.balance} `}</span>
      <output id="balance">
        {state.balance !== null ? [money(state.balance)] : state.balanceFailed ? unknown(words) : ["…"]}
      </output>
    </p>,
    ...(state.balanceFailed
      ? [
          <button type="button" class="button ghost" data-do="balance" key="balance-again" data-key="balance-again">
            {words.retry}
          </button>,
        ]
      : []),
    <button type="button" class="button primary" data-do="recharge" key="recharge" data-key="recharge">
      <Icon name="plus" size={16} />
      <span>{words.deposit}</span>
    </button>,
  ];
}

/** A dash for an unknown balance. Screen readers get a text instead. */
const unknown = ({ balanceFailed }: Words): VNode[] => [
  <span aria-hidden="true">–</span>,
  <span class="visually-hidden">{balanceFailed}</span>,
];

/** The links to the pages at the bottom of narrow screens. */
export function BottomBar({ state, words }: Context): VNode {
  const route = routeOf(state.path);
  const count = state.slip.lines.length;
  return (
    <nav class="bottom" aria-label={words.menu} key="bottom" data-key="bottom">
      <Link path="/" current={route.page === "board" && route.only !== "live"}>
        <Icon name="home" />
        {words.sports}
      </Link>
      <Link path="/live" current={route.page === "board" && route.only === "live"}>
        <Icon name="live" />
        {words.live}
      </Link>
      <button type="button" data-do="slip" aria-expanded={state.slipOpen} aria-controls="slip">
        <span class="badge-on">
          <Icon name="slip" />
          {count > 0 && <b class="count">{String(count)}</b>}
        </span>
        {words.betslip}
      </button>
      <Link path="/bets" current={route.page === "bets"}>
        <Icon name="bets" />
        {words.myBets}
      </Link>
    </nav>
  );
}
