import { api, make } from "../../design/dom.ts";
import { icon } from "../../design/icons.ts";
import { failed } from "./failed.ts";
import { words } from "./language.ts";
import { roundsPanel } from "./rounds.ts";
import type { Game } from "./session.ts";

const KINDS = ["all", "slot", "live", "sportsbook"] as const;
/** The types of games that are shown as cards. */
const CARD_KINDS = ["slot", "live"] as const;

/** The upstreams whose games come through connectors, by the code of the provider. */
const UPSTREAMS: Readonly<Record<string, string>> = { HUB88: "Hub88", EVOLUTION: "Evolution" };
const isForeign = ({ provider }: Game): boolean => Object.hasOwn(UPSTREAMS, provider);

/** The address of a game within the page. */
const gameHash = (game: Game, demo = false): string =>
  `#/play/${encodeURIComponent(game.provider)}/${encodeURIComponent(game.code)}${demo ? "/demo" : ""}`;

/** Reads the catalog of the player's merchant. One of its games is the sportsbook, which the browser library opens. */
export async function readGames(): Promise<readonly Game[]> {
  const { items } = await api<{ items: Game[] }>("/api/games");
  return items;
}

/**
 * Shows the lobby: a featured game, then all games, filtered while the player types. `stillHere` returns whether this
 * view is still wanted.
 */
export async function showLobby(view: HTMLElement, stillHere: () => boolean): Promise<void> {
  const waiting = Array.from({ length: 12 }, () => make("div", { class: "card waiting" }));
  view.replaceChildren(
    make("div", { class: "feature waiting", "aria-hidden": "true" }),
    make("div", { class: "shelf" }),
    make("h2", { class: "row", "aria-hidden": "true" }, words.shelves.slot),
    make("div", { class: "grid", "aria-hidden": "true" }, ...waiting),
    make("p", { class: "visually-hidden", role: "status" }, words.loading),
  );
  let games: readonly Game[];
  try {
    games = await readGames();
  } catch (error) {
    if (stillHere()) view.replaceChildren(failed(error, () => void showLobby(view, stillHere)));
    return;
  }
  if (!stillHere()) return;
  const featured =
    games.find(({ tags }) => tags?.includes("featured")) ?? games.find(({ type }) => type !== "sportsbook");
  if (featured === undefined) {
    view.replaceChildren(make("div", { class: "notice" }, make("strong", {}, words.noGames), words.noGamesText));
    return;
  }
  const grid = make("div", { class: "games" });
  let type = "all";
  let text = "";
  const draw = (): void => {
    const shown = games.filter(
      (game) => (type === "all" || game.type === type) && game.name.toLowerCase().includes(text),
    );
    const sections: HTMLElement[] = CARD_KINDS.flatMap((kind) => {
      const rows = shown.filter((game) => game.type === kind && !isForeign(game));
      return rows.length === 0
        ? []
        : [make("h2", { class: "row" }, words.shelves[kind]), make("div", { class: "grid" }, ...rows.map(card))];
    });
    const foreign = shown.filter(isForeign);
    if (foreign.length > 0)
      sections.push(
        make("h2", { class: "row" }, words.connectors),
        make("p", { class: "row-text" }, words.connectorsText),
        make("div", { class: "grid" }, ...foreign.map(card)),
      );
    if (shown.some(({ type: kind }) => kind === "sportsbook"))
      sections.push(make("h2", { class: "row" }, words.shelves.sportsbook), sportsEntry());
    grid.replaceChildren(
      ...(sections.length > 0
        ? sections
        : [make("div", { class: "notice" }, make("strong", {}, words.noneFound), words.noneFoundText)]),
    );
  };

  const choices = KINDS.map((value) => {
    const input = make("input", { type: "radio", name: "type", value, checked: value === type });
    input.addEventListener("change", () => {
      type = value;
      draw();
    });
    return make("label", { class: "choice" }, input, make("span", {}, words.kinds[value]));
  });
  const search = make("input", { type: "search", placeholder: words.search, "aria-label": words.searchGames });
  search.addEventListener("input", () => {
    text = search.value.trim().toLowerCase();
    draw();
  });
  const shelf = make(
    "div",
    { class: "shelf" },
    make("div", { class: "choices", role: "radiogroup", "aria-label": words.kindOfGame }, ...choices),
    make("div", { class: "search" }, icon("search"), search),
  );
  draw();
  view.replaceChildren(feature(featured), shelf, grid, roundsPanel());
}

function feature(game: Game): HTMLElement {
  const play = make("a", { class: "button primary", href: gameHash(game) }, icon("play"), words.play(game.name));
  return make(
    "section",
    { class: "feature", "aria-label": words.featured },
    game.images?.background ? make("img", { class: "sky", src: game.images.background, alt: "" }) : null,
    game.images?.square ? make("img", { class: "front", src: game.images.square, alt: "" }) : null,
    make(
      "div",
      { class: "text" },
      make("span", { class: "tag gold" }, words.tonight),
      make("h1", {}, game.name),
      make("p", {}, words.featuredText),
      play,
    ),
  );
}

function sportsEntry(): HTMLElement {
  return make(
    "article",
    { class: "sports-entry" },
    make("div", {}, make("h3", {}, words.sportsbook), make("p", {}, words.sportsbookText)),
    make("a", { class: "button primary", href: "#/sportsbook" }, icon("play"), words.openSportsbook),
  );
}

function card(game: Game): HTMLElement {
  const badge = isForeign(game)
    ? make("span", { class: "tag" }, words.simulated(UPSTREAMS[game.provider] ?? ""))
    : game.type === "live"
      ? make("span", { class: "tag live" }, words.kinds.live)
      : game.tags?.includes("new")
        ? make("span", { class: "tag gold" }, words.isNew)
        : null;
  const play = make("button", { class: "play", type: "button", "aria-label": words.play(game.name) });
  play.addEventListener("click", () => (location.hash = gameHash(game)));
  const demo = make(
    "button",
    { class: "demo button small", type: "button", "aria-label": words.demoOf(game.name) },
    words.demo,
  );
  demo.addEventListener("click", () => (location.hash = gameHash(game, true)));
  return make(
    "article",
    { class: "card" },
    game.images?.thumb
      ? make("img", { src: game.images.thumb, alt: "", loading: "lazy", width: 300, height: 400 })
      : null,
    make("div", { class: "tags" }, badge),
    play,
    make(
      "div",
      { class: "label" },
      make(
        "div",
        {},
        make("h3", {}, game.name),
        make(
          "small",
          {},
          game.rtp === null ? game.provider : words.returnToPlayer(game.rtp.toFixed(1).replace(".", words.decimalMark)),
        ),
      ),
      game.demo_available && demo,
    ),
  );
}
