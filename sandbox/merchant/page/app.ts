import { chooseLanguage, LANGUAGE_NAMES } from "../../../look/language.ts";
import { LANGUAGES, type Language } from "../../../web-renderer/protocol.ts";
import { api, find, make } from "../../design/dom.ts";
import { moneyFormat } from "../../design/money.ts";
import type { LoggedCallback } from "../callback-log.ts";
import { failed } from "./failed.ts";
import { Happened } from "./happened.ts";
import { language, words } from "./language.ts";
import { readGames, showLobby } from "./lobby.ts";
import { showLogin } from "./login.ts";
import { showGame } from "./play.ts";
import type { Currencies, Player } from "./session.ts";
import { type MountedSportsbook, showSportsbook } from "./sportsbook.ts";

translate();
const view = find("#view");
const purse = find(".purse");
const output = find<HTMLOutputElement>("#balance");
const happened = new Happened();
let player: Player | null = null;
let balance = 0;
let events: EventSource | undefined;
let sportsbook: MountedSportsbook | undefined;
/** Raised by every change of view, so that the slow answer for an earlier view never replaces a later view. */
let visit = 0;

function showBalance(next: number, currency: string, moved: boolean): void {
  if (moved && next !== balance) {
    const name = next > balance ? "up" : "down";
    purse.classList.remove("up", "down");
    // Reading the size makes the browser end the last animation, so that the same animation can run again.
    void purse.offsetWidth;
    purse.classList.add(name);
  }
  balance = next;
  output.textContent = moneyFormat(currency)(next);
}

function enter(login: Player): void {
  player = login;
  find("#player").hidden = false;
  find("#who").textContent = login.name;
  find("#who-note").textContent = login.merchant;
  showBalance(login.balance, login.currency, false);
  happened.show(true);
  happened.fill([], login.fault);
  events?.close();
  events = new EventSource("/api/events");
  events.addEventListener("open", () => happened.online(true));
  events.addEventListener("error", () => {
    happened.online(false);
    // The connection is closed and the browser does not open it again: the sandbox was restarted and has no session of
    // this player.
    if (events?.readyState === EventSource.CLOSED) void start();
  });
  events.addEventListener("history", (event: MessageEvent<string>) => {
    const { callbacks, login: now } = JSON.parse(event.data) as { callbacks: LoggedCallback[]; login: Player };
    happened.fill(callbacks, now.fault);
    showBalance(now.balance, now.currency, false);
  });
  events.addEventListener("callback", (event: MessageEvent<string>) => {
    const { callback, balance: next } = JSON.parse(event.data) as { callback: LoggedCallback; balance: number };
    happened.add(callback);
    showBalance(next, login.currency, true);
  });
  if (!isSportsbook()) {
    window.scrollTo(0, 0);
    view.focus({ preventScroll: true });
  }
  void route();
}

async function leave(): Promise<void> {
  events?.close();
  await api("/api/logout", {});
  // The sportsbook stays open for a visitor.
  if (!isSportsbook()) history.replaceState(null, "", "#/");
  await start();
}

const isSportsbook = (): boolean => location.hash === "#/sportsbook";

/** Opens the sportsbook, for visitors, too. A sportsbook that is open already continues with the new player. */
async function openSportsbook(): Promise<void> {
  if (sportsbook !== undefined) return sportsbook.playerChanged(player !== null);
  const mine = ++visit;
  const hooks = { openLogin: () => void openLogin(), deposit: () => find("#deposit").click() };
  const mounted = await showSportsbook(view, player !== null, hooks, () => mine === visit);
  if (mine === visit) sportsbook = mounted;
  else mounted?.kill();
}

/** Opens the login over the page, so that the betslip does not change. */
async function openLogin(): Promise<void> {
  const { currencies } = await api<{ currencies: Currencies }>("/api/session");
  const inside = make("div", {});
  const dismiss = make("button", { type: "button", class: "button small dismiss" }, words.notNow);
  const dialog = make("dialog", { class: "login-dialog", "aria-label": words.logIn }, dismiss, inside);
  dismiss.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  showLogin(inside, currencies, null, (login) => {
    dialog.close();
    enter(login);
  });
  document.body.append(dialog);
  dialog.showModal();
}

async function route(): Promise<void> {
  if (isSportsbook()) return openSportsbook();
  sportsbook?.kill();
  sportsbook = undefined;
  const mine = ++visit;
  const stillHere = () => mine === visit && player !== null;
  const [, page, provider, code, demo] = location.hash.split("/").map(decodeURIComponent);
  if (page !== "play" || provider === undefined || code === undefined) return showLobby(view, stillHere);
  const name = await readGames().then(
    (games) => games.find((game) => game.code === code)?.name ?? code,
    () => code,
  );
  if (stillHere()) await showGame(view, provider, code, demo === "demo", name, stillHere);
}

async function start(): Promise<void> {
  try {
    const session = await api<{ login: Player | null; currencies: Currencies; game_origin: string }>("/api/session");
    if (session.login !== null) return enter(session.login);
    player = null;
    find("#player").hidden = true;
    happened.show(false);
    if (isSportsbook()) return await openSportsbook();
    visit++;
    sportsbook?.kill();
    sportsbook = undefined;
    showLogin(view, session.currencies, session.game_origin, enter);
  } catch (error) {
    view.replaceChildren(failed(error, () => void start()));
  }
}

/** Writes the texts that every view has, and the control to choose the language. */
function translate(): void {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]"))
    element.textContent = words[element.dataset.text as "balance"];
  const select = make(
    "select",
    { "aria-label": words.language },
    ...LANGUAGES.map((one) =>
      make(
        "option",
        { value: one, "aria-label": `${one.toUpperCase()}, ${LANGUAGE_NAMES[one]}`, selected: one === language },
        one.toUpperCase(),
      ),
    ),
  );
  select.addEventListener("change", () => {
    chooseLanguage(select.value as Language);
    // Games and the sportsbook are opened again in the new language.
    location.reload();
  });
  find("#language").append(select);
}

window.addEventListener("hashchange", () => {
  if (player === null) return void start();
  view.focus({ preventScroll: true });
  window.scrollTo(0, 0);
  void route();
});
find("#logout").addEventListener("click", () => void leave());
find("#deposit").addEventListener("click", () => {
  void api<Player>("/api/deposit", {}).then((login) => {
    showBalance(login.balance, login.currency, true);
    sportsbook?.refreshBalance();
  });
});
void start();
