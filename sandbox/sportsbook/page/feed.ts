import type { PageConnection } from "../../../web-renderer/frame.ts";
import { find } from "../../design/dom.ts";
import type { BoardOpening } from "../stream/board-change.ts";
import type { AccountReply, BetReply, BoardEvent, SessionReply } from "./api-types.ts";
import { LiveBoard } from "./live-board.ts";
import { routeOf } from "./route.ts";
import type { Server } from "./server.ts";
import { repriced } from "./slip.ts";
import type { State } from "./state.ts";
import { WORDS } from "./words/words.ts";

/**
 * The interval between two reads of the bets, while one of them may be settled. At other times the bets are not read.
 */
const ACCOUNT_EVERY_MS = 2_000;
const MOVE_SHOWN_MS = 5_000;
/**
 * The maximum number of automatic tries to read the balance, with growing pauses. After that only the player can start
 * another try.
 */
const BALANCE_TRIES_MAX = 6;
const BALANCE_AGAIN_MS = 1_500;
const BALANCE_AGAIN_MS_MAX = 30_000;

/** Sends an event to the merchant's page. */
export type Send = PageConnection<SessionReply>["send"];

/**
 * Keeps board, match, odds, bets and balance up to date with the server. A hidden page has no connection and sends no
 * requests.
 */
export class Feed {
  readonly #server: Server;
  readonly #state: State;
  readonly #draw: () => void;
  readonly #send: Send;
  readonly #live: LiveBoard;
  /** Raised by each change of player, so that an answer for an earlier player is ignored. */
  #visit = 0;
  /** Raised by each request for the balance. */
  #balanceQuestion = 0;
  /** The bet ids of each slip whose outcome is not known yet, or whose refunds have no result yet. */
  #awaited: (readonly string[])[] = [];

  constructor(server: Server, state: State, draw: () => void, send: Send, opening: BoardOpening) {
    this.#server = server;
    this.#state = state;
    this.#draw = draw;
    this.#send = send;
    this.#live = new LiveBoard(opening, {
      onMessage: (hasChanges) => {
        if (!hasChanges && !state.away) return;
        state.away = false;
        this.follow();
      },
      onLost: () => this.#goAway(),
    });
  }

  /** Shows the board that came with the page, and connects. */
  start(): void {
    setInterval(
      () => document.visibilityState === "visible" && this.#isWaiting() && void this.readAccount(),
      ACCOUNT_EVERY_MS,
    );
    const connect = (): void => (document.visibilityState === "visible" ? this.#live.open() : this.#live.close());
    document.addEventListener("visibilitychange", connect);
    addEventListener("online", connect);
    addEventListener("offline", () => {
      this.#live.close();
      this.#goAway();
    });
    this.follow();
    // After this frame was painted.
    requestAnimationFrame(() => setTimeout(() => this.#drawAll()));
    connect();
  }

  /** Opens a new connection, so that the page gets the server's current data. */
  refresh(): void {
    this.#live.open();
  }

  /** Shows the matches that are known, and follows the open match and those of the slip that the board does not show. */
  follow(): void {
    const route = routeOf(this.#state.path);
    const board = this.#live.events;
    const onBoard = pricesOf(board);
    const hidden = this.#state.slip.lines.filter(({ id }) => !onBoard.has(id)).map(({ event }) => event);
    this.#live.follow(new Set([...hidden, ...(route.page === "event" ? [route.id] : [])]));
    const event = route.page === "event" ? (this.#live.event(route.id) ?? this.#state.event) : undefined;
    this.#noteMoves([...board, ...(typeof event === "object" ? [event] : [])]);
    this.#state.board = board;
    this.#state.event = event;
    this.#state.slip = repriced(this.#state.slip, this.#pricesOfSlip(onBoard), this.#state.oddsHabit);
    this.#draw();
  }

  /** Call it when another player, or no player, is logged in. */
  signedIn(): void {
    this.#visit++;
    this.#awaited = [];
    this.#state.balance = null;
    this.#state.balanceFailed = false;
    this.#state.bets = undefined;
    if (this.#state.session === undefined) return;
    void this.#askBalance();
    void this.readAccount();
  }

  /** Reads the balance from the wallet, because money was moved on the merchant's site. */
  async refreshBalance(): Promise<void> {
    await this.#askBalance();
  }

  async readAccount(): Promise<void> {
    const visit = this.#visit;
    const account = await this.#server.call<AccountReply>("/api/account").catch(() => undefined);
    if (account === undefined || visit !== this.#visit) return;
    this.#state.bets = account.bets;
    this.#lookForAwaited(account.bets);
    this.setBalance(account.balance_minor);
    this.#draw();
  }

  /** Tells the merchant's page that these bets were placed. */
  placed(bets: readonly BetReply[]): void {
    this.#state.receipt = { kind: "placed", bets };
    this.#send("betPlaced", {
      betIds: bets.map(({ id }) => id),
      stake: bets.reduce((sum, bet) => sum + bet.stake_minor, 0),
    });
    find("#announce").textContent = WORDS[this.#state.language].placed;
  }

  /** Notes bets whose outcome is not known yet. */
  awaitOutcome(bets: readonly BetReply[]): void {
    this.#state.receipt = { kind: "pending" };
    this.#awaited.push(bets.map(({ id }) => id));
  }

  /** Shows that a slip failed, and follows its refunds. */
  failed(error: string, bets: readonly BetReply[]): void {
    const refund = bets[0]?.refund ?? "none";
    this.#state.receipt = { kind: "failed", error, refund };
    if (refund === "pending") this.#awaited.push(bets.map(({ id }) => id));
  }

  /** Stores a balance from the wallet, and sends it to the merchant's page if it changed. */
  setBalance(balance: number | null): void {
    const { session, balance: before } = this.#state;
    if (balance === null || session === undefined) return;
    this.#state.balanceFailed = false;
    if (balance === before) return;
    this.#state.balance = balance;
    if (before !== null) this.#send("balanceChange", { amount: balance, currency: session.currency });
  }

  /**
   * Requests the balance, and repeats the request when the wallet or the service is busy. A later request replaces this
   * one.
   */
  async #askBalance(): Promise<void> {
    const visit = this.#visit;
    const question = ++this.#balanceQuestion;
    for (let tries = 0; tries < BALANCE_TRIES_MAX; tries++) {
      const answer = await this.#server.call<{ balance_minor: number | null }>("/api/balance", {}).catch(() => null);
      if (visit !== this.#visit || question !== this.#balanceQuestion || answer === undefined) return;
      const balance = answer?.balance_minor ?? null;
      this.#state.balanceFailed = balance === null;
      this.setBalance(balance);
      this.#draw();
      // The wallet has answered, with a balance or with a refusal that another try would not change.
      if (answer !== null) return;
      const pause = Math.min(BALANCE_AGAIN_MS * 2 ** tries, BALANCE_AGAIN_MS_MAX);
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
      if (visit !== this.#visit || question !== this.#balanceQuestion) return;
    }
  }

  /** Finds the slips whose outcome is now known. All bets of a slip have the same outcome. */
  #lookForAwaited(bets: readonly BetReply[]): void {
    this.#awaited = this.#awaited.filter((ids) => {
      const slip = bets.filter(({ id }) => ids.includes(id));
      const [first] = slip;
      if (first === undefined || first.state === "placing") return true;
      if (first.state !== "rejected") this.placed(slip);
      else this.#showFailure(first);
      return first.state === "rejected" && first.refund === "pending";
    });
  }

  /** Shows the failure of a slip in place of the slip's earlier message. */
  #showFailure({ error, refund }: BetReply): void {
    const { receipt } = this.#state;
    const before = receipt.kind === "failed" ? receipt.refund : "none";
    if (receipt.kind === "pending" || before === "pending") this.#state.receipt = { kind: "failed", error, refund };
    if (refund !== "pending") void this.refreshBalance();
  }

  #isWaiting(): boolean {
    return (this.#state.bets ?? []).some(
      ({ state, refund, paying }: BetReply) =>
        state === "placing" || state === "open" || refund === "pending" || paying,
    );
  }

  #drawAll(): void {
    this.#state.firstScreenOnly = false;
    this.#draw();
  }

  #goAway(): void {
    this.#state.away = true;
    this.#draw();
  }

  /**
   * The odds of the slip's selections. null: the selection is not on offer any more. Selections with unknown odds are
   * left out.
   */
  #pricesOfSlip(onBoard: ReadonlyMap<string, number | null>): ReadonlyMap<string, number | null> {
    const prices = this.#state.slip.lines.flatMap(({ id, event: eventId }) => {
      const event = this.#live.event(eventId);
      const known = typeof event === "object" ? pricesOf([event]) : onBoard;
      return known.has(id) || event !== undefined ? [[id, known.get(id) ?? null] as const] : [];
    });
    return new Map(prices);
  }

  #noteMoves(events: readonly BoardEvent[]): void {
    const before = pricesOf([
      ...(this.#state.board ?? []),
      ...(typeof this.#state.event === "object" ? [this.#state.event] : []),
    ]);
    const moved = new Map<string, "up" | "down">();
    for (const [id, odds] of pricesOf(events)) {
      const last = before.get(id);
      if (odds !== null && last != null && last !== odds) moved.set(id, odds > last ? "up" : "down");
    }
    if (moved.size === 0) return;
    this.#state.moves = new Map([...this.#state.moves, ...moved]);
    setTimeout(() => {
      this.#state.moves = new Map([...this.#state.moves].filter(([id, way]) => moved.get(id) !== way));
      this.#draw();
    }, MOVE_SHOWN_MS);
  }
}

/** The odds of each selection. null: the selection can't be placed now. */
function pricesOf(events: readonly BoardEvent[]): Map<string, number | null> {
  return new Map(
    events.flatMap(({ markets }) => markets.flatMap(({ offers }) => offers.map(({ id, odds }) => [id, odds] as const))),
  );
}
