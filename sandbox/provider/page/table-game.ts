import { ApiError, make } from "../../design/dom.ts";
import { chipFormat, minorFormat } from "../../design/money.ts";
import { colorOf } from "../art/wheel.ts";
import type { TableView } from "../table.ts";
import { errorText, type GameApi, type Session, sentence } from "./game-api.ts";
import { words } from "./language.ts";
import { chipChoice } from "./slot-game.ts";
import { Wheel } from "./wheel.ts";

const LATE_MS = 5_000;
const RETRY_MS = 2_000;

const DOZENS = ["1–12", "13–24", "25–36"];
const numberName = (number: number): string => `${number} ${words.colours[colorOf(number)]}`;

/** Every spot for a chip: its label, its name for screen readers, and its position on a wide and on a narrow board. */
const SPOTS: readonly { readonly spot: string; readonly label: string; readonly name: string; readonly at: Place }[] = [
  { spot: "0", label: "0", name: numberName(0), at: { row: 1, column: 1, rows: 3, narrow: [1, 2] } },
  ...Array.from({ length: 36 }, (_, i) => {
    const number = i + 1;
    const [street, lane] = [Math.floor(i / 3), i % 3];
    return {
      spot: String(number),
      label: String(number),
      name: numberName(number),
      at: { row: 3 - lane, column: street + 2, narrow: [street + 2, lane + 2] as const },
    };
  }),
  ...[1, 2, 3].map((n) => ({
    spot: `column${n}`,
    label: "2:1",
    name: words.column(n),
    at: { row: 4 - n, column: 14, narrow: [14, n + 1] as const },
  })),
  ...[1, 2, 3].map((n) => ({
    spot: `dozen${n}`,
    label: DOZENS[n - 1] ?? "",
    name: words.dozen(DOZENS[n - 1] ?? "", n),
    at: { row: 4, column: n * 4 - 2, columns: 4, narrow: [n * 4 - 2, 1] as const },
  })),
  ...(["low", "even", "red", "black", "odd", "high"] as const).map((spot, i) => ({
    spot,
    ...words.spots[spot],
    at: { row: 5, column: i * 2 + 2, columns: 2, narrow: [i * 2 + 2, 5] as const },
  })),
];

interface Place {
  readonly row: number;
  readonly column: number;
  readonly rows?: number;
  readonly columns?: number;
  /** Row and column on a narrow board, where rows and columns are swapped. */
  readonly narrow: readonly [number, number];
}

/** The live table's page. The server's clock decides. At the end of each phase the page reads the table again. */
export function startTable(root: HTMLElement, api: GameApi, session: Session, showBalance: () => void): void {
  const money = minorFormat(session.currency);
  const short = chipFormat(session.currency);
  const wheel = new Wheel(session.game);
  const chips = chipChoice(session.bets, session.currency);
  const undo = make("button", { class: "button small", type: "button" }, words.takeChipBack);
  const tip = make("button", { class: "button small tip", type: "button" });
  const showTip = (): void => void (tip.textContent = words.tip(money(chips.value())));
  showTip();
  chips.element.addEventListener("change", showTip);
  const heading = make("strong", {}, "…");
  const fill = make("div", { class: "fill" });
  const line = make("p", { role: "status" });
  const clock = make(
    "div",
    { class: "clock" },
    heading,
    make("div", { class: "track", "aria-hidden": "true" }, fill),
    line,
  );
  const past = make("ol", { class: "past", "aria-label": words.lastNumbers });
  const cells = new Map(SPOTS.map((entry) => [entry.spot, cell(entry)]));
  root.replaceChildren(
    make(
      "div",
      { class: "live" },
      make("div", { class: "pit" }, wheel.element, clock, past),
      make(
        "div",
        { class: "felt" },
        make("div", { class: "rail" }, chips.element, undo),
        make("div", { class: "board" }, ...cells.values()),
        session.takes_tips && tip,
      ),
    ),
  );

  let seen: TableView | undefined;
  let endsAt = 0;
  let next: ReturnType<typeof setTimeout> | undefined;

  const show = (view: TableView): void => {
    const fresh = seen?.phase !== view.phase || seen.round !== view.round;
    seen = view;
    endsAt = performance.now() + view.endsInMs;
    // A chip of a pending bet looks the same until the server has the bet's result.
    for (const [spot, button] of cells) drawStake(button, spot, view);
    undo.disabled = view.phase !== "betting" || view.chips.length === 0;
    if (!fresh) return showResult(view);
    past.replaceChildren(...view.history.map((number) => make("li", { class: colorOf(number) }, String(number))));
    if (view.phase === "betting") {
      wheel.rest();
      showMessage(words.placeChips);
    }
    if (view.phase === "spinning" && view.number !== null) {
      wheel.spin(view.number, view.endsInMs);
      showMessage(view.chips.some(({ state }) => state === "returned") ? words.chipGoesBack : words.noMoreBets);
    }
    if (view.phase === "result") showResult(view);
    clearTimeout(next);
    next = setTimeout(() => void ask(), view.endsInMs + 60);
  };

  const showResult = (view: TableView): void => {
    if (view.phase !== "result") return;
    showBalance();
    const { result } = view;
    const number = view.number ?? 0;
    if (view.chips.length === 0) return showMessage(words.nextRound(number));
    if (result === null || result.winMinor === 0) return showMessage(words.nothingWon(number));
    const late = result.status === "pending" ? ` ${words.winUnconfirmed}` : "";
    showMessage(words.youWin(number, money(result.winMinor)) + late);
    if (result.status === null) setTimeout(() => void ask(), 400);
  };

  const showMessage = (text: string, bad = false): void => {
    line.textContent = text;
    line.classList.toggle("bad", bad);
  };

  const ask = async (): Promise<void> => {
    try {
      show(await api.call<TableView>("/api/table"));
    } catch (error) {
      showMessage(errorText(error), true);
      if (!(error instanceof ApiError && error.code === "UNKNOWN_SESSION"))
        next = setTimeout(() => void ask(), RETRY_MS);
    }
  };

  const act = async (path: string, body: unknown, done = ""): Promise<void> => {
    try {
      const view = await api.call<TableView & { error: string }>(path, body);
      show(view);
      showBalance();
      if (view.error !== "") showMessage(sentence(view.error), true);
      else if (done !== "") showMessage(done);
    } catch (error) {
      showMessage(errorText(error), true);
    }
  };

  for (const [spot, button] of cells) {
    button.addEventListener("click", () => {
      if (seen?.phase === "betting") void act("/api/table/bet", { spot, amount_minor: chips.value() });
      else showMessage(sentence("BETTING_CLOSED"), true);
    });
  }
  tip.addEventListener("click", () => {
    const amount_minor = chips.value();
    void act("/api/table/tip", { amount_minor }, words.tipTaken(money(amount_minor)));
  });
  undo.addEventListener("click", () => void act("/api/table/undo", {}));

  const drawStake = (button: HTMLButtonElement, spot: string, view: TableView): void => {
    const mine = view.chips.filter((chip) => chip.spot === spot);
    button.querySelector(".stake")?.remove();
    button.classList.toggle("fell", view.phase === "result" && String(view.number) === spot);
    const name = SPOTS.find((entry) => entry.spot === spot)?.name ?? spot;
    const total = mine.reduce((sum, chip) => sum + chip.amountMinor, 0);
    button.setAttribute("aria-label", mine.length === 0 ? name : words.yourStake(name, money(total)));
    // The style sheet shows the amount, because the button's name has it already.
    if (mine.length > 0)
      button.append(make("span", { class: `stake ${mine.at(-1)?.state}`, "data-amount": short(total) }));
  };

  const tick = (): void => {
    if (seen !== undefined) {
      const left = Math.max(0, endsAt - performance.now());
      const seconds = Math.ceil(left / 1_000);
      const betting = seen.phase === "betting";
      const text = betting
        ? words.betting(seconds)
        : seen.phase === "result"
          ? numberName(seen.number ?? 0)
          : words.running;
      if (heading.textContent !== text) heading.textContent = text;
      fill.style.transform = `scaleX(${betting ? left / seen.phaseMs : 0})`;
      clock.classList.toggle("late", betting && left < LATE_MS);
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  void ask();
}

function cell({ spot, label, name, at }: (typeof SPOTS)[number]): HTMLButtonElement {
  const color = /^\d+$/.test(spot) ? colorOf(Number(spot)) : spot === "red" || spot === "black" ? spot : "";
  const button = make(
    "button",
    { type: "button", class: `spot ${color}`, "data-spot": spot, "aria-label": name },
    label,
  );
  const place = {
    row: at.row,
    column: at.column,
    rows: at.rows ?? 1,
    columns: at.columns ?? 1,
    "narrow-row": at.narrow[0],
    "narrow-column": at.narrow[1],
  };
  for (const [property, value] of Object.entries(place)) button.style.setProperty(`--${property}`, String(value));
  return button;
}
