import { api, find, make } from "../../design/dom.ts";
import { moneyFormat } from "../../design/money.ts";
import { failureText } from "./failed.ts";
import { words } from "./language.ts";
import { roundsPanel } from "./rounds.ts";
import type { Currencies, Player } from "./session.ts";

const COVERS = ["neon-sevens", "roulette-copacabana", "carnival-beats"];

/** The page before the lobby: choose a currency (which is a merchant) and one of its players. */
export function showLogin(
  view: HTMLElement,
  currencies: Currencies,
  gameOrigin: string | null,
  done: (player: Player) => void,
): void {
  const players = make("div", { class: "players" });
  const error = make("p", { class: "error", role: "alert" });
  const enter = make("button", { class: "button primary", type: "submit" }, words.enter);
  let chosen = currencies[0];

  const listPlayers = (): void => {
    if (chosen === undefined) return;
    const money = moneyFormat(chosen.currency);
    players.replaceChildren(
      ...chosen.players.map(({ id, name, character, balance }, i) =>
        make(
          "label",
          { class: "choice" },
          make("input", { type: "radio", name: "player", value: id, required: true, checked: i === 0 }),
          make(
            "span",
            {},
            make("span", { class: "avatar", "aria-hidden": "true" }, name.slice(0, 1)),
            make("span", { class: "name" }, name, make("small", {}, words.characters[character as "ana"])),
            make("span", {}, money(balance)),
          ),
        ),
      ),
    );
  };

  const currencyChoices = currencies.map((entry, i) => {
    const input = make("input", { type: "radio", name: "currency", value: entry.currency, checked: i === 0 });
    input.addEventListener("change", () => {
      chosen = entry;
      listPlayers();
    });
    return make("label", { class: "choice" }, input, make("span", {}, entry.currency));
  });

  const form = make(
    "form",
    { class: "login" },
    make("fieldset", {}, make("legend", {}, words.currency), make("div", { class: "choices" }, ...currencyChoices)),
    make("fieldset", {}, make("legend", {}, words.playAs), players),
    error,
    enter,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const player = find<HTMLInputElement>("input[name=player]:checked", form).value;
    enter.disabled = true;
    api<Player>("/api/login", { merchant: chosen?.merchant ?? "", player })
      .then(done)
      .catch((failure: unknown) => {
        error.textContent = failureText(failure);
        enter.disabled = false;
      });
  });

  listPlayers();
  const heading = make("h1", {}, words.headline, " ", make("em", {}, words.headlineEnd));
  const fan = make(
    "div",
    { class: "fan", "aria-hidden": "true" },
    ...(gameOrigin === null
      ? []
      : COVERS.map((code) => make("img", { src: `${gameOrigin}/art/cover/${code}/thumb.svg`, alt: "" }))),
  );
  const pitch = make(
    "section",
    { class: "pitch" },
    heading,
    make("p", {}, words.pitch),
    fan,
    make("a", { class: "button visit", href: "#/sportsbook" }, words.visitSportsbook),
  );
  const page = make("div", { class: "welcome" }, pitch, form);
  // A login over another page has no room for more.
  if (gameOrigin === null) view.replaceChildren(page);
  else view.replaceChildren(page, roundsPanel());
}
