import { randomInt } from "node:crypto";
import { freshId, type GameSession, type PlacedBet } from "./game-session.ts";
import { type Grid, LINES, spin, winsOf } from "./slot.ts";
import type { WalletAnswer } from "./wallet-client.ts";

/** A pending bet is refunded after this time without a decision of the player, because the player may have left. */
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
  /** The wallet has not answered, so the round has not begun. The player may repeat the bet or have it refunded. */
  | { readonly outcome: "pending"; readonly betMinor: number; readonly undecidedMs: number }
  | { readonly outcome: "refused"; readonly error: string };

interface ShownWin {
  readonly line: number;
  /** The line's row on each reel, from the left. */
  readonly rows: readonly number[];
  readonly symbol: number;
  readonly amountMinor: number;
}

/** The slot rounds of one session, one at a time. */
export class SlotRounds {
  readonly #session: GameSession;
  readonly #undecidedMs: number;
  #draw: () => Grid = fairGrid;
  #pending: { readonly bet: PlacedBet; readonly timer: NodeJS.Timeout } | undefined;
  #payout: { readonly round: string; readonly answer: Promise<WalletAnswer> } | undefined;

  constructor(session: GameSession, undecidedMs = UNDECIDED_MS) {
    this.#session = session;
    this.#undecidedMs = undecidedMs;
  }

  get busy(): boolean {
    return this.#pending !== undefined;
  }

  async spin(betMinor: number, draw: () => Grid = fairGrid): Promise<SpinResult> {
    this.#draw = draw;
    return this.#begin(await this.#session.placeBet(freshId("round"), betMinor));
  }

  /** Repeats the pending bet. */
  async repeat(): Promise<SpinResult> {
    const bet = this.#take();
    return bet === undefined
      ? { outcome: "refused", error: "NOTHING_PENDING" }
      : this.#begin(await this.#session.repeatBet(bet));
  }

  /** Refunds the pending bet. */
  async giveBack(): Promise<WalletAnswer | undefined> {
    const bet = this.#take();
    return bet === undefined ? undefined : this.#session.refund(bet);
  }

  /** The answer to the payment of a round's win; undefined: the round has no win. */
  payout(round: string): Promise<WalletAnswer> | undefined {
    return this.#payout?.round === round ? this.#payout.answer : undefined;
  }

  #begin(bet: PlacedBet): SpinResult {
    const { status, error, balanceMinor } = bet.answer;
    const betMinor = bet.request.amount_minor;
    if (status === "pending" || status === "lost") {
      const timer = setTimeout(() => void this.giveBack(), this.#undecidedMs).unref();
      this.#pending = { bet, timer };
      return { outcome: "pending", betMinor, undecidedMs: this.#undecidedMs };
    }
    if (status !== "success") return { outcome: "refused", error };
    const round = bet.request.round_id;
    const grid = this.#draw();
    const wins = winsOf(grid).map(({ line, symbol, count, tenths }) => ({
      line,
      symbol,
      rows: (LINES[line] ?? []).slice(0, count),
      amountMinor: (betMinor * tenths) / 10,
    }));
    const winMinor = wins.reduce((sum, win) => sum + win.amountMinor, 0);
    // The win is paid while the reels turn. The page requests the result of the payment when the reels stop.
    this.#payout = this.#session.pays(winMinor)
      ? { round, answer: this.#session.payWin(round, winMinor).then((win) => win.answer) }
      : undefined;
    return { outcome: "spun", round, grid, wins, winMinor, balanceMinor };
  }

  #take(): PlacedBet | undefined {
    const bet = this.#pending?.bet;
    clearTimeout(this.#pending?.timer);
    this.#pending = undefined;
    return bet;
  }
}

const fairGrid = (): Grid => spin(randomInt);
