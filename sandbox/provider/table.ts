import { randomInt } from "node:crypto";
import { freshId, type GameSession, type PlacedBet } from "./game-session.ts";
import { payout, type Spot } from "./roulette.ts";

const SPIN_MS = 6_500;
const RESULT_MS = 5_000;
/** A table stops if no player's page has read it for this time. */
const IDLE_MS = 90_000;
const HISTORY = 14;

export interface Chip {
  readonly spot: Spot;
  readonly bet: PlacedBet;
  /** A chip with a pending bet does not play. It is refunded when betting closes. */
  readonly state: "placed" | "pending" | "returned";
}

export interface PlayerResult {
  readonly winMinor: number;
  /** The status of the win's payment; null: there is no win, or the payment is running. */
  readonly status: string | null;
}

export interface TableView {
  readonly phase: "betting" | "spinning" | "result";
  readonly round: string;
  readonly endsInMs: number;
  /** The length of this phase. */
  readonly phaseMs: number;
  /** The winning number; null while bets are accepted. */
  readonly number: number | null;
  readonly history: readonly number[];
  readonly chips: readonly { readonly spot: Spot; readonly amountMinor: number; readonly state: Chip["state"] }[];
  readonly result: PlayerResult | null;
  readonly players: number;
}

/** A live table: one wheel for all players, driven by the clock. */
export class Table {
  readonly #bettingMs: number;
  #phase: TableView["phase"] = "betting";
  #round = "";
  #endsAt = 0;
  #number: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #history: number[] = [];
  readonly #chips = new Map<GameSession, Chip[]>();
  readonly #results = new Map<GameSession, PlayerResult>();
  readonly #seen = new Map<GameSession, number>();

  constructor(bettingSeconds: number) {
    this.#bettingMs = bettingSeconds * 1_000;
    while (this.#history.length < HISTORY) this.#history.push(randomInt(37));
  }

  /** The table as this player sees it now. Each call keeps the table running. */
  view(session: GameSession): TableView {
    this.#seen.set(session, Date.now());
    if (this.#timer === undefined) this.#open();
    const chips = (this.#chips.get(session) ?? []).map(({ spot, state, bet }) => ({
      spot,
      state,
      amountMinor: bet.request.amount_minor,
    }));
    const phaseMs = { betting: this.#bettingMs, spinning: SPIN_MS, result: RESULT_MS }[this.#phase];
    const endsInMs = Math.max(0, this.#endsAt - Date.now());
    const result = this.#phase === "result" ? (this.#results.get(session) ?? null) : null;
    return {
      phase: this.#phase,
      round: this.#round,
      endsInMs,
      phaseMs,
      number: this.#number,
      history: this.#history,
      chips,
      result,
      players: this.#seen.size,
    };
  }

  /**
   * Places a chip. Each chip is a separate bet. Resolves to the error of the wallet or the service; undefined: no
   * error.
   */
  async place(session: GameSession, spot: Spot, amountMinor: number): Promise<string | undefined> {
    if (this.#phase !== "betting") return "BETTING_CLOSED";
    const round = this.#round;
    const bet = await session.placeBet(round, amountMinor);
    const { status, error } = bet.answer;
    if (status === "failed" || status === "refused") return error;
    // The wallet answered after betting closed, so the bet is refunded.
    if (round !== this.#round || this.#phase !== "betting") {
      await session.refund(bet);
      return "TOO_LATE";
    }
    this.#chips.set(session, [
      ...(this.#chips.get(session) ?? []),
      { spot, bet, state: status === "success" ? "placed" : "pending" },
    ]);
    return undefined;
  }

  /** Refunds and removes the last chip. */
  async undo(session: GameSession): Promise<string | undefined> {
    if (this.#phase !== "betting") return "BETTING_CLOSED";
    const chips = this.#chips.get(session) ?? [];
    const chip = chips.at(-1);
    if (chip === undefined) return "NO_CHIPS";
    this.#chips.set(session, chips.slice(0, -1));
    await session.refund(chip.bet);
    return undefined;
  }

  /** Gives the dealer a tip, in each phase. A tip that the wallet has not confirmed is refunded. */
  async tip(session: GameSession, amountMinor: number): Promise<string | undefined> {
    const tip = await session.placeBet(this.#round, amountMinor, { kind: "tip" });
    const { status, error } = tip.answer;
    if (status === "success") return undefined;
    if (status === "failed" || status === "refused") return error;
    await session.refund(tip);
    return "TIP_UNCONFIRMED";
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #open(): void {
    this.#round = freshId("table");
    this.#number = null;
    this.#chips.clear();
    this.#results.clear();
    this.#next("betting", this.#bettingMs, () => this.#close());
  }

  #close(): void {
    this.#number = randomInt(37);
    for (const [session, chips] of this.#chips) {
      const settled = chips.map((chip): Chip => (chip.state === "pending" ? { ...chip, state: "returned" } : chip));
      for (const chip of chips) if (chip.state === "pending") void session.refund(chip.bet);
      this.#chips.set(session, settled);
    }
    this.#next("spinning", SPIN_MS, () => this.#settle());
  }

  #settle(): void {
    const number = this.#number ?? 0;
    this.#history.unshift(number);
    this.#history.length = HISTORY;
    for (const [session, chips] of this.#chips) {
      const winMinor = chips.reduce(
        (sum, chip) => sum + (chip.state === "placed" ? chip.bet.request.amount_minor * payout(chip.spot, number) : 0),
        0,
      );
      this.#results.set(session, { winMinor, status: null });
      if (chips.some(({ state }) => state === "placed") && session.pays(winMinor))
        void session
          .payWin(this.#round, winMinor)
          .then((win) => this.#results.set(session, { winMinor, status: win.answer.status }));
    }
    this.#next("result", RESULT_MS, () => this.#rest());
  }

  #rest(): void {
    for (const [session, at] of this.#seen) if (Date.now() - at > IDLE_MS) this.#seen.delete(session);
    if (this.#seen.size > 0) return this.#open();
    this.stop();
  }

  #next(phase: TableView["phase"], ms: number, then: () => void): void {
    this.#phase = phase;
    this.#endsAt = Date.now() + ms;
    this.#timer = setTimeout(then, ms).unref();
  }
}
