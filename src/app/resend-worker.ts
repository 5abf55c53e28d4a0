import type { TxKey } from "../domain/identifiers.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import type { TransactionStore } from "../ports/transaction-store.ts";
import { Periodic } from "./periodic.ts";
import type { Transact } from "./transact.ts";

const SCAN_EVERY_MS = 500;
/** Due rows taken of one merchant in one scan: what a quarter of its places can carry. */
const PER_MERCHANT = 16;
/** Merchants asked for in one statement. */
const MERCHANTS_PER_SCAN = 64;
/** Resends under way at once, all merchants together. */
const CONCURRENT_MAX = 256;

/**
 * Sends pending wins and refunds again when they are due (service.md, Events). Any number of replicas may run it: the take-over is
 * the fence. Fair: each scan takes a few of every merchant, in turn.
 */
export class ResendWorker {
  readonly #underWay = new Set<Promise<void>>();
  readonly #periodic: Periodic;
  readonly #store: TransactionStore;
  readonly #transact: Transact;
  readonly #merchantIds: () => readonly number[];
  readonly #random: Random;

  constructor(store: TransactionStore, transact: Transact, merchantIds: () => readonly number[], clock: Clock, random: Random, telemetry: Telemetry) {
    this.#store = store;
    this.#transact = transact;
    this.#merchantIds = merchantIds;
    this.#random = random;
    this.#periodic = new Periodic(
      clock,
      SCAN_EVERY_MS,
      () => this.#scan(),
      (cause) => telemetry.error("looking for due credits", cause),
    );
  }

  start(): void {
    this.#periodic.start();
  }

  /** Takes up nothing new; what is under way ends by itself. */
  stop(): Promise<void> {
    return this.#periodic.stop();
  }

  async #scan(): Promise<void> {
    const ids = rotate(this.#merchantIds(), this.#random.fraction());
    for (let from = 0; from < ids.length; from += MERCHANTS_PER_SCAN) {
      const due = await this.#store.due(ids.slice(from, from + MERCHANTS_PER_SCAN), PER_MERCHANT);
      for (const key of inTurn(due)) {
        while (this.#underWay.size >= CONCURRENT_MAX) await Promise.race(this.#underWay);
        const resend = this.#transact.resend(key).finally(() => this.#underWay.delete(resend));
        this.#underWay.add(resend);
      }
    }
  }
}

/** The list from a random place on, so that replicas don't all begin with the same merchant. */
function rotate<T>(list: readonly T[], fraction: number): T[] {
  const at = Math.floor(fraction * list.length);
  return [...list.slice(at), ...list.slice(0, at)];
}

/** One of each merchant, then the next of each. */
function inTurn(keys: readonly TxKey[]): TxKey[] {
  const byMerchant = new Map<number, TxKey[]>();
  for (const key of keys) {
    const list = byMerchant.get(key.merchantId);
    if (list === undefined) byMerchant.set(key.merchantId, [key]);
    else list.push(key);
  }
  const lists = [...byMerchant.values()];
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
