import type { Clock } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";

/** Who asks for a place. Credits go first, the worker's resends last and never wait. */
export type PermitClass = "credit" | "debit" | "balance" | "resend";

/** The right to one wallet call. Give it back exactly once. */
export interface Permit {
  release(): void;
}

const QUEUE_MAX = 64;
const WAIT_MAX_MS = 2_000;
/** A caller needs its last half second for the claim, the call and the answer. */
const DEADLINE_RESERVE_MS = 500;
const SILENCES_TO_OPEN = 10;
const OPEN_LIMIT = 4;
const DOUBLING_MS = 1_000;

interface Waiter {
  readonly grant: (permit: Permit | undefined) => void;
}

interface MerchantPermits {
  readonly merchantId: number;
  /** Places this merchant has now, while its wallet is (or was just) silent; null: all that it may have. */
  limit: number | null;
  held: number;
  heldByResends: number;
  silences: number;
  /** When the limit last doubled, or the first answer after an opening came; undefined while no answer came. */
  growingSince: number | undefined;
  readonly waiting: Record<Exclude<PermitClass, "resend">, Waiter[]>;
}

/**
 * Whose wallet call may start: places per merchant, one bounded queue each, and a circuit breaker that shrinks a silent merchant to
 * a few places, so that a slow or dead wallet never slows another merchant (docs/specification/capacity.md#cap-permits). Per replica.
 */
export class WalletPermits {
  readonly #merchants = new Map<number, MerchantPermits>();
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #perMerchant: number;
  readonly #ownLimit: (merchantId: number) => number | undefined;

  /** @param own - a merchant's own number of places, asked each time; undefined: `perMerchant`. */
  constructor(clock: Clock, telemetry: Telemetry, perMerchant: number, own: (merchantId: number) => number | undefined = () => undefined) {
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#perMerchant = perMerchant;
    this.#ownLimit = own;
  }

  /**
   * A place, or `undefined` when there is none in time: the queue is full, 2 s passed, or the caller's last 500 ms began.
   *
   * @param deadline - when the caller stops waiting, by Clock.monotonic().
   */
  take(merchantId: number, kind: PermitClass, deadline: number): Permit | undefined | Promise<Permit | undefined> {
    const merchant = this.#stateOf(merchantId);
    if (this.#isFree(merchant, kind)) return this.#grant(merchant, kind);
    if (kind === "resend") return undefined;
    const waitMs = Math.min(WAIT_MAX_MS, deadline - this.#clock.monotonic() - DEADLINE_RESERVE_MS);
    if (waitMs <= 0 || queueLength(merchant) >= QUEUE_MAX) return undefined;
    return new Promise((resolve) => {
      const queue = merchant.waiting[kind];
      const cancel = this.#clock.after(waitMs, () => {
        queue.splice(queue.indexOf(waiter), 1);
        resolve(undefined);
      });
      const waiter: Waiter = {
        grant: (permit) => {
          cancel();
          resolve(permit);
        },
      };
      queue.push(waiter);
    });
  }

  /** Whether a resend would get a place now. */
  hasPermitForResend(merchantId: number): boolean {
    return this.#isFree(this.#stateOf(merchantId), "resend");
  }

  /** The merchant's wallet gave an answer, whatever it was. */
  answered(merchantId: number): void {
    const merchant = this.#stateOf(merchantId);
    merchant.silences = 0;
    if (merchant.limit === null) return;
    const now = this.#clock.monotonic();
    merchant.growingSince ??= now;
    if (now - merchant.growingSince < DOUBLING_MS) return;
    merchant.growingSince = now;
    merchant.limit = merchant.limit * 2 < this.#fullLimit(merchant) ? merchant.limit * 2 : null;
    this.#serve(merchant);
  }

  /** The merchant's wallet gave no answer. */
  silent(merchantId: number): void {
    const merchant = this.#stateOf(merchantId);
    merchant.silences += 1;
    if (merchant.silences < SILENCES_TO_OPEN) return;
    if (merchant.silences === SILENCES_TO_OPEN && merchant.limit === null) this.#telemetry.alert("breaker_open", { merchant_id: merchantId });
    merchant.limit = OPEN_LIMIT;
    merchant.growingSince = undefined;
  }

  /** Merchants whose places are limited because their wallet is silent, with what they have. */
  limited(): { merchantId: number; limit: number }[] {
    return [...this.#merchants.values()]
      .filter(({ limit }) => limit !== null)
      .map((merchant) => ({ merchantId: merchant.merchantId, limit: this.#limit(merchant) }));
  }

  #fullLimit(merchant: MerchantPermits): number {
    return this.#ownLimit(merchant.merchantId) ?? this.#perMerchant;
  }

  #limit(merchant: MerchantPermits): number {
    const most = this.#fullLimit(merchant);
    return merchant.limit === null ? most : Math.min(merchant.limit, most);
  }

  #stateOf(merchantId: number): MerchantPermits {
    let merchant = this.#merchants.get(merchantId);
    if (merchant === undefined) {
      merchant = { merchantId, limit: null, held: 0, heldByResends: 0, silences: 0, growingSince: undefined, waiting: { credit: [], debit: [], balance: [] } };
      this.#merchants.set(merchantId, merchant);
    }
    return merchant;
  }

  #isFree(merchant: MerchantPermits, kind: PermitClass): boolean {
    const limit = this.#limit(merchant);
    if (merchant.held >= limit) return false;
    if (kind !== "resend") return queueLength(merchant) === 0;
    // A quarter of the places, and one probe at a time while no answer has come since the breaker opened.
    const open = merchant.limit !== null && merchant.growingSince === undefined;
    return merchant.heldByResends < (open ? 1 : Math.max(1, Math.floor(limit / 4)));
  }

  #grant(merchant: MerchantPermits, kind: PermitClass): Permit {
    merchant.held += 1;
    if (kind === "resend") merchant.heldByResends += 1;
    let released = false;
    return {
      release: () => {
        if (released) throw new Error("a place is given back once");
        released = true;
        merchant.held -= 1;
        if (kind === "resend") merchant.heldByResends -= 1;
        this.#serve(merchant);
      },
    };
  }

  #serve(merchant: MerchantPermits): void {
    for (const kind of ["credit", "debit", "balance"] as const) {
      while (merchant.held < this.#limit(merchant)) {
        const waiter = merchant.waiting[kind].shift();
        if (waiter === undefined) break;
        waiter.grant(this.#grant(merchant, kind));
      }
    }
  }
}

const queueLength = (merchant: MerchantPermits): number => merchant.waiting.credit.length + merchant.waiting.debit.length + merchant.waiting.balance.length;
