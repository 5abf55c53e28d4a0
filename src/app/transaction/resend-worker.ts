import { keyText, type TxKey } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { TransactionStore } from "../../ports/transactions/transaction-store.ts";
import type { WalletPermits } from "../capacity/wallet-permits.ts";
import { Periodic } from "../runtime/periodic.ts";
import { ResendSlots } from "./resend-slots.ts";
import type { Transact } from "./transact.ts";

const LOOK_EVERY_MS = 100;
/** So often a look is for all merchants. The looks between are for those of whom more is due than the last one took. */
const ALL_EVERY_MS = 500;
/** Due rows taken of one merchant in one look: what a quarter of its places can carry. */
const PER_MERCHANT = 16;
/** Merchants asked for in one statement. */
const MERCHANTS_AT_ONCE = 64;
/** Resends under way at once, all merchants together, as a share of all transactions that may be: the bets' part stays far larger. */
const SLOTS_SHARE = 3 / 16;

/**
 * Sends pending wins and refunds again when they are due (docs/specification/resends.md#resend-credits). Any number of replicas may run it:
 * the take-over is the fence. Fair: a look takes a few of every merchant and waits for nobody's wallet; what it finds begins when its
 * merchant has a place and a slot. Gradual: at most 160 a second of a merchant, however long its backlog.
 */
export class ResendWorker {
  /** By key: what was found due may be found again until its take-over is written. */
  readonly #underWay = new Set<string>();
  /** What was found due and has not begun, by merchant. No list is empty. */
  readonly #waiting = new Map<number, TxKey[]>();
  /** Merchants with as many due credits as a look takes. */
  readonly #more = new Set<number>();
  #allAt = Number.NEGATIVE_INFINITY;
  #stopped = false;
  readonly #slots: ResendSlots;
  readonly #periodic: Periodic;
  readonly #store: TransactionStore;
  readonly #transact: Transact;
  readonly #merchantIds: () => readonly number[];
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #mayBegin: (merchantId: number) => boolean;

  /** @param maxInFlight - transactions that this replica takes at once, resends and all others together. */
  constructor(
    store: TransactionStore,
    transact: Transact,
    permits: WalletPermits,
    merchantIds: () => readonly number[],
    clock: Clock,
    random: Random,
    telemetry: Telemetry,
    maxInFlight: number,
  ) {
    this.#store = store;
    this.#transact = transact;
    this.#merchantIds = merchantIds;
    this.#clock = clock;
    this.#random = random;
    this.#slots = new ResendSlots(clock, Math.floor(maxInFlight * SLOTS_SHARE));
    this.#mayBegin = (merchantId) => permits.hasPermitForResend(merchantId);
    this.#periodic = new Periodic(
      clock,
      LOOK_EVERY_MS,
      () => this.#look(),
      (cause) => telemetry.error("looking for due credits", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  /** Takes up nothing new; what is under way ends by itself. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.#periodic.stop();
  }

  async #look(): Promise<void> {
    // Places may have become free since the last resend ended.
    this.#begin();
    const ids = await this.#whom();
    for (let from = 0; from < ids.length && !this.#stopped; from += MERCHANTS_AT_ONCE) {
      const asked = ids.slice(from, from + MERCHANTS_AT_ONCE);
      this.#found(asked, await this.#store.due(asked, PER_MERCHANT));
      this.#begin();
    }
  }

  /** Whom to ask for. Of a merchant whose last rows still wait more would only wait behind them. */
  async #whom(): Promise<readonly number[]> {
    const now = this.#clock.monotonic();
    if (now - this.#allAt < ALL_EVERY_MS) return [...this.#more].filter((id) => !this.#waiting.has(id));
    this.#allAt = now;
    const due = new Set(await this.#store.merchantsDue());
    return rotate(
      this.#merchantIds().filter((id) => due.has(id) && !this.#waiting.has(id)),
      this.#random.fraction(),
    );
  }

  #found(asked: readonly number[], keys: readonly TxKey[]): void {
    const lists = Map.groupBy(keys, (key) => key.merchantId);
    for (const id of asked) {
      const list = lists.get(id);
      if (list?.length === PER_MERCHANT) this.#more.add(id);
      else this.#more.delete(id);
      const fresh = list?.filter((key) => !this.#underWay.has(keyText(key))) ?? [];
      if (fresh.length > 0) this.#waiting.set(id, fresh);
    }
  }

  /** Begins whatever may begin. */
  #begin(): void {
    while (!this.#stopped) {
      const id = this.#slots.next(this.#waiting.keys(), this.#mayBegin);
      if (id === undefined) return;
      const [key, ...left] = this.#waiting.get(id) ?? [];
      // The merchant goes to the end: of two with as many slots the other one is next.
      this.#waiting.delete(id);
      if (left.length > 0) this.#waiting.set(id, left);
      if (key !== undefined) void this.#resend(key);
    }
  }

  async #resend(key: TxKey): Promise<void> {
    this.#underWay.add(keyText(key));
    const giveBack = this.#slots.take(key.merchantId);
    giveBack(await this.#transact.resend(key));
    this.#underWay.delete(keyText(key));
    this.#begin();
  }
}

/** The list from a random place on, so that replicas don't all begin with the same merchant. */
function rotate<T>(list: readonly T[], fraction: number): T[] {
  const at = Math.floor(fraction * list.length);
  return [...list.slice(at), ...list.slice(0, at)];
}
