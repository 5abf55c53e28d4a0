import { find, make } from "../../design/dom.ts";
import { minorFormat } from "../../design/money.ts";
import { Backstage } from "./backstage.ts";
import { SeatApi, type Seated, type Session, sentence } from "./seat-api.ts";
import { startSlot } from "./slot-game.ts";
import { startTable } from "./table-game.ts";

const root = find("#game");
const balance = find<HTMLOutputElement>("#balance");
let session: Session | undefined;
let backstage: Backstage | undefined;
let told: number | null = null;

const seat = new SeatApi((answer: Seated) => {
  told = answer.balance_minor;
  if (session !== undefined) backstage?.show(answer.calls, session.currency);
});

/** The balance follows the game, not the wallet's replies: a win shows when the reels stand. */
const showBalance = (): void => {
  balance.textContent = told === null || session === undefined ? "unknown" : minorFormat(session.currency)(told);
};

async function start(): Promise<void> {
  try {
    session = await seat.call<Session>("/api/session");
  } catch (error) {
    root.replaceChildren(
      make("div", { class: "notice", role: "alert" }, make("strong", {}, "This game can't be opened"), error instanceof Error ? error.message : String(error)),
    );
    return;
  }
  const { game, name, skin, type, demo } = session;
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
  backstage = new Backstage(seat, demo);
  backstage.show(session.calls, session.currency);
  showBalance();
  (type === "live" ? startTable : startSlot)(root, seat, session, showBalance);
  if (session.balance_error !== "" && session.balance_error !== "WALLET_UNAVAILABLE") find("[role=status]", root).textContent = sentence(session.balance_error);
}

void start();
