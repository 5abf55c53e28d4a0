import type { Clock } from "../../ports/clock.ts";
import type { Telemetry } from "../../ports/telemetry.ts";

/** Who asks for a place. Credits go first, the worker's resends last and never wait. */
export type PlaceClass = "credit" | "debit" | "balance" | "resend";

/** The right to one wallet call. Give it back exactly once. */
export interface Place {
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
  readonly grant: (place: Place | undefined) => void;
}

interface Desk {
  readonly merchantId: number;
  /** Places this merchant has now, while its wallet is (or was just) silent; null: all that it may have. */
  limit: number | null;
  held: number;
  heldByResends: number;
  silences: number;
  /** When the limit last doubled, or the first answer after an opening came; undefined while no answer came. */
  growingSince: number | undefined;
  readonly waiting: Record<Exclude<PlaceClass, "resend">, Waiter[]>;
}

/**
 * Whose wallet call may start: places per merchant, one bounded queue each, and a circuit breaker that shrinks a silent merchant to
 * a few places, so that a slow or dead wallet never slows another merchant (docs/specification/capacity.md#cap-permits). Per replica.
 */
export class Places {
  readonly #desks = new Map<number, Desk>();
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #perMerchant: number;
  readonly #own: (merchantId: number) => number | undefined;

  /** @param own - a merchant's own number of places, asked each time; undefined: `perMerchant`. */
  constructor(clock: Clock, telemetry: Telemetry, perMerchant: number, own: (merchantId: number) => number | undefined = () => undefined) {
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#perMerchant = perMerchant;
    this.#own = own;
  }

  /**
   * A place, or `undefined` when there is none in time: the queue is full, 2 s passed, or the caller's last 500 ms began.
   *
   * @param deadline - when the caller stops waiting, by Clock.monotonic().
   */
  take(merchantId: number, kind: PlaceClass, deadline: number): Place | undefined | Promise<Place | undefined> {
    const desk = this.#desk(merchantId);
    if (this.#isFree(desk, kind)) return this.#grant(desk, kind);
    if (kind === "resend") return undefined;
    const waitMs = Math.min(WAIT_MAX_MS, deadline - this.#clock.monotonic() - DEADLINE_RESERVE_MS);
    if (waitMs <= 0 || queueLength(desk) >= QUEUE_MAX) return undefined;
    return new Promise((resolve) => {
      const queue = desk.waiting[kind];
      const cancel = this.#clock.after(waitMs, () => {
        queue.splice(queue.indexOf(waiter), 1);
        resolve(undefined);
      });
      const waiter: Waiter = {
        grant: (place) => {
          cancel();
          resolve(place);
        },
      };
      queue.push(waiter);
    });
  }

  /** Whether a resend would get a place now. */
  hasOneForResend(merchantId: number): boolean {
    return this.#isFree(this.#desk(merchantId), "resend");
  }

  /** The merchant's wallet gave an answer, whatever it was. */
  answered(merchantId: number): void {
    const desk = this.#desk(merchantId);
    desk.silences = 0;
    if (desk.limit === null) return;
    const now = this.#clock.monotonic();
    desk.growingSince ??= now;
    if (now - desk.growingSince < DOUBLING_MS) return;
    desk.growingSince = now;
    desk.limit = desk.limit * 2 < this.#most(desk) ? desk.limit * 2 : null;
    this.#serve(desk);
  }

  /** The merchant's wallet gave no answer. */
  silent(merchantId: number): void {
    const desk = this.#desk(merchantId);
    desk.silences += 1;
    if (desk.silences < SILENCES_TO_OPEN) return;
    if (desk.silences === SILENCES_TO_OPEN && desk.limit === null) this.#telemetry.alert("breaker_open", { merchant_id: merchantId });
    desk.limit = OPEN_LIMIT;
    desk.growingSince = undefined;
  }

  /** Merchants whose places are limited because their wallet is silent, with what they have. */
  limited(): { merchantId: number; limit: number }[] {
    return [...this.#desks.values()].filter(({ limit }) => limit !== null).map((desk) => ({ merchantId: desk.merchantId, limit: this.#limit(desk) }));
  }

  #most(desk: Desk): number {
    return this.#own(desk.merchantId) ?? this.#perMerchant;
  }

  #limit(desk: Desk): number {
    const most = this.#most(desk);
    return desk.limit === null ? most : Math.min(desk.limit, most);
  }

  #desk(merchantId: number): Desk {
    let desk = this.#desks.get(merchantId);
    if (desk === undefined) {
      desk = { merchantId, limit: null, held: 0, heldByResends: 0, silences: 0, growingSince: undefined, waiting: { credit: [], debit: [], balance: [] } };
      this.#desks.set(merchantId, desk);
    }
    return desk;
  }

  #isFree(desk: Desk, kind: PlaceClass): boolean {
    const limit = this.#limit(desk);
    if (desk.held >= limit) return false;
    if (kind !== "resend") return queueLength(desk) === 0;
    // A quarter of the places, and one probe at a time while no answer has come since the breaker opened.
    const open = desk.limit !== null && desk.growingSince === undefined;
    return desk.heldByResends < (open ? 1 : Math.max(1, Math.floor(limit / 4)));
  }

  #grant(desk: Desk, kind: PlaceClass): Place {
    desk.held += 1;
    if (kind === "resend") desk.heldByResends += 1;
    let released = false;
    return {
      release: () => {
        if (released) throw new Error("a place is given back once");
        released = true;
        desk.held -= 1;
        if (kind === "resend") desk.heldByResends -= 1;
        this.#serve(desk);
      },
    };
  }

  #serve(desk: Desk): void {
    for (const kind of ["credit", "debit", "balance"] as const) {
      while (desk.held < this.#limit(desk)) {
        const waiter = desk.waiting[kind].shift();
        if (waiter === undefined) break;
        waiter.grant(this.#grant(desk, kind));
      }
    }
  }
}

const queueLength = (desk: Desk): number => desk.waiting.credit.length + desk.waiting.debit.length + desk.waiting.balance.length;
