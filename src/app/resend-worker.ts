import { keyText, type TxKey } from "../domain/identifiers.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { TransactionStore } from "../ports/transaction-store.ts";
import { Periodic } from "./periodic.ts";
import type { Transact } from "./transact.ts";

const LOOK_EVERY_MS = 100;
/** So often a look is at every merchant, the others only at those of whom more is due than the last one took. */
const ALL_EVERY_MS = 500;
/** Due rows taken of one merchant in one look: what a quarter of its places can carry. */
const PER_MERCHANT = 16;
/** Merchants asked for in one statement. */
const MERCHANTS_AT_ONCE = 64;
/** Resends under way at once, all merchants together. */
const CONCURRENT_MAX = 256;

/**
 * Sends pending wins and refunds again when they are due (service.md, Events). Any number of replicas may run it: the take-over is
 * the fence. Fair: each look takes a few of every merchant, in turn. Gradual: at most 160 a second of a merchant, however long its backlog.
 */
export class ResendWorker {
  /** By key: what was found due may be found again until its take-over is written. */
  readonly #underWay = new Map<string, Promise<void>>();
  #allAt = Number.NEGATIVE_INFINITY;
  /** Merchants with as many due credits as a look takes, and places for all of them. */
  readonly #more = new Set<number>();
  #stopped = false;
  readonly #periodic: Periodic;
  readonly #store: TransactionStore;
  readonly #transact: Transact;
  readonly #merchantIds: () => readonly number[];
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(store: TransactionStore, transact: Transact, merchantIds: () => readonly number[], clock: Clock, random: Random, telemetry: Telemetry) {
    this.#store = store;
    this.#transact = transact;
    this.#merchantIds = merchantIds;
    this.#clock = clock;
    this.#random = random;
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
    const ids = this.#whom();
    this.#more.clear();
    for (let from = 0; from < ids.length && !this.#stopped; from += MERCHANTS_AT_ONCE) {
      const due = byMerchant(await this.#store.due(ids.slice(from, from + MERCHANTS_AT_ONCE), PER_MERCHANT));
      for (const [merchantId, keys] of due) if (keys.length === PER_MERCHANT) this.#more.add(merchantId);
      for (const key of inTurn([...due.values()])) {
        while (this.#underWay.size >= CONCURRENT_MAX) await Promise.race(this.#underWay.values());
        if (this.#stopped) return;
        if (!this.#underWay.has(keyText(key))) this.#underWay.set(keyText(key), this.#resend(key));
      }
    }
  }

  /** By time, not by count: a look takes as long as its slowest wallets when everything is under way. */
  #whom(): readonly number[] {
    const now = this.#clock.monotonic();
    if (now - this.#allAt < ALL_EVERY_MS) return [...this.#more];
    this.#allAt = now;
    return rotate(this.#merchantIds(), this.#random.fraction());
  }

  async #resend(key: TxKey): Promise<void> {
    // One without a free place, dead or slow, gains nothing by being looked at sooner.
    if (!(await this.#transact.resend(key))) this.#more.delete(key.merchantId);
    this.#underWay.delete(keyText(key));
  }
}

/** The list from a random place on, so that replicas don't all begin with the same merchant. */
function rotate<T>(list: readonly T[], fraction: number): T[] {
  const at = Math.floor(fraction * list.length);
  return [...list.slice(at), ...list.slice(0, at)];
}

function byMerchant(keys: readonly TxKey[]): Map<number, TxKey[]> {
  const lists = new Map<number, TxKey[]>();
  for (const key of keys) {
    const list = lists.get(key.merchantId);
    if (list === undefined) lists.set(key.merchantId, [key]);
    else list.push(key);
  }
  return lists;
}

/** One of each list, then the next of each. */
function inTurn(lists: readonly TxKey[][]): TxKey[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
