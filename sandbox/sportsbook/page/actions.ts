import type { OddsFormat } from "../../../web-renderer/protocol.ts";
import { ApiError, find } from "../../design/dom.ts";
import type { OddsHabit } from "../model/odds-habit.ts";
import type { BetReply, BoardEvent, PlaceReply } from "./api-types.ts";
import type { Feed, Send } from "./feed.ts";
import type { MarketGroup } from "./market-groups.ts";
import { rememberHabit } from "./remembered.ts";
import { routeOf } from "./route.ts";
import type { Server } from "./server.ts";
import { accepted, EMPTY_SLIP, type Slip, type SlipBet, staked, summary, toggled, withHabit, without } from "./slip.ts";
import { stakeText } from "./stake.ts";
import type { State } from "./state.ts";
import { tabAfter } from "./views/tab-after.ts";

/** From this width on the betslip is beside the matches, as slip.css says. */
const WIDE = "(width >= 56rem)";

/** A slip as the page sends it. A repeat has the same id, so the slip can't be placed twice. */
interface SentSlip {
  readonly slip_id: string;
  readonly accept: OddsHabit;
  readonly bets: readonly SlipBet[];
}

/**
 * The player's actions. Elements name their action (`data-do`, `data-change`, `data-input`). One listener per attribute
 * handles all elements.
 */
export class Actions {
  readonly #state: State;
  readonly #server: Server;
  readonly #feed: Feed;
  readonly #draw: () => void;
  readonly #send: Send;
  /**
   * By player: the slip that was sent and has no final answer yet. The slip may have been placed, so the page sends it
   * again before it places another slip.
   */
  readonly #sent = new Map<string, SentSlip>();

  constructor(state: State, server: Server, feed: Feed, draw: () => void, send: Send) {
    this.#state = state;
    this.#server = server;
    this.#feed = feed;
    this.#draw = draw;
    this.#send = send;
    state.path = location.hash.startsWith("#/") ? location.hash.slice(1) : "/";
  }

  /** Whether a slip was sent that has no final answer yet. */
  get isAsking(): boolean {
    return this.#sent.size > 0;
  }

  listen(): void {
    document.addEventListener("click", (event) => {
      const element = (event.target as Element).closest<HTMLElement>("[data-do]");
      if (element === null || event.ctrlKey || event.metaKey) return;
      if (element instanceof HTMLAnchorElement) event.preventDefault();
      this.#do(element.dataset.do ?? "", element);
    });
    document.addEventListener("input", (event) => {
      const input = event.target as HTMLInputElement;
      if (input.dataset.input === "stake") this.#setSlip(staked(this.#state.slip, input.dataset.id ?? "", input.value));
      if (input.dataset.input === "search") this.#search(input.value);
    });
    document.addEventListener("change", (event) => this.#change(event.target as HTMLInputElement | HTMLSelectElement));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#state.slipOpen) this.#do("slip", document.body);
      if (event.key === "Enter" && (event.target as HTMLElement).dataset.input === "stake")
        find<HTMLButtonElement>("#slip .slip-foot .primary").click();
      if ((event.target as HTMLElement).role === "tab") this.#moveTab(event);
    });
    document.addEventListener("submit", (event) => event.preventDefault());
    // In a wide window the betslip is beside the matches, not over the page.
    matchMedia(WIDE).addEventListener("change", () => {
      this.#state.slipOpen = false;
      this.#draw();
    });
    addEventListener("popstate", () => this.#show(location.hash.startsWith("#/") ? location.hash.slice(1) : "/"));
  }

  /** Shows a route in a new history entry, or in the current one when the merchant's page asked for it. */
  go(path: string, entry: "new" | "current" = "new"): void {
    if (entry === "current") history.replaceState(history.state, "", `#${path}`);
    else if (path !== this.#state.path) history.pushState(null, "", `#${path}`);
    this.#show(path);
  }

  #show(path: string): void {
    this.#send("routeChange", { path });
    if (path === this.#state.path) return;
    this.#state.path = path;
    const route = routeOf(path);
    this.#state.event = route.page === "event" ? this.#onBoard(route.id) : undefined;
    this.#state.slipOpen = false;
    this.#state.search = "";
    this.#state.group = "all";
    this.#draw();
    window.scrollTo(0, 0);
    queueMicrotask(() => find("#main").focus({ preventScroll: true }));
    if (route.page === "event") this.#feed.follow();
    if (route.page === "bets") void this.#feed.readAccount();
  }

  #onBoard(id: string): BoardEvent | undefined {
    return this.#state.board?.find((event) => event.id === id);
  }

  #do(what: string, element: HTMLElement): void {
    const { id = "", path = "/" } = element.dataset;
    const { slip, session } = this.#state;
    switch (what) {
      case "go":
        this.#leaveReceipt();
        return this.go(path);
      case "toggle":
        return this.#toggle(id);
      case "remove":
        return this.#setSlip(without(slip, id));
      case "clear":
        return this.#setSlip(EMPTY_SLIP);
      case "accept":
        return this.#setSlip(accepted(slip));
      case "quick":
        return this.#setSlip(staked(slip, id, stakeText(Number(element.dataset.minor), session?.currency ?? "")));
      case "place":
        return void this.#place();
      case "group":
        this.#state.group = id as MarketGroup;
        return this.#draw();
      case "done":
        return this.#leaveReceipt();
      case "slip":
        this.#state.slipOpen = !this.#state.slipOpen;
        this.#draw();
        if (this.#state.slipOpen) queueMicrotask(() => find("#slip .close").focus());
        return;
      case "login":
      case "register":
      case "recharge":
        return this.#send(what);
      case "balance":
        return void this.#feed.refreshBalance();
      case "retry":
        return this.#feed.refresh();
      case "skip":
        return find("#main").focus();
      case "finish":
        return void this.#finish(id);
    }
  }

  #change(element: HTMLInputElement | HTMLSelectElement): void {
    const { value } = element;
    if (element.dataset.change === "odds") this.#state.oddsFormat = value as OddsFormat;
    else if (element.dataset.change === "mode") this.#state.slip = { ...this.#state.slip, mode: value as Slip["mode"] };
    else if (element.dataset.change === "habit") this.#choose(value as OddsHabit);
    else if (element.dataset.change === "bets") this.#state.betsShown = value as State["betsShown"];
    else return;
    this.#draw();
  }

  #choose(habit: OddsHabit): void {
    const { session, slip } = this.#state;
    this.#state.oddsHabit = habit;
    this.#state.slip = withHabit(slip, habit);
    if (session !== undefined) rememberHabit(session.player_ref, habit);
  }

  #search(text: string): void {
    this.#state.search = text;
    this.#draw();
  }

  /** Moves to another tab by keyboard, and chooses it. */
  #moveTab(event: KeyboardEvent): void {
    const from = event.target as HTMLElement;
    const tabs = [...(from.closest("[role=tablist]")?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
    const to = tabAfter(tabs, from, event.key);
    if (to === undefined) return;
    event.preventDefault();
    to.focus();
    to.click();
  }

  #toggle(id: string): void {
    this.#leaveReceipt();
    const { board, event, slip } = this.#state;
    const events = [...(typeof event === "object" ? [event] : []), ...(board ?? [])];
    for (const { id: eventId, sport, home, away, markets } of events) {
      for (const { kind, line, offers } of markets) {
        const offer = offers.find((one) => one.id === id);
        if (offer === undefined) continue;
        return this.#setSlip(
          toggled(slip, { id, event: eventId, sport, home, away, kind, line, pick: offer.pick, odds: offer.odds ?? 0 }),
        );
      }
    }
    this.#setSlip(without(slip, id));
  }

  #setSlip(slip: Slip): void {
    const before = this.#state.slip.lines.length;
    this.#state.slip = slip;
    if (this.#state.receipt.kind === "failed") this.#state.receipt = { kind: "none" };
    if (slip.lines.length !== before) this.#send("betslipChanged", { count: slip.lines.length });
    this.#draw();
  }

  #leaveReceipt(): void {
    if (this.#state.receipt.kind === "none") return;
    this.#state.receipt = { kind: "none" };
    this.#draw();
  }

  async #place(): Promise<void> {
    const { slip, session, receipt } = this.#state;
    // While the page is offline its odds are old.
    if (session === undefined || receipt.kind === "placing" || this.#state.away) return;
    const { bets, problem } = summary(slip, session.currency);
    if (problem !== null) return;
    this.#state.receipt = { kind: "placing" };
    this.#draw();
    const player = session.player_ref;
    const accept = this.#state.oddsHabit;
    let sent = this.#sent.get(player) ?? newSlip(accept, bets);
    let answer = await this.#ask(player, sent);
    // The earlier slip was sent first, and its answer shows that it was not placed.
    if (answer !== "unsure" && answer?.status === "failed" && !isSame(sent.bets, bets) && this.#isHere(player)) {
      sent = newSlip(accept, bets);
      answer = await this.#ask(player, sent);
    }
    if (!this.#isHere(player)) return;
    if (answer === undefined) this.#state.receipt = { kind: "none" };
    else if (answer === "unsure") this.#failed("UNSURE", []);
    else if (answer.status === "failed") this.#failed(answer.error, answer.bets);
    else
      this.#placed(
        answer,
        isSame(sent.bets, bets)
          ? EMPTY_SLIP
          : sent.bets.flatMap(({ selections }) => selections).reduce(withoutBet, this.#state.slip),
      );
    this.#draw();
  }

  /**
   * Sends a slip. undefined: another player or no player is logged in now. "unsure": it is not known whether the slip
   * was placed.
   */
  async #ask(player: string, sent: SentSlip): Promise<PlaceReply | "unsure" | undefined> {
    const repeated = this.#sent.has(player);
    this.#sent.set(player, sent);
    try {
      const reply = await this.#server.call<PlaceReply>("/api/place", sent);
      // A refusal because the session has expired does not show whether an earlier try was placed.
      if (reply !== undefined || !repeated) this.#sent.delete(player);
      return reply;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500) return "unsure";
      this.#sent.delete(player);
      return { status: "failed", error: error.code, balance_minor: null, bets: [] };
    }
  }

  /** Whether this player is still logged in. If not, the page ignores the answer. */
  #isHere(player: string): boolean {
    return this.#state.session?.player_ref === player;
  }

  #failed(error: string, bets: readonly BetReply[]): void {
    this.#feed.failed(error, bets);
    if (bets.length > 0) void this.#feed.readAccount();
    // The odds may have moved, and the balance changed if a debited bet is refunded.
    this.#feed.refresh();
    void this.#feed.refreshBalance();
  }

  #placed({ status, bets, balance_minor }: PlaceReply, left: Slip): void {
    this.#feed.setBalance(balance_minor);
    this.#state.slip = left;
    this.#send("betslipChanged", { count: left.lines.length });
    if (status === "placed") this.#feed.placed(bets);
    else this.#feed.awaitOutcome(bets);
    void this.#feed.readAccount();
  }

  async #finish(event: string): Promise<void> {
    const final = (side: string) => Number(find<HTMLInputElement>(`#final-${side}`).value);
    await this.#server
      .ask("/control/finish", { event, home: final("home"), away: final("away") })
      .catch(() => undefined);
    await this.#feed.readAccount();
  }
}

const newSlip = (accept: OddsHabit, bets: readonly SlipBet[]): SentSlip => ({
  slip_id: [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  accept,
  bets,
});
const isSame = (some: readonly SlipBet[], others: readonly SlipBet[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others);
const withoutBet = (slip: Slip, { id }: { readonly id: string }): Slip => without(slip, id);
