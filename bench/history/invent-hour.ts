import { ACTION, STATUS } from "../../src/adapters/sql/schema/codes.ts";
import { SeededRandom } from "../../testbed/seeded-random.ts";
import { busyness, DAY_MS, type HistoryPlan, HOUR_MS, type PlannedGame, type PlannedMerchant } from "./plan.ts";

/** A transaction of the generator. */
export interface InventedRow {
  readonly at: number;
  readonly merchantId: number;
  readonly game: PlannedGame;
  readonly txId: string;
  readonly roundId: string;
  readonly playerId: string;
  readonly action: number;
  readonly status: number;
  readonly amountMinor: number;
  readonly refTxId: string | null;
  readonly reversedBy: string | null;
}

const WINS = 0.36;
const REFUNDS = 0.01;
const ROLLBACKS = 0.002;
const FAILED_BETS = 0.03;
const PENDING = 0.000_5;
const VOID = 0.000_1;
/** The service no longer resends credits older than this, so the resend worker ignores them. */
const HORIZON_MS = 4 * DAY_MS;

/** Generates a history hour by hour, in order of time. */
export class Inventor {
  readonly #plan: HistoryPlan;
  readonly #random: SeededRandom;
  /** The expected transactions that each merchant does not have yet. */
  readonly #remaining: number[];
  #serial = 0;

  constructor(plan: HistoryPlan) {
    this.#plan = plan;
    this.#random = new SeededRandom(plan.seed);
    this.#remaining = plan.merchants.map(() => 0);
  }

  /** The transactions of the hour, sorted by time. */
  hour(hour: number): InventedRow[] {
    const rows: InventedRow[] = [];
    for (const [i, merchant] of this.#plan.merchants.entries()) {
      if (hour < merchant.from) continue;
      let remaining = (this.#remaining[i] ?? 0) + merchant.perHour * busyness(hour);
      while (remaining >= 1) remaining -= this.#round(merchant, hour, rows);
      this.#remaining[i] = remaining;
    }
    return rows.sort((a, b) => a.at - b.at);
  }

  /** Adds a bet and the transactions that follow it. Returns the number of new rows. */
  #round(merchant: PlannedMerchant, hour: number, rows: InventedRow[]): number {
    const random = this.#random;
    const before = rows.length;
    // The transactions after a bet come within a minute, so all transactions of a round are in the same hour.
    const at = hour + random.int(0, HOUR_MS - 60_000);
    // A few games and players have most of the transactions.
    const game = pickOf(this.#plan.games, random.fraction() ** 2);
    const playerId = `u-${Math.floor(merchant.players * random.fraction() ** 2)}`;
    const roundId = `r-${this.#id()}`;
    const common = { merchantId: merchant.id, game, playerId, roundId };
    const row = (more: Pick<InventedRow, "at" | "action" | "amountMinor"> & Partial<InventedRow>): InventedRow => ({
      ...common,
      txId: this.#txId(game),
      status: STATUS.success,
      refTxId: null,
      reversedBy: null,
      ...more,
    });
    const amountMinor = random.int(20, 5_000);
    const bet = row({ at, action: ACTION.bet, amountMinor, status: this.#betStatus() });
    if (bet.status !== STATUS.success) return rows.push(bet) - before;

    if (random.chance(REFUNDS)) {
      const refund = row({ at: at + random.int(500, 20_000), action: ACTION.refund, amountMinor, refTxId: bet.txId });
      rows.push({ ...bet, reversedBy: refund.txId }, refund);
      return rows.length - before;
    }
    rows.push(bet);
    if (random.chance(WINS)) this.#win(row, at + random.int(800, 30_000), random.int(20, 14_000), rows);
    if (random.chance(VOID))
      rows.push(
        row({ at: at + 1_000, action: ACTION.refund, amountMinor, status: STATUS.void, refTxId: this.#txId(game) }),
      );
    return rows.length - before;
  }

  #win(
    row: (more: Pick<InventedRow, "at" | "action" | "amountMinor"> & Partial<InventedRow>) => InventedRow,
    at: number,
    amountMinor: number,
    rows: InventedRow[],
  ) {
    const random = this.#random;
    const isPending = at < this.#plan.until - HORIZON_MS && random.chance(PENDING);
    const win = row({ at, action: ACTION.win, amountMinor, status: isPending ? STATUS.pending : STATUS.success });
    if (isPending || !random.chance(ROLLBACKS)) {
      rows.push(win);
      return;
    }
    const rollback = row({ at: at + random.int(500, 20_000), action: ACTION.rollback, amountMinor, refTxId: win.txId });
    rows.push({ ...win, reversedBy: rollback.txId }, rollback);
  }

  #betStatus(): number {
    const at = this.#random.fraction();
    return at < FAILED_BETS ? STATUS.failed : at < FAILED_BETS + PENDING ? STATUS.pending : STATUS.success;
  }

  #txId(game: PlannedGame): string {
    return `${game.provider}:${this.#id()}`;
  }

  /** A different id each time. The ids have no order, like providers' ids. */
  #id(): string {
    const n = ++this.#serial;
    return `${(Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}-${Math.floor(n / 2 ** 32).toString(16)}c0ffee`;
  }
}

function pickOf<T>(list: readonly T[], share: number): T {
  const one = list[Math.floor(list.length * share)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}
