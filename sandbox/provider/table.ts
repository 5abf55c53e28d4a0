import { randomInt } from "node:crypto";
import { payout, type Spot } from "./roulette.ts";
import { freshId, type PlacedBet, type Seat } from "./seat.ts";

const SPIN_MS = 6_500;
const RESULT_MS = 5_000;
/** A table without players rests. */
const IDLE_MS = 90_000;
const HISTORY = 14;

export interface Chip {
  readonly spot: Spot;
  readonly bet: PlacedBet;
  /** A chip whose bet is pending does not play; it goes back when betting closes. */
  readonly state: "placed" | "pending" | "returned";
}

export interface SeatResult {
  readonly winMinor: number;
  /** What became of the win; null while it is being paid, or when there is none. */
  readonly status: string | null;
}

export interface TableView {
  readonly phase: "betting" | "spinning" | "result";
  readonly round: string;
  readonly endsInMs: number;
  /** How long this phase lasts in all. */
  readonly phaseMs: number;
  /** The number that fell; null while bets are taken. */
  readonly number: number | null;
  readonly history: readonly number[];
  readonly chips: readonly { readonly spot: Spot; readonly amountMinor: number; readonly state: Chip["state"] }[];
  readonly result: SeatResult | null;
  readonly players: number;
}

/** A live table: one wheel for everybody who sits at it, by the clock. */
export class Table {
  readonly #bettingMs: number;
  #phase: TableView["phase"] = "betting";
  #round = "";
  #endsAt = 0;
  #number: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #history: number[] = [];
  readonly #chips = new Map<Seat, Chip[]>();
  readonly #results = new Map<Seat, SeatResult>();
  readonly #seen = new Map<Seat, number>();

  constructor(bettingSeconds: number) {
    this.#bettingMs = bettingSeconds * 1_000;
    while (this.#history.length < HISTORY) this.#history.push(randomInt(37));
  }

  /** What a player sees now. Looking keeps the table running. */
  view(seat: Seat): TableView {
    this.#seen.set(seat, Date.now());
    if (this.#timer === undefined) this.#open();
    const chips = (this.#chips.get(seat) ?? []).map(({ spot, state, bet }) => ({ spot, state, amountMinor: bet.request.amount_minor }));
    const phaseMs = { betting: this.#bettingMs, spinning: SPIN_MS, result: RESULT_MS }[this.#phase];
    const endsInMs = Math.max(0, this.#endsAt - Date.now());
    const result = this.#phase === "result" ? (this.#results.get(seat) ?? null) : null;
    return { phase: this.#phase, round: this.#round, endsInMs, phaseMs, number: this.#number, history: this.#history, chips, result, players: this.#seen.size };
  }

  /** Puts a chip down: a bet of its own. Answers the wallet's or the service's objection, or undefined. */
  async place(seat: Seat, spot: Spot, amountMinor: number): Promise<string | undefined> {
    if (this.#phase !== "betting") return "BETTING_CLOSED";
    const round = this.#round;
    const bet = await seat.placeBet(round, amountMinor);
    const { status, error } = bet.answer;
    if (status === "failed" || status === "refused") return error;
    // The wallet took longer than the table waits: what was debited goes back.
    if (round !== this.#round || this.#phase !== "betting") {
      await seat.refund(bet);
      return "TOO_LATE";
    }
    this.#chips.set(seat, [...(this.#chips.get(seat) ?? []), { spot, bet, state: status === "success" ? "placed" : "pending" }]);
    return undefined;
  }

  /** Takes the last chip back, which is a refund. */
  async undo(seat: Seat): Promise<string | undefined> {
    if (this.#phase !== "betting") return "BETTING_CLOSED";
    const chips = this.#chips.get(seat) ?? [];
    const chip = chips.at(-1);
    if (chip === undefined) return "NO_CHIPS";
    this.#chips.set(seat, chips.slice(0, -1));
    await seat.refund(chip.bet);
    return undefined;
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
    for (const [seat, chips] of this.#chips) {
      const settled = chips.map((chip): Chip => (chip.state === "pending" ? { ...chip, state: "returned" } : chip));
      for (const chip of chips) if (chip.state === "pending") void seat.refund(chip.bet);
      this.#chips.set(seat, settled);
    }
    this.#next("spinning", SPIN_MS, () => this.#settle());
  }

  #settle(): void {
    const number = this.#number ?? 0;
    this.#history.unshift(number);
    this.#history.length = HISTORY;
    for (const [seat, chips] of this.#chips) {
      const winMinor = chips.reduce((sum, chip) => sum + (chip.state === "placed" ? chip.bet.request.amount_minor * payout(chip.spot, number) : 0), 0);
      this.#results.set(seat, { winMinor, status: null });
      if (winMinor > 0) void seat.payWin(this.#round, winMinor).then((win) => this.#results.set(seat, { winMinor, status: win.answer.status }));
    }
    this.#next("result", RESULT_MS, () => this.#rest());
  }

  #rest(): void {
    for (const [seat, at] of this.#seen) if (Date.now() - at > IDLE_MS) this.#seen.delete(seat);
    if (this.#seen.size > 0) return this.#open();
    this.stop();
  }

  #next(phase: TableView["phase"], ms: number, then: () => void): void {
    this.#phase = phase;
    this.#endsAt = Date.now() + ms;
    this.#timer = setTimeout(then, ms).unref();
  }
}
