/** The provider's own page: its games, how a launch works, and what the buttons of Backstage do. */

import { pageLanguage } from "../../../look/language.ts";
import { api, find, make } from "../../design/dom.ts";
import { languageLinks } from "../../design/guide-language.ts";
import { WORDS } from "../words/words.ts";

/** The reply of `GET /api/provider`. */
interface Provider {
  /** The merchants' site; null: the provider does not know it. */
  readonly site: string | null;
  readonly games: readonly {
    readonly provider: string;
    readonly code: string;
    readonly name: string;
    readonly type: string;
    readonly rtp: number;
  }[];
}

const WAITING_GAMES = 8;

/** The calls of a launch's steps. */
const CALLS: Readonly<Record<string, string>> = {
  launch: "POST /v1/game/launch",
  open: "OpenGame",
  bet: "PlaceBet",
  win: "PayWin",
};

const language = pageLanguage();
const { home: words, backstage } = WORDS[language];
const percent = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const play = make("a", { class: "button primary", hidden: true }, words.play);
const games = make("div", { "aria-live": "polite" });

function start(): void {
  document.documentElement.lang = language;
  document.title = words.title;
  find(".guide-top").replaceChildren(make("p", {}, "AURORA · PALCO"), languageLinks(language, words.languages));
  find("main").replaceChildren(
    make("section", {}, make("h1", {}, words.title), make("p", { class: "lead" }, words.lead), play),
    section("games", words.games, words.gamesIntro, games),
    section("launch", words.launch, words.launchIntro, facts("ol", words.steps, CALLS)),
    section("backstage", backstage.title, words.backstageIntro, facts("ul", backstage.buttons)),
  );
  void showGames();
}

const section = (id: string, title: string, intro: string, content: HTMLElement): HTMLElement =>
  make(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    make("h2", { id: `${id}-title` }, title),
    make("p", { class: "intro" }, intro),
    content,
  );

/** `calls`: the code that is shown under an entry's text, by the entry's name. */
const facts = (
  tag: "ol" | "ul",
  entries: Readonly<Record<string, { readonly title: string; readonly text: string }>>,
  calls: Readonly<Record<string, string>> = {},
): HTMLElement =>
  make(
    tag,
    { class: "facts" },
    ...Object.entries(entries).map(([name, { title, text }]) =>
      make(
        "li",
        {},
        make("h3", {}, title),
        make("p", {}, text),
        calls[name] === undefined ? null : make("p", {}, make("code", {}, calls[name])),
      ),
    ),
  );

async function showGames(): Promise<void> {
  const bones = Array.from({ length: WAITING_GAMES }, () => make("div", { class: "bone" }));
  games.replaceChildren(
    make("p", { class: "visually-hidden" }, words.loading),
    make("div", { class: "games", "aria-hidden": "true" }, ...bones),
  );
  try {
    const provider = await api<Provider>("/api/provider");
    if (provider.site !== null) {
      play.href = provider.site;
      play.hidden = false;
    }
    games.replaceChildren(
      provider.games.length === 0
        ? notice(words.noGames, words.noGamesText)
        : make("ul", { class: "games" }, ...provider.games.map(card)),
    );
  } catch {
    const retry = make("button", { class: "button", type: "button" }, words.retry);
    retry.addEventListener("click", () => void showGames());
    games.replaceChildren(notice(words.failed, words.failedText, retry));
  }
}

const notice = (title: string, text: string, ...more: HTMLElement[]): HTMLElement =>
  make("div", { class: "notice" }, make("strong", {}, title), make("span", {}, text), ...more);

const card = ({ provider, code, name, type, rtp }: Provider["games"][number]): HTMLElement =>
  make(
    "li",
    { "data-game": code },
    make("img", { src: `/art/cover/${code}/square.svg`, alt: "", width: 300, height: 300, loading: "lazy" }),
    make(
      "div",
      {},
      make("h3", {}, name),
      make("p", {}, `${type === "live" ? words.live : words.slot}, ${words.rtp(percent.format(rtp))}`),
      make("code", {}, `${provider} / ${code}`),
    ),
  );

start();
