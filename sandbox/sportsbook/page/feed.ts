import type { PageConnection } from "../../../web-renderer/frame.ts";
import { ApiError, find } from "../../design/dom.ts";
import type { AccountReply, BetReply, BoardEvent, BoardReply, SessionReply } from "./api-types.ts";
import { routeOf } from "./route.ts";
import type { Server } from "./server.ts";
import { repriced } from "./slip.ts";
import type { State } from "./state.ts";
import { WORDS } from "./words/words.ts";

const BOARD_EVERY_MS = 4_000;
/** The bets are read this often while one of them may be settled, and otherwise never. */
const ACCOUNT_EVERY_MS = 2_000;
const MOVE_SHOWN_MS = 5_000;
/** The balance is tried again after longer and longer pauses, and then only when the player asks for it. */
const BALANCE_TRIES_MAX = 6;
const BALANCE_AGAIN_MS = 1_500;
const BALANCE_AGAIN_MS_MAX = 30_000;

/** Sends an event to the merchant's page. */
export type Send = PageConnection<SessionReply>["send"];

/** Keeps board, match, odds, bets and balance up to date with the server. A hidden page sends no requests. */
export class Feed {
  readonly #server: Server;
  readonly #state: State;
  readonly #draw: () => void;
  readonly #send: Send;
  /** Raised by each change of player, so that an answer for an earlier player is dropped. */
  #visit = 0;
  /** Raised by each question for the balance. */
  #balanceQuestion = 0;
  /** The bet ids of each slip whose outcome is not known yet, or whose refunds are on their way. */
  #awaited: (readonly string[])[] = [];

  constructor(server: Server, state: State, draw: () => void, send: Send) {
    this.#server = server;
    this.#state = state;
    this.#draw = draw;
    this.#send = send;
  }

  /** Resolves when the first board was read, or the first try failed. */
  async start(): Promise<void> {
    setInterval(() => document.visibilityState === "visible" && void this.refresh(), BOARD_EVERY_MS);
    setInterval(
      () => document.visibilityState === "visible" && this.#isWaiting() && void this.readAccount(),
      ACCOUNT_EVERY_MS,
    );
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void this.refresh());
    addEventListener("online", () => void this.refresh());
    addEventListener("offline", () => {
      this.#state.away = true;
      this.#draw();
    });
    await this.refresh();
  }

  /** Reads the board, the open match, and the prices in the slip. */
  async refresh(): Promise<void> {
    const { path, slip } = this.#state;
    const route = routeOf(path);
    try {
      const ids = slip.lines.map(({ id }) => encodeURIComponent(id)).join(",");
      const [board, event] = await Promise.all([
        this.#server.ask<BoardReply>(`/api/board?selections=${ids}`),
        route.page === "event" ? this.#readEvent(route.id) : undefined,
      ]);
      this.#noteMoves([...board.events, ...(typeof event === "object" ? [event] : [])]);
      this.#state.board = board.events;
      if (this.#state.path === path) this.#state.event = event;
      this.#state.slip = repriced(
        this.#state.slip,
        new Map(board.selections.map(({ id, odds }) => [id, odds])),
        this.#state.oddsHabit,
      );
      this.#state.away = false;
    } catch {
      this.#state.away = true;
    }
    this.#draw();
  }

  /** Call it when the player changed; there may be none. */
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

  /** Takes a balance from the wallet and tells the merchant's page when it changed. */
  setBalance(balance: number | null): void {
    const { session, balance: before } = this.#state;
    if (balance === null || session === undefined) return;
    this.#state.balanceFailed = false;
    if (balance === before) return;
    this.#state.balance = balance;
    if (before !== null) this.#send("balanceChange", { amount: balance, currency: session.currency });
  }

  /** Asks again when the wallet or the service is busy. A later question takes the place of this one. */
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

  /** Finds out which slips are decided. All bets of a slip are decided together. */
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

  /** The failure takes the place of what is shown of the same slip. */
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

  #readEvent(id: string): Promise<BoardEvent | "none"> {
    return this.#server.ask<BoardEvent>(`/api/event?id=${encodeURIComponent(id)}`).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "EVENT_NOT_FOUND") return "none";
      throw error;
    });
  }

  #noteMoves(events: readonly BoardEvent[]): void {
    const before = pricesOf([
      ...(this.#state.board ?? []),
      ...(typeof this.#state.event === "object" ? [this.#state.event] : []),
    ]);
    const moved = new Map<string, "up" | "down">();
    for (const [id, odds] of pricesOf(events)) {
      const last = before.get(id);
      if (last !== undefined && last !== odds) moved.set(id, odds > last ? "up" : "down");
    }
    this.#state.moves = new Map([...this.#state.moves, ...moved]);
    setTimeout(() => {
      this.#state.moves = new Map([...this.#state.moves].filter(([id, way]) => moved.get(id) !== way));
      this.#draw();
    }, MOVE_SHOWN_MS);
  }
}

function pricesOf(events: readonly BoardEvent[]): Map<string, number> {
  return new Map(
    events.flatMap(({ markets }) =>
      markets.flatMap(({ offers }) => offers.flatMap(({ id, odds }) => (odds === null ? [] : [[id, odds] as const]))),
    ),
  );
}
