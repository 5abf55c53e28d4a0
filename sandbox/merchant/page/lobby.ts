import { ApiError, api, make } from "../../design/dom.ts";
import { icon } from "../../design/icons.ts";
import type { Game } from "./session.ts";

const FILTERS = [
  ["all", "All games"],
  ["slot", "Slots"],
  ["live", "Live"],
  ["sportsbook", "Sports"],
] as const;
const TITLES: Readonly<Record<string, string>> = { slot: "Slots", live: "Live tables" };

/** The address of a game within the page. */
const gameHash = (game: Game, demo = false): string =>
  `#/play/${encodeURIComponent(game.provider)}/${encodeURIComponent(game.code)}${demo ? "/demo" : ""}`;

/** The catalog of the player's merchant; the sportsbook is one of its games, which opens by the browser library. */
export async function readGames(): Promise<readonly Game[]> {
  const { items } = await api<{ items: Game[] }>("/api/games");
  return items;
}

/**
 * The lobby: a featured game, then all of them, filtered as one types. `stillHere` says whether this view is still
 * wanted.
 */
export async function showLobby(view: HTMLElement, stillHere: () => boolean): Promise<void> {
  const waiting = Array.from({ length: 12 }, () => make("div", { class: "card waiting" }));
  view.replaceChildren(
    make("div", { class: "feature waiting", "aria-hidden": "true" }),
    make("div", { class: "shelf" }),
    make("h2", { class: "row", "aria-hidden": "true" }, "Slots"),
    make("div", { class: "grid", "aria-hidden": "true" }, ...waiting),
    make("p", { class: "visually-hidden", role: "status" }, "Loading the games"),
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
    view.replaceChildren(
      make(
        "div",
        { class: "notice" },
        make("strong", {}, "No games yet"),
        "This merchant's catalog is empty. Import some games and enable their products.",
      ),
    );
    return;
  }
  const grid = make("div", { class: "games" });
  let type = "all";
  let text = "";
  const draw = (): void => {
    const shown = games.filter(
      (game) => (type === "all" || game.type === type) && game.name.toLowerCase().includes(text),
    );
    const sections: HTMLElement[] = Object.entries(TITLES).flatMap(([key, title]) => {
      const rows = shown.filter((game) => game.type === key);
      return rows.length === 0
        ? []
        : [make("h2", { class: "row" }, title), make("div", { class: "grid" }, ...rows.map(card))];
    });
    if (shown.some(({ type: kind }) => kind === "sportsbook"))
      sections.push(make("h2", { class: "row" }, "Sports"), sportsEntry());
    grid.replaceChildren(
      ...(sections.length > 0
        ? sections
        : [make("div", { class: "notice" }, make("strong", {}, "No game of that name"), "Try another word.")]),
    );
  };

  const choices = FILTERS.map(([value, label]) => {
    const input = make("input", { type: "radio", name: "type", value, checked: value === type });
    input.addEventListener("change", () => {
      type = value;
      draw();
    });
    return make("label", { class: "choice" }, input, make("span", {}, label));
  });
  const search = make("input", { type: "search", placeholder: "Search", "aria-label": "Search games" });
  search.addEventListener("input", () => {
    text = search.value.trim().toLowerCase();
    draw();
  });
  const shelf = make(
    "div",
    { class: "shelf" },
    make("div", { class: "choices", role: "radiogroup", "aria-label": "Kind of game" }, ...choices),
    make("div", { class: "search" }, icon("search"), search),
  );
  draw();
  view.replaceChildren(feature(featured), shelf, grid);
}

function feature(game: Game): HTMLElement {
  const play = make("a", { class: "button primary", href: gameHash(game) }, icon("play"), `Play ${game.name}`);
  return make(
    "section",
    { class: "feature", "aria-label": "Featured game" },
    game.images?.background ? make("img", { class: "sky", src: game.images.background, alt: "" }) : null,
    game.images?.square ? make("img", { class: "front", src: game.images.square, alt: "" }) : null,
    make(
      "div",
      { class: "text" },
      make("span", { class: "tag gold" }, "Tonight's game"),
      make("h1", {}, game.name),
      make("p", {}, "Five reels, ten lines, and a wallet that never loses a coin."),
      play,
    ),
  );
}

function sportsEntry(): HTMLElement {
  return make(
    "article",
    { class: "sports-entry" },
    make(
      "div",
      {},
      make("h3", {}, "Sportsbook"),
      make(
        "p",
        {},
        "Football, basketball, tennis and more, with odds that move and matches that end every few minutes.",
      ),
    ),
    make("a", { class: "button primary", href: "#/sportsbook" }, icon("play"), "Open the sportsbook"),
  );
}

function card(game: Game): HTMLElement {
  const badge =
    game.type === "live"
      ? make("span", { class: "tag live" }, "Live")
      : game.tags?.includes("new")
        ? make("span", { class: "tag gold" }, "New")
        : null;
  const play = make("button", { class: "play", type: "button", "aria-label": `Play ${game.name}` });
  play.addEventListener("click", () => (location.hash = gameHash(game)));
  const demo = make(
    "button",
    { class: "demo button small", type: "button", "aria-label": `Demo of ${game.name}` },
    "Demo",
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
        make("small", {}, game.rtp === null ? game.provider : `RTP ${game.rtp.toFixed(1)} %`),
      ),
      game.demo_available && demo,
    ),
  );
}

/** A client decides by the code, and the page says more than the service's own messages. */
const SENTENCES: Readonly<Record<string, string>> = {
  GAME_NOT_FOUND: "There is no such game, or it is closed for now.",
  PRODUCT_NOT_ENABLED: "This casino does not offer games of this kind.",
  WALLET_NOT_CONFIGURED: "This casino has no wallet yet, so it can't be played for money.",
  LAUNCH_FAILED: "The provider could not open the game. Is its server running?",
  RATE_LIMITED: "That was a little fast. Try again in a moment.",
  SERVICE_UNREACHABLE: "The aggregator does not answer. Is it running?",
};

/** What to show when something could not be shown. */
export function failed(error: unknown, again: () => void): HTMLElement {
  const button = make("button", { class: "button", type: "button" }, "Try again");
  button.addEventListener("click", again);
  const code = error instanceof ApiError ? error.code : "";
  return make(
    "div",
    { class: "notice", role: "alert" },
    make("strong", {}, "That did not work"),
    make("span", {}, SENTENCES[code] ?? `${error instanceof Error ? error.message : String(error)} (${code})`),
    button,
  );
}
