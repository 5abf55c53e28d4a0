import { randomInt } from "node:crypto";
import { freshId, type GameSession, type PlacedBet } from "./game-session.ts";
import { type Grid, LINES, spin, winsOf } from "./slot.ts";
import type { Labels, WalletAnswer } from "./wallet-client.ts";

/** A pending bet is refunded after this time without a decision of the player, because the player may have left. */
const UNDECIDED_MS = 20_000;
/** The feature: free spins with doubled wins. So it returns as much of its price as a spin. */
export const FEATURE = { spins: 5, factor: 2, price: 10 } as const;
/** The jackpot falls by chance once in so many spins, and pays so many bets. */
const JACKPOT = { odds: 10_000, bets: 200, label: { id: "aurora-sky", tier: "grand" } } as const;

export type SpinResult =
  | {
      readonly outcome: "spun";
      readonly round: string;
      /** One spin, or the free spins of the feature. */
      readonly spins: readonly { readonly grid: Grid; readonly wins: readonly ShownWin[] }[];
      /** All wins of the round, with the jackpot. */
      readonly winMinor: number;
      /** 0: the jackpot has not fallen. */
      readonly jackpotMinor: number;
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
  /** Draws the symbols of the running round's spins. */
  #draw: () => Grid = fairGrid;
  #pending: { readonly bet: PlacedBet; readonly timer: NodeJS.Timeout } | undefined;
  #payout: { readonly round: string; readonly answer: Promise<WalletAnswer | undefined> } | undefined;

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

  /** Buys the feature for this bet. */
  async buyFeature(betMinor: number): Promise<SpinResult> {
    this.#draw = fairGrid;
    const price = betMinor * FEATURE.price;
    return this.#begin(await this.#session.placeBet(freshId("round"), price, { kind: "feature_buy" }));
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
    if (bet === undefined) return undefined;
    const answer = await this.#session.refund(bet);
    // A failed refund is the refund of a bet that was not taken: it has opened no round.
    if (answer.status !== "failed") await this.#session.endRound(bet.request.round_id);
    return answer;
  }

  /** The answer to the payment of a round's wins; undefined: the round has no win. */
  payout(round: string): Promise<WalletAnswer | undefined> | undefined {
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
    const isFeature = bet.request.kind === "feature_buy";
    const stakeMinor = isFeature ? betMinor / FEATURE.price : betMinor;
    const spins = Array.from({ length: isFeature ? FEATURE.spins : 1 }, () =>
      played(this.#draw(), isFeature ? stakeMinor * FEATURE.factor : stakeMinor),
    );
    const winMinor = spins.flatMap(({ wins }) => wins).reduce((sum, win) => sum + win.amountMinor, 0);
    const jackpotMinor = this.#jackpotFalls() ? stakeMinor * JACKPOT.bets : 0;
    // The wins are paid while the reels turn. The page requests the result of the payment when the reels stop.
    this.#payout = {
      round,
      answer: this.#pay(round, winMinor, jackpotMinor, isFeature ? { kind: "free_rounds" } : {}),
    };
    return { outcome: "spun", round, spins, winMinor: winMinor + jackpotMinor, jackpotMinor, balanceMinor };
  }

  #jackpotFalls(): boolean {
    const session = this.#session;
    if (!session.isOwn) return false;
    const falls = session.jackpotNext || (this.#draw === fairGrid && randomInt(JACKPOT.odds) === 0);
    session.jackpotNext = false;
    return falls;
  }

  /** Pays the wins of a round and ends it. Resolves to the first answer that is no success, or else to the last. */
  async #pay(round: string, winMinor: number, jackpotMinor: number, labels: Labels): Promise<WalletAnswer | undefined> {
    const session = this.#session;
    const staysOpen = session.leaveNextOpen;
    session.leaveNextOpen = false;
    if (staysOpen) session.openRound = round;
    const answers: WalletAnswer[] = [];
    const pay = async (minor: number, more: Labels) =>
      void answers.push((await session.payWin(round, minor, more)).answer);
    if (jackpotMinor > 0) await pay(jackpotMinor, { kind: "jackpot", jackpot: JACKPOT.label });
    if (session.pays(winMinor)) await pay(winMinor, { ...labels, ...(!staysOpen && { round_ended: true }) });
    else if (!staysOpen) await session.endRound(round);
    return answers.find(({ status }) => status !== "success") ?? answers.at(-1);
  }

  #take(): PlacedBet | undefined {
    const bet = this.#pending?.bet;
    clearTimeout(this.#pending?.timer);
    this.#pending = undefined;
    return bet;
  }
}

/** A grid with its wins. `betMinor`: the bet of which the lines pay tenths. */
const played = (grid: Grid, betMinor: number) => ({
  grid,
  wins: winsOf(grid).map(({ line, symbol, count, tenths }) => ({
    line,
    symbol,
    rows: (LINES[line] ?? []).slice(0, count),
    amountMinor: (betMinor * tenths) / 10,
  })),
});

const fairGrid = (): Grid => spin(randomInt);
