/**
 * The page at the wallet's address: an introduction, the rules of a wallet, and its ledger, which the page reads every
 * few seconds.
 */

import { KINDS, type Kind } from "../../../contract/transactions/kinds.ts";
import { pageLanguage } from "../../../look/language.ts";
import { api, find, make } from "../../design/dom.ts";
import { languageLinks } from "../../design/guide-language.ts";
import { moneyFormat } from "../../design/money.ts";
import { morph } from "../../design/morph.ts";
import type { ShownLedger, ShownTransaction } from "../ledger-view.ts";
import { WORDS } from "./words/words.ts";

/** The reply of `GET /api/ledger`. */
interface Ledgers {
  /** The merchants' site. */
  readonly site: string;
  readonly ledgers: readonly ShownLedger[];
}

const PAUSE_MS = 2_000;

const language = pageLanguage();
const words = WORDS[language];
const clock = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

let read: Ledgers | undefined;
/** The time at which the page got `read`, in ms since 1970. */
let readAt = 0;
let isFailed = false;
let currency = "";
let next: ReturnType<typeof setTimeout> | undefined;

const ledger = make("div", { class: "ledger" });
const updated = make("p", { class: "updated" });
const play = make("a", { class: "button primary", hidden: true }, words.play);
const choice = make("select", { id: "currency" });
choice.addEventListener("change", () => {
  currency = choice.value;
  draw();
});

function start(): void {
  document.documentElement.lang = language;
  document.title = words.title;
  find(".guide-top").replaceChildren(make("p", {}, "Casa Luna"), languageLinks(language, words.languages));
  find("main").replaceChildren(
    make("section", {}, make("h1", {}, words.title), make("p", { class: "lead" }, words.lead), play),
    make(
      "section",
      { "aria-labelledby": "ledger-title" },
      make(
        "div",
        { class: "ledger-head" },
        make("div", {}, make("h2", { id: "ledger-title" }, words.ledger), updated),
        make("label", { for: "currency" }, words.currency, choice),
      ),
      ledger,
    ),
    make(
      "section",
      { "aria-labelledby": "rules-title" },
      make("h2", { id: "rules-title" }, words.rules),
      make("p", { class: "intro" }, words.rulesIntro),
      make(
        "ul",
        { class: "facts" },
        ...Object.values(words.ruleList).map(({ title, text }) =>
          make("li", {}, make("h3", {}, title), make("p", {}, text)),
        ),
      ),
    ),
  );
  draw();
  void refresh();
}

/** Reads the ledger now, and again after a pause. */
async function refresh(): Promise<void> {
  clearTimeout(next);
  try {
    read = await api<Ledgers>("/api/ledger");
    readAt = Date.now();
    isFailed = false;
  } catch {
    isFailed = true;
  }
  draw();
  next = setTimeout(() => void refresh(), PAUSE_MS);
}

function draw(): void {
  drawChoice();
  const shown = read?.ledgers.find((one) => one.currency === currency);
  if (read !== undefined) {
    play.href = read.site;
    play.hidden = false;
    updated.textContent = words.updated(clock.format(readAt));
  }
  const parts =
    shown !== undefined
      ? [players(shown), transactions(shown)]
      : isFailed
        ? []
        : [waiting(), make("div", { class: "bone" })];
  morph(
    ledger,
    make(
      "div",
      { class: "ledger", "aria-busy": String(read === undefined && !isFailed) },
      isFailed && failed(),
      ...parts,
    ),
  );
}

/** Draws the choice of currencies when they are known. The first currency is chosen. */
function drawChoice(): void {
  choice.disabled = read === undefined;
  if (read === undefined || choice.options.length > 0) return;
  choice.replaceChildren(...read.ledgers.map((one) => make("option", { value: one.currency }, one.currency)));
  currency = choice.value;
}

const waiting = (): HTMLElement =>
  make("div", { class: "bone" }, make("p", { class: "visually-hidden", role: "status" }, words.loading));

function failed(): HTMLElement {
  const stale = readAt === 0 ? "" : ` ${words.stale(clock.format(readAt))}`;
  const text = make("p", {}, make("strong", {}, words.failed), `${words.failedText}${stale}`);
  return make(
    "div",
    { class: "alert", role: "alert", "data-key": "failed" },
    text,
    make("button", { class: "button small", type: "button", "data-do": "retry" }, words.retry),
  );
}
// Each drawing replaces the buttons, so the listener for clicks is on the element around them.
ledger.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest('[data-do="retry"]') !== null) void refresh();
});

function players({ currency, players }: ShownLedger): HTMLElement {
  const money = moneyFormat(currency);
  const row = ({ id, name, balance, blocked }: (typeof players)[number]): HTMLElement =>
    make(
      "tr",
      { "data-player": id },
      make(
        "th",
        { scope: "row" },
        name,
        make("small", {}, id),
        blocked && make("span", { class: "blocked" }, words.blocked),
      ),
      make("td", { class: "amount" }, money(balance)),
    );
  return make(
    "div",
    { class: "panel", "data-key": "players" },
    make("h3", { id: "players-title" }, words.players),
    make(
      "table",
      { "aria-labelledby": "players-title" },
      make(
        "thead",
        {},
        make("tr", {}, make("th", { scope: "col" }, words.player), make("th", { scope: "col" }, words.balance)),
      ),
      make("tbody", {}, ...players.map(row)),
    ),
  );
}

function transactions(shown: ShownLedger): HTMLElement {
  const { transactions, transaction_count: count } = shown;
  return make(
    "div",
    { class: "panel", "data-key": "transactions" },
    make(
      "h3",
      { id: "transactions-title" },
      words.transactions,
      make("small", {}, words.shown(transactions.length, count)),
    ),
    count === 0
      ? make(
          "div",
          { class: "notice", "data-key": "empty" },
          make("strong", {}, words.empty),
          make("span", {}, words.emptyText),
        )
      : make(
          "ol",
          { class: "transactions", "aria-labelledby": "transactions-title", "data-key": "list" },
          ...transactions.map((transaction) => row(shown, transaction)),
        ),
  );
}

function row({ currency, players }: ShownLedger, transaction: ShownTransaction): HTMLElement {
  const { number, at, action, player, amount, tx_id, round_id, ref_tx_id, kind, promo_id, round_ended } = transaction;
  const name = players.find(({ id }) => id === player)?.name ?? player;
  const ids = [
    tx_id,
    kind && kindName(kind),
    promo_id && words.promotion(promo_id),
    words.round(round_id),
    round_ended && words.endsRound,
    ref_tx_id && words.reverses(ref_tx_id),
  ].filter(Boolean);
  const sign = amount < 0 ? "−" : "+";
  return make(
    "li",
    { "data-key": number, "data-tx": tx_id },
    make("p", { class: "what" }, `${words[action]} `, make("span", {}, words.by(name))),
    make("b", { class: amount < 0 ? "amount" : "amount in" }, `${sign}${moneyFormat(currency)(Math.abs(amount))}`),
    make("p", { class: "ids" }, ids.join(" · ")),
    make("time", { datetime: new Date(at).toISOString() }, clock.format(at)),
  );
}

const kindName = (kind: string): string => (Object.hasOwn(KINDS, kind) ? KINDS[kind as Kind].console[language] : kind);

start();
