import type { Clock } from "../../ports/clock.ts";

/** A resend that takes longer than this is slow. Its merchant is slow until one of its resends takes less time. */
const SLOW_MS = 1_000;
/** The share of all slots that slow merchants may use. The rest is for merchants whose wallets answer quickly. */
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
 * Limits how many resends may be in progress at once: each resend holds a slot. Also chooses the merchant of the next
 * resend. This is the merchant with the fewest slots among the merchants that have credits to send
 * (docs/specification/resends.md#resend-fair). A call to a silent wallet holds its slot for the whole time-out. So slow
 * merchants, also those with silent wallets, have their own slots. The other slots are for merchants whose wallets
 * answer quickly. A merchant may take one more slot of its kind only while it holds fewer slots than are free. So a
 * merchant without a slot can always get one.
 */
export class ResendSlots {
  readonly #merchants = new Map<number, Merchant>();
  /** Slots in the order in which they were taken. */
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

  /** The merchant of `merchantIds` whose resend may begin now; undefined: no resend may begin. */
  next(merchantIds: Iterable<number>, mayBegin: (merchantId: number) => boolean): number | undefined {
    this.#findSlow();
    // Resends can become slow while they run, so slow merchants may hold more slots than their share. Then fewer slots
    // are left for the others.
    const left = this.#quickMax + this.#slowMax - this.#quick.size - this.#slow.size;
    const [quickLeft, slowLeft] = [
      Math.min(left, this.#quickMax - this.#quick.size),
      Math.min(left, this.#slowMax - this.#slow.size),
    ];
    if (quickLeft <= 0 && slowLeft <= 0) return undefined;
    // If it is not known how fast a merchant's wallet answers, the wallet may be silent, and there may be many such
    // wallets. So this merchant gets only one slot while few slots are free.
    const isScarce = this.#quick.size >= this.#quickMax / 8;
    let next: number | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const id of merchantIds) {
      const { held, pace } = this.#merchants.get(id) ?? NEW;
      if (
        held >= fewest ||
        held >= (pace === "slow" ? slowLeft : quickLeft) ||
        (pace === "unknown" && isScarce && held > 0) ||
        !mayBegin(id)
      )
        continue;
      if (held === 0) return id;
      next = id;
      fewest = held;
    }
    return next;
  }

  /**
   * Takes a slot. Call the returned function once to release the slot. `called` is whether the wallet was called: only
   * then does the duration show how fast the wallet answers.
   */
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

  /** Moves resends that have become slow to the slots of slow merchants. */
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
