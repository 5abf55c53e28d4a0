import { randomInt } from "node:crypto";
import { freshId, type PlacedBet, type Seat } from "./seat.ts";
import { type Grid, LINES, spin, winsOf } from "./slot.ts";
import type { WalletAnswer } from "./wallet-client.ts";

/** A bet that nobody decides about is given back after this long: a player may have left. */
const UNDECIDED_MS = 20_000;

export type SpinResult =
  | {
      readonly outcome: "spun";
      readonly round: string;
      readonly grid: Grid;
      readonly wins: readonly ShownWin[];
      readonly winMinor: number;
      readonly balanceMinor: number | null;
    }
  /** The wallet has not answered: the round has not begun. Repeat the bet or give it back. */
  | { readonly outcome: "pending"; readonly betMinor: number; readonly undecidedMs: number }
  | { readonly outcome: "refused"; readonly error: string };

interface ShownWin {
  readonly line: number;
  /** The row on each reel, from the left. */
  readonly rows: readonly number[];
  readonly symbol: number;
  readonly amountMinor: number;
}

/** The slot rounds of one seat, one at a time. */
export class SlotRounds {
  readonly #seat: Seat;
  #pending: { readonly bet: PlacedBet; readonly timer: NodeJS.Timeout } | undefined;
  #payout: { readonly round: string; readonly answer: Promise<WalletAnswer> } | undefined;

  constructor(seat: Seat) {
    this.#seat = seat;
  }

  get busy(): boolean {
    return this.#pending !== undefined;
  }

  async spin(betMinor: number): Promise<SpinResult> {
    return this.#begin(await this.#seat.placeBet(freshId("round"), betMinor));
  }

  /** The pending bet once more. */
  async repeat(): Promise<SpinResult> {
    const bet = this.#take();
    return bet === undefined ? { outcome: "refused", error: "NOTHING_PENDING" } : this.#begin(await this.#seat.repeatBet(bet));
  }

  /** The pending bet back to the player. */
  async giveBack(): Promise<WalletAnswer | undefined> {
    const bet = this.#take();
    return bet === undefined ? undefined : this.#seat.refund(bet);
  }

  /** What became of the win of a round; undefined when it has none. */
  payout(round: string): Promise<WalletAnswer> | undefined {
    return this.#payout?.round === round ? this.#payout.answer : undefined;
  }

  #begin(bet: PlacedBet): SpinResult {
    const { status, error, balanceMinor } = bet.answer;
    const betMinor = bet.request.amount_minor;
    // A refused bet that may be sent again is no different from a pending one: its outcome isn't known.
    if (status === "pending" || status === "lost" || (status === "refused" && UNKNOWN.has(error))) {
      const timer = setTimeout(() => void this.giveBack(), UNDECIDED_MS).unref();
      this.#pending = { bet, timer };
      return { outcome: "pending", betMinor, undecidedMs: UNDECIDED_MS };
    }
    if (status !== "success") return { outcome: "refused", error };
    const round = bet.request.round_id;
    const grid = spin(randomInt);
    const wins = winsOf(grid).map(({ line, symbol, count, tenths }) => ({
      line,
      symbol,
      rows: (LINES[line] ?? []).slice(0, count),
      amountMinor: (betMinor * tenths) / 10,
    }));
    const winMinor = wins.reduce((sum, win) => sum + win.amountMinor, 0);
    // Paid while the reels turn; the page asks for the answer when they stand.
    this.#payout = winMinor > 0 ? { round, answer: this.#seat.payWin(round, winMinor).then((win) => win.answer) } : undefined;
    return { outcome: "spun", round, grid, wins, winMinor, balanceMinor };
  }

  #take(): PlacedBet | undefined {
    const bet = this.#pending?.bet;
    clearTimeout(this.#pending?.timer);
    this.#pending = undefined;
    return bet;
  }
}

/** Errors after which the bet may have been recorded. */
const UNKNOWN: ReadonlySet<string> = new Set(["DEADLINE_EXCEEDED", "UNAVAILABLE", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"]);
