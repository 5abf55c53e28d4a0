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
/**
 * The time between two scans of all merchants for due credits. The scans between them are only for merchants that had
 * more due credits than the last scan read.
 */
const ALL_EVERY_MS = 500;
/** The number of due rows that one scan reads for a merchant: a quarter of a merchant's permits by default. */
const PER_MERCHANT = 16;
/** The number of merchants whose due rows are read in one statement. */
const MERCHANTS_AT_ONCE = 64;
/**
 * The share of a replica's concurrent transactions that may be resends, for all merchants together. Bets have a far
 * larger share.
 */
const SLOTS_SHARE = 3 / 16;

/**
 * Sends pending wins and refunds again when they are due (docs/specification/resends.md#resend-credits). Any number of
 * replicas may run this worker, because only one process can take a row over. The worker is fair: a scan reads a few
 * rows of every merchant and waits for no wallet. A row's resend begins when its merchant has a permit and a slot. The
 * worker sends at most 160 resends a second per merchant, however many are due.
 */
export class ResendWorker {
  /** Keys of the resends in progress. A scan may find such a row again until its take-over is written. */
  readonly #inProgress = new Set<string>();
  /** Due rows whose resend has not begun, by merchant. No list is empty. */
  readonly #waiting = new Map<number, TxKey[]>();
  /** Merchants with at least as many due rows as a scan reads. */
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

  /** @param maxInFlight - the maximum of transactions in progress on this replica, resends included. */
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

  /** Starts no further resend. Resends in progress go on, and the promise does not wait for them. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.#periodic.stop();
  }

  async #look(): Promise<void> {
    // Permits may have become free since the last resend ended.
    this.#begin();
    const ids = await this.#merchantsToRead();
    for (let from = 0; from < ids.length && !this.#stopped; from += MERCHANTS_AT_ONCE) {
      const merchantIds = ids.slice(from, from + MERCHANTS_AT_ONCE);
      this.#found(merchantIds, await this.#store.due(merchantIds, PER_MERCHANT));
      this.#begin();
    }
  }

  /**
   * The merchants whose due rows are read next. A merchant whose last rows still wait is left out, because further rows
   * would only wait too.
   */
  async #merchantsToRead(): Promise<readonly number[]> {
    const now = this.#clock.monotonic();
    if (now - this.#allAt < ALL_EVERY_MS) return [...this.#more].filter((id) => !this.#waiting.has(id));
    this.#allAt = now;
    const due = new Set(await this.#store.merchantsDue());
    return rotate(
      this.#merchantIds().filter((id) => due.has(id) && !this.#waiting.has(id)),
      this.#random.fraction(),
    );
  }

  #found(merchantIds: readonly number[], keys: readonly TxKey[]): void {
    const lists = Map.groupBy(keys, (key) => key.merchantId);
    for (const id of merchantIds) {
      const list = lists.get(id);
      if (list?.length === PER_MERCHANT) this.#more.add(id);
      else this.#more.delete(id);
      const fresh = list?.filter((key) => !this.#inProgress.has(keyText(key))) ?? [];
      if (fresh.length > 0) this.#waiting.set(id, fresh);
    }
  }

  /** Begins every resend that may begin now. */
  #begin(): void {
    while (!this.#stopped) {
      const id = this.#slots.next(this.#waiting.keys(), this.#mayBegin);
      if (id === undefined) return;
      const [key, ...rest] = this.#waiting.get(id) ?? [];
      // The merchant moves to the end, so that of two merchants with equally many slots the other merchant is next.
      this.#waiting.delete(id);
      if (rest.length > 0) this.#waiting.set(id, rest);
      if (key !== undefined) void this.#resend(key);
    }
  }

  async #resend(key: TxKey): Promise<void> {
    this.#inProgress.add(keyText(key));
    const giveBack = this.#slots.take(key.merchantId);
    giveBack(await this.#transact.resend(key));
    this.#inProgress.delete(keyText(key));
    this.#begin();
  }
}

/** The list rotated by a random number, so that replicas do not all begin with the same merchant. */
function rotate<T>(list: readonly T[], fraction: number): T[] {
  const at = Math.floor(fraction * list.length);
  return [...list.slice(at), ...list.slice(0, at)];
}
