import { make } from "../../design/dom.ts";
import { chipFormat, minorFormat } from "../../design/money.ts";
import type { SpinResult } from "../slot-round.ts";
import { Decision } from "./decision.ts";
import { errorText, type GameApi, type Session, sentence } from "./game-api.ts";
import { words } from "./language.ts";
import { Reels } from "./reels.ts";

const COUNT_UP_MS = 900;
/** The pause after a free spin that wins. */
const CELEBRATE_MS = 800;
/** The symbols on the reels before the first spin. Each symbol occurs once. */
const OPENING = [
  [4, 0, 5],
  [1, 8, 2],
  [6, 0, 7],
  [3, 8, 1],
  [5, 0, 4],
];

/**
 * The slot's page: choose a bet and spin. The reels show what the server drew. The bet is debited before a reel moves.
 */
export function startSlot(root: HTMLElement, api: GameApi, session: Session, showBalance: () => void): void {
  const money = minorFormat(session.currency);
  const reels = new Reels(session.symbols, OPENING);
  const spin = make("button", { class: "spin", type: "button" }, words.spin);
  const amount = make("output", {}, money(0));
  const line = make("p", { role: "status" }, words.choose);
  const chips = chipChoice(session.bets, session.currency);
  const { feature } = session;
  const buy = make("button", { class: "button small buy", type: "button" });
  const showPrice = (): void => {
    if (feature !== null) buy.textContent = words.buyFeature(feature.spins, money(chips.value() * feature.price));
  };
  showPrice();
  if (feature !== null) chips.element.append(buy);
  chips.element.addEventListener("change", showPrice);
  root.replaceChildren(
    make(
      "div",
      { class: "slot" },
      make("div", { class: "machine" }, reels.element),
      make(
        "div",
        { class: "console" },
        chips.element,
        spin,
        make("div", { class: "winnings" }, make("small", {}, words.win), amount, line),
      ),
    ),
  );

  let stopCounting = (): void => {};

  const showMessage = (text: string, tone = ""): void => {
    line.textContent = text;
    line.className = tone;
  };

  const setBusy = (busy: boolean): void => {
    for (const button of [spin, buy]) button.disabled = busy;
  };

  const play = async (request: () => Promise<SpinResult>): Promise<void> => {
    setBusy(true);
    reels.clear();
    stopCounting();
    amount.textContent = money(0);
    showMessage("");
    const waiting = setTimeout(() => showMessage(words.waiting, "wait"), 400);
    try {
      const result = await request();
      clearTimeout(waiting);
      await show(result);
    } catch (error) {
      showMessage(errorText(error), "bad");
    }
    clearTimeout(waiting);
    setBusy(false);
    if (document.activeElement === document.body) spin.focus();
  };

  const show = async (result: SpinResult): Promise<void> => {
    if (result.outcome === "refused") return showMessage(sentence(result.error), "bad");
    if (result.outcome === "pending") return decide(result.betMinor, result.undecidedMs);
    showBalance();
    const { spins, jackpotMinor } = result;
    for (const [i, { grid, wins }] of spins.entries()) {
      reels.clear();
      showMessage(spins.length === 1 ? words.goodLuck : words.freeSpin(i + 1, spins.length));
      await reels.spin(grid);
      if (wins.length === 0) continue;
      reels.celebrate(wins);
      if (i < spins.length - 1) await new Promise((resolve) => setTimeout(resolve, isCalm() ? 0 : CELEBRATE_MS));
    }
    if (result.winMinor === 0) showMessage(words.noWin);
    else {
      const won = spins.length === 1 ? words.linesWin(spins[0]?.wins.length ?? 0) : words.freeSpinsWin(spins.length);
      showMessage(jackpotMinor > 0 ? words.jackpotFalls(money(jackpotMinor)) : won);
      stopCounting = countUp(amount, result.winMinor, money);
    }
    const paid = await api.call<{ status: string | null; error: string }>("/api/payout", { round: result.round });
    showBalance();
    if (result.winMinor === 0) return;
    if (paid.status === "pending") showMessage(words.winPending, "wait");
    if (paid.status === "failed" || paid.status === "refused") showMessage(words.winRefused(paid.error), "bad");
  };

  const decide = (betMinor: number, undecidedMs: number): void => {
    showMessage(words.notStarted, "wait");
    const decision = new Decision(root, {
      title: words.undecided,
      text: words.undecidedText(money(betMinor)),
      seconds: Math.round(undecidedMs / 1_000),
      choices: [
        { label: words.askAgain, primary: true, act: () => play(() => api.call<SpinResult>("/api/repeat", {})) },
        { label: words.giveBack, act: () => giveBack() },
      ],
    });
    decision.onTimeout = () => showMessage(words.beingGivenBack, "wait");
  };

  const giveBack = async (): Promise<void> => {
    setBusy(true);
    showMessage(words.askingBack, "wait");
    const { status } = await api.call<{ status: string | null }>("/api/give-back", {});
    showBalance();
    if (status === "success") showMessage(words.betIsBack);
    else if (status === "pending") showMessage(words.refundPending, "wait");
    else showMessage(words.neverTaken);
    setBusy(false);
  };

  for (const [button, path] of [
    [spin, "/api/spin"],
    [buy, "/api/feature"],
  ] as const)
    button.addEventListener(
      "click",
      () => void play(() => api.call<SpinResult>(path, { amount_minor: chips.value() })),
    );
}

/** The possible bets as chips. One chip is chosen. */
export function chipChoice(
  bets: readonly number[],
  currency: string,
): { element: HTMLFieldSetElement; value: () => number } {
  const money = minorFormat(currency);
  const short = chipFormat(currency);
  let chosen = bets[1] ?? bets[0] ?? 0;
  const chips = bets.map((bet) => {
    const input = make("input", {
      type: "radio",
      name: "bet",
      value: bet,
      checked: bet === chosen,
      "aria-label": money(bet),
    });
    input.addEventListener("change", () => {
      chosen = bet;
    });
    return make("label", { class: "chip" }, input, make("span", { "aria-hidden": "true" }, short(bet)));
  });
  return {
    element: make("fieldset", {}, make("legend", {}, words.yourBet), make("div", { class: "chips" }, ...chips)),
    value: () => chosen,
  };
}

const isCalm = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Counts the shown amount up to a win. Returns a function that stops it, for the next spin. */
function countUp(output: HTMLOutputElement, minor: number, money: (minor: number) => string): () => void {
  const started = performance.now();
  const quick = isCalm();
  const step = (now: number): void => {
    const part = quick ? 1 : Math.min(1, (now - started) / COUNT_UP_MS);
    output.textContent = money(Math.round(minor * part));
    if (part < 1) frame = requestAnimationFrame(step);
  };
  let frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}
