import type { Clock } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";

/**
 * What a permit is used for. Credits come first. The calls of the resend worker come last, and never wait for a permit.
 */
export type PermitClass = "credit" | "debit" | "balance" | "resend";

/** The right to make one wallet call. Release it exactly once. */
export interface Permit {
  release(): void;
}

const QUEUE_MAX = 64;
const WAIT_MAX_MS = 2_000;
/** The last part of a caller's time. It is left for the claim, the call and the answer. */
const DEADLINE_RESERVE_MS = 500;
const SILENCES_TO_OPEN = 10;
const OPEN_LIMIT = 4;
const DOUBLING_MS = 1_000;

/** The part of the settings that has a merchant's own number of permits. */
interface MerchantLimits {
  merchantById(id: number): { readonly limits: { readonly walletConcurrency?: number | undefined } } | undefined;
}

interface Waiter {
  readonly grant: (permit: Permit | undefined) => void;
}

/** How a merchant's permits were used during some time. */
export interface PermitUse {
  readonly merchantId: number;
  /** The highest number of permits that were held at once. */
  readonly heldMost: number;
  /** The maximum of permits that may be held at once. */
  readonly permits: number;
  /** The smallest number of permits that the circuit breaker left; null: the breaker was closed. */
  readonly breakerPermits: number | null;
}

interface MerchantPermits {
  readonly merchantId: number;
  /** The number of permits while the circuit breaker limits this merchant; null: the breaker does not limit it. */
  limit: number | null;
  held: number;
  heldByResends: number;
  silences: number;
  /**
   * When the limit last doubled. Before that: when the first answer came after the breaker had opened. Undefined until
   * this answer comes.
   */
  growingSince: number | undefined;
  /**
   * The highest number of permits held at once, and the smallest limit, since the last {@link WalletPermits.takeUse}.
   */
  heldMost: number;
  limitLeast: number | null;
  readonly waiting: Record<Exclude<PermitClass, "resend">, Waiter[]>;
}

/**
 * Decides which wallet call may start on this replica. Each merchant has a number of permits and one queue of limited
 * length. While a merchant's wallet is silent, a circuit breaker leaves this merchant only a few permits. So a slow or
 * dead wallet never slows another merchant (docs/specification/capacity.md#cap-permits).
 */
export class WalletPermits {
  readonly #merchants = new Map<number, MerchantPermits>();
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #perMerchant: number;
  readonly #settings: MerchantLimits;

  /**
   * @param settings - has merchants' own numbers of permits, which are read at each use. `perMerchant` applies to the
   *   others.
   */
  constructor(
    clock: Clock,
    telemetry: Telemetry,
    perMerchant: number,
    settings: MerchantLimits = { merchantById: () => undefined },
  ) {
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#perMerchant = perMerchant;
    this.#settings = settings;
  }

  /**
   * Takes a permit. `undefined`: no permit was free in time. The queue is full, 2 s have passed, or the caller's last
   * 500 ms have begun.
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

  /** Whether a resend would get a permit now. */
  hasPermitForResend(merchantId: number): boolean {
    return this.#isFree(this.#stateOf(merchantId), "resend");
  }

  /** Records that the merchant's wallet answered, whatever the answer was. */
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

  /** Records that the merchant's wallet gave no answer. */
  silent(merchantId: number): void {
    const merchant = this.#stateOf(merchantId);
    merchant.silences += 1;
    if (merchant.silences < SILENCES_TO_OPEN) return;
    if (merchant.silences === SILENCES_TO_OPEN && merchant.limit === null)
      this.#telemetry.alert("breaker_open", { merchant_id: merchantId });
    merchant.limit = OPEN_LIMIT;
    merchant.limitLeast = OPEN_LIMIT;
    merchant.growingSince = undefined;
  }

  /** The merchants that the circuit breaker limits, each with the number of permits that it has now. */
  limited(): { merchantId: number; limit: number }[] {
    return [...this.#merchants.values()]
      .filter(({ limit }) => limit !== null)
      .map((merchant) => ({ merchantId: merchant.merchantId, limit: this.#limit(merchant) }));
  }

  /** How each merchant's permits were used since the last call of this method. */
  takeUse(): PermitUse[] {
    return [...this.#merchants.values()].map((merchant) => {
      const { merchantId, heldMost, limitLeast } = merchant;
      merchant.heldMost = merchant.held;
      merchant.limitLeast = merchant.limit;
      const permits = this.#fullLimit(merchant);
      return { merchantId, heldMost, permits, breakerPermits: limitLeast && Math.min(limitLeast, permits) };
    });
  }

  #fullLimit(merchant: MerchantPermits): number {
    return this.#settings.merchantById(merchant.merchantId)?.limits.walletConcurrency ?? this.#perMerchant;
  }

  #limit(merchant: MerchantPermits): number {
    const most = this.#fullLimit(merchant);
    return merchant.limit === null ? most : Math.min(merchant.limit, most);
  }

  #stateOf(merchantId: number): MerchantPermits {
    let merchant = this.#merchants.get(merchantId);
    if (merchant === undefined) {
      merchant = {
        merchantId,
        limit: null,
        held: 0,
        heldByResends: 0,
        silences: 0,
        growingSince: undefined,
        heldMost: 0,
        limitLeast: null,
        waiting: { credit: [], debit: [], balance: [] },
      };
      this.#merchants.set(merchantId, merchant);
    }
    return merchant;
  }

  #isFree(merchant: MerchantPermits, kind: PermitClass): boolean {
    const limit = this.#limit(merchant);
    if (merchant.held >= limit) return false;
    if (kind !== "resend") return queueLength(merchant) === 0;
    // Resends get a quarter of the permits. After the breaker has opened, they get only one permit until the first
    // answer comes.
    const open = merchant.limit !== null && merchant.growingSince === undefined;
    return merchant.heldByResends < (open ? 1 : Math.max(1, Math.floor(limit / 4)));
  }

  #grant(merchant: MerchantPermits, kind: PermitClass): Permit {
    merchant.held += 1;
    if (merchant.held > merchant.heldMost) merchant.heldMost = merchant.held;
    if (kind === "resend") merchant.heldByResends += 1;
    let released = false;
    return {
      release: () => {
        if (released) throw new Error("release() of a permit was called twice; call it once");
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

const queueLength = (merchant: MerchantPermits): number =>
  merchant.waiting.credit.length + merchant.waiting.debit.length + merchant.waiting.balance.length;
