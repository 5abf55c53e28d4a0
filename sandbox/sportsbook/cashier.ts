/** Keeps the players' bets and balances, and settles decided bets. */
import { type Bet, winTx } from "./bet.ts";
import type { Book } from "./model/book.ts";
import { betResult, payoutMinor } from "./model/payout.ts";
import { type MoneyReply, ServiceRefusal, type SportsbookClient } from "./service-client.ts";

const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 60_000;
const SHOWN_MAX = 100;

export class Cashier {
  readonly #client: SportsbookClient;
  readonly #book: Book;
  readonly #bets = new Map<string, Bet[]>();
  readonly #open = new Set<Bet>();
  readonly #balances = new Map<string, bigint>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(client: SportsbookClient, book: Book) {
    this.#client = client;
    this.#book = book;
  }

  add(bets: readonly Bet[]): void {
    for (const bet of bets) {
      this.#bets.set(bet.player, [bet, ...(this.#bets.get(bet.player) ?? [])]);
      this.#open.add(bet);
    }
  }

  /** A player's bets, newest first. */
  betsOf(player: string): readonly Bet[] {
    return (this.#bets.get(player) ?? []).slice(0, SHOWN_MAX);
  }

  /** The last balance that the wallet reported; null: it has reported none. */
  balanceOf(player: string): bigint | null {
    return this.#balances.get(player) ?? null;
  }

  setBalance(player: string, balanceMinor: bigint | null): void {
    if (balanceMinor !== null) this.#balances.set(player, balanceMinor);
  }

  /** Settles every open bet that is decided: by a lost leg, or when the last leg is decided. */
  settle(): void {
    for (const bet of this.#open) {
      if (bet.state === "rejected" || bet.state === "settled") this.#open.delete(bet);
      if (bet.state === "open") this.#judge(bet);
    }
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #judge(bet: Bet): void {
    for (const leg of bet.legs) {
      const decided = leg.outcome === null ? this.#book.outcome(leg.selection) : undefined;
      if (decided === undefined) continue;
      leg.outcome = decided.outcome;
      leg.score = `${decided.score.home}:${decided.score.away}`;
    }
    const outcomes = bet.legs.map(({ outcome }) => outcome);
    if (outcomes.includes(null) && !outcomes.includes("lost")) return;
    const legs = bet.legs.map(({ odds, outcome }) => ({ odds, outcome: outcome ?? "void" }));
    bet.result = betResult(legs);
    bet.returnMinor = payoutMinor(bet.stakeMinor, legs);
    bet.state = "settled";
    this.#open.delete(bet);
    // A bet that is won, partly returned or void is paid by a win. For a lost bet nothing is sent.
    if (bet.returnMinor > 0n) {
      bet.paying = true;
      this.#pay(bet, PAUSE_MS_MIN);
    }
  }

  /**
   * Repeats a win under the same id until the wallet has accepted it. The service would also deliver the win by itself,
   * but then this program would not get the balance.
   */
  #pay(bet: Bet, pause: number): void {
    const win = {
      player_ref: bet.player,
      tx_id: winTx(bet),
      round_id: bet.id,
      amount_minor: String(bet.returnMinor),
      currency: bet.currency,
    };
    const again = (): void => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#pay(bet, Math.min(pause * 2, PAUSE_MS_MAX));
      }, pause);
      this.#timers.add(timer);
    };
    const paid = ({ status, balanceMinor }: MoneyReply): void => {
      if (status !== "success") return again();
      bet.paying = false;
      // The reply to a repeat has the balance of the first reply, which may be older than the known balance.
      if (pause === PAUSE_MS_MIN) this.setBalance(bet.player, balanceMinor);
      else
        void this.#client
          .getBalance({ player_ref: bet.player })
          .then((now) => this.setBalance(bet.player, now.balanceMinor), console.error);
    };
    this.#client.payWin(win).then(paid, (error: unknown) => {
      if (error instanceof ServiceRefusal && !error.again)
        console.error(`the win of bet ${bet.id} was refused: ${error.code}`);
      else again();
    });
  }
}
