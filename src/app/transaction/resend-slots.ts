import type { Clock } from "../../ports/clock.ts";

/** A resend that takes longer is slow, and so is its merchant until one takes less. */
const SLOW_MS = 1_000;
/** The slow merchants' part of all slots. The rest is for those whose wallets answer at once. */
const SLOW_SHARE = 2 / 3;

interface Merchant {
  held: number;
  pace: "unknown" | "quick" | "slow";
}

const NEW: Readonly<Merchant> = { held: 0, pace: "unknown" };

interface Slot {
  readonly merchant: Merchant;
  readonly since: number;
}

/**
 * How many resends may be under way at once, and whose is next: of the merchants that have something to send the one with the fewest slots.
 * A call to a silent wallet holds its slot for as long as the wallet's time-out. So the slow merchants, silent ones included, have slots of
 * their own, and leave the others to merchants whose wallets answer at once. Among either, a merchant takes one more only while it holds
 * fewer than are free: slots are always left for a merchant that holds none.
 */
export class ResendSlots {
  readonly #merchants = new Map<number, Merchant>();
  /** Both in the order in which they were taken. */
  readonly #quick = new Set<Slot>();
  readonly #slow = new Set<Slot>();
  readonly #clock: Clock;
  readonly #quickMax: number;
  readonly #slowMax: number;

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#slowMax = Math.max(1, Math.floor(max * SLOW_SHARE));
    this.#quickMax = Math.max(1, max - this.#slowMax);
  }

  /** Whose resend may begin now, of these merchants; undefined: nobody's. */
  next(merchantIds: Iterable<number>, mayBegin: (merchantId: number) => boolean): number | undefined {
    this.#findSlow();
    // Resends that have become slow may be more than the slow ones' slots. Then the others have fewer.
    const left = this.#quickMax + this.#slowMax - this.#quick.size - this.#slow.size;
    const [quickLeft, slowLeft] = [Math.min(left, this.#quickMax - this.#quick.size), Math.min(left, this.#slowMax - this.#slow.size)];
    if (quickLeft <= 0 && slowLeft <= 0) return undefined;
    // A merchant of whom nothing is known may be one of many whose wallets are silent: while slots are scarce it has one.
    const isScarce = this.#quick.size >= this.#quickMax / 8;
    let next: number | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const id of merchantIds) {
      const { held, pace } = this.#merchants.get(id) ?? NEW;
      if (held >= fewest || held >= (pace === "slow" ? slowLeft : quickLeft) || (pace === "unknown" && isScarce && held > 0) || !mayBegin(id)) continue;
      if (held === 0) return id;
      next = id;
      fewest = held;
    }
    return next;
  }

  /** Takes a slot. It is given back once, with whether the wallet was called: only then the time that it took tells anything. */
  take(merchantId: number): (called: boolean) => void {
    const merchant = this.#merchants.get(merchantId) ?? { ...NEW };
    this.#merchants.set(merchantId, merchant);
    const slot = { merchant, since: this.#clock.monotonic() };
    (merchant.pace === "slow" ? this.#slow : this.#quick).add(slot);
    merchant.held += 1;
    return (called) => {
      this.#findSlow();
      this.#quick.delete(slot);
      this.#slow.delete(slot);
      merchant.held -= 1;
      if (called) merchant.pace = this.#isSlow(slot) ? "slow" : "quick";
    };
  }

  /** Resends that have become slow go over to the slow ones' slots. */
  #findSlow(): void {
    for (const slot of this.#quick) {
      if (!this.#isSlow(slot)) break;
      this.#quick.delete(slot);
      this.#slow.add(slot);
      slot.merchant.pace = "slow";
    }
  }

  #isSlow({ since }: Slot): boolean {
    return this.#clock.monotonic() - since >= SLOW_MS;
  }
}
