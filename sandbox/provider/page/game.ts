import { find, make } from "../../design/dom.ts";
import { minorFormat } from "../../design/money.ts";
import { Backstage } from "./backstage.ts";
import { errorText, GameApi, type PlayerState, type Session, sentence } from "./game-api.ts";
import { language, words } from "./language.ts";
import { startSlot } from "./slot-game.ts";
import { startTable } from "./table-game.ts";

document.documentElement.lang = language;
document.title = words.game;
for (const element of document.querySelectorAll<HTMLElement>("[data-text]"))
  element.textContent = words[element.dataset.text as "balance"];
find("#backstage").setAttribute("aria-label", words.backstage);

const root = find("#game");
const balance = find<HTMLOutputElement>("#balance");
let session: Session | undefined;
let backstage: Backstage | undefined;
let balanceMinor: number | null = null;

const api = new GameApi((answer: PlayerState) => {
  balanceMinor = answer.balance_minor;
  if (session !== undefined) backstage?.show(answer.calls, session.currency);
});

/** Shows the balance at the speed of the game, not of the wallet's replies: a win is added when the reels stop. */
const showBalance = (): void => {
  balance.textContent =
    balanceMinor === null || session === undefined ? words.balanceUnknown : minorFormat(session.currency)(balanceMinor);
};

async function start(): Promise<void> {
  try {
    session = await api.call<Session>("/api/session");
  } catch (error) {
    root.replaceChildren(
      make("div", { class: "notice", role: "alert" }, make("strong", {}, words.notOpened), errorText(error)),
    );
    return;
  }
  const { game, name, skin, type, demo, mistakes } = session;
  document.title = name;
  find("#name").textContent = name;
  const style = document.documentElement.style;
  for (const [property, value] of Object.entries({
    "--night": skin.night,
    "--sky": skin.glow,
    "--accent": skin.accent,
    "--spark": skin.spark,
    "--cloth": skin.cloth ?? skin.night,
  }))
    style.setProperty(property, value);
  style.setProperty("--scene", `url("/art/cover/${game}/background.svg")`);
  backstage = new Backstage(api, demo, mistakes);
  backstage.show(session.calls, session.currency);
  showBalance();
  (type === "live" ? startTable : startSlot)(root, api, session, showBalance);
  if (session.balance_error !== "" && session.balance_error !== "WALLET_UNAVAILABLE")
    find("[role=status]", root).textContent = sentence(session.balance_error);
}

void start();
