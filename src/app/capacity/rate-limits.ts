import { networkOf } from "../../domain/access/ip-list.ts";
import { type Bucket, type Rate, type Taken, takeToken } from "../../domain/access/token-bucket.ts";
import { isPartyCode } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { KeyKind } from "../../ports/telemetry.ts";
import { Buckets } from "./buckets.ts";

/** Calls that share a limit. `catalog`: merchant, games, providers, and whatever is in no other class. */
export type OperationClass = "launch" | "catalog" | "transactions" | "reports";

/** Calls per second, of all replicas together. */
export interface Rates {
  /** Of one merchant that has no rates of its own. */
  readonly operations: Readonly<Record<OperationClass, number>>;
  /** Of one address, whoever it says to be. */
  readonly address: number;
  /** Failed authentications of one address for one merchant, or with wrong API keys at one door: per minute. */
  readonly failuresPerMinute: number;
}

export const DEFAULT_RATES: Rates = { operations: { launch: 50, catalog: 5, transactions: 10, reports: 1 }, address: 200, failuresPerMinute: 60 };

const OWN_RATES = { launch: "launchRate", catalog: "catalogRate", transactions: "transactionsRate", reports: "reportsRate" } as const;

/** What a limit says to one call. Whole tokens and seconds, of the replica that was asked. */
export interface Quota {
  readonly allowed: boolean;
  /** The most calls at once. */
  readonly limit: number;
  readonly remaining: number;
  /** Until all of `limit` is there again. */
  readonly resetS: number;
  /** Until the next call passes: at least 1. */
  readonly retryAfterS: number;
}

/**
 * How often who may call. Every replica gives its share of each limit out of its memory, so a call writes nothing; a burst is twice
 * the rate, and on many replicas at least one call on each.
 */
export class RateLimits {
  readonly #clock: Clock;
  readonly #replicas: () => number;
  readonly #rates: Rates;
  readonly #addresses = new Buckets();
  readonly #failures = new Buckets();
  /** By merchant and operation: as many as there are merchants. */
  readonly #merchants = new Map<string, Bucket>();

  /** @param replicas - how many live now, this one included. */
  constructor(clock: Clock, replicas: () => number, rates: Rates = DEFAULT_RATES) {
    this.#clock = clock;
    this.#replicas = replicas;
    this.#rates = rates;
  }

  /** Counts a call of an address; an IPv6 one counts with its /64, which is as much as one host usually gets. */
  address(address: string): Quota {
    const rate = this.#share(this.#rates.address, 2 * this.#rates.address);
    return quota(rate, this.#addresses.take(networkOf(address), rate, this.#clock.monotonic()));
  }

  /** Counts a failed authentication. @param merchantCode - as it was sent: known or not makes no difference. */
  failure(address: string, merchantCode: string): Quota {
    return this.#failure(`${networkOf(address)} ${isPartyCode(merchantCode) ? merchantCode : ""}`);
  }

  /** Counts a call without a right API key. */
  wrongKey(address: string, keyKind: KeyKind): Quota {
    return this.#failure(`${networkOf(address)} key ${keyKind}`);
  }

  #failure(caller: string): Quota {
    const rate = this.#share(this.#rates.failuresPerMinute / 60, this.#rates.failuresPerMinute);
    return quota(rate, this.#failures.take(caller, rate, this.#clock.monotonic()));
  }

  /** Counts a call of a merchant. */
  operation({ id, limits }: Merchant, operation: OperationClass): Quota {
    const perSecond = limits[OWN_RATES[operation]] ?? this.#rates.operations[operation];
    const rate = this.#share(perSecond, 2 * perSecond);
    const key = `${id} ${operation}`;
    const taken = takeToken(this.#merchants.get(key), rate, this.#clock.monotonic());
    this.#merchants.set(key, taken.bucket);
    return quota(rate, taken);
  }

  #share(perSecond: number, burst: number): Rate {
    const replicas = Math.max(1, this.#replicas());
    return { perSecond: perSecond / replicas, capacity: Math.max(1, burst / replicas) };
  }
}

const seconds = (ms: number): number => Math.ceil(ms / 1_000);

const quota = ({ capacity }: Rate, { taken, bucket, nextMs, fullMs }: Taken): Quota => ({
  allowed: taken,
  limit: Math.floor(capacity),
  remaining: Math.floor(bucket.tokens),
  resetS: seconds(fullMs),
  retryAfterS: Math.max(1, seconds(nextMs)),
});
