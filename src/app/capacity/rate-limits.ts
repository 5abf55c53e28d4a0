import { networkOf } from "../../domain/access/ip-list.ts";
import { type Bucket, type Rate, type Taken, takeToken } from "../../domain/access/token-bucket.ts";
import { isPartyCode } from "../../domain/values/identifiers.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { KeyKind } from "../../ports/telemetry.ts";
import { Buckets } from "./buckets.ts";

/**
 * Operations that share a limit. `catalog`: merchant, games, providers, and every operation that belongs to no other
 * class.
 */
export type OperationClass = "launch" | "catalog" | "transactions" | "reports";

/** Calls per second, for all replicas together. */
export interface Rates {
  /** The rates of a merchant that has no rates of its own. */
  readonly operations: Readonly<Record<OperationClass, number>>;
  /** The rate of one address, whatever merchant its requests name. */
  readonly address: number;
  /**
   * The number of failed authentications per minute. They are counted for one address and one merchant, or for one
   * address and one kind of API key.
   */
  readonly failuresPerMinute: number;
}

export const DEFAULT_RATES: Rates = {
  operations: { launch: 50, catalog: 5, transactions: 10, reports: 1 },
  address: 200,
  failuresPerMinute: 60,
};

/** The rate of pings of one merchant's wallet: ten a minute, at most five at once. */
const PING_RATE = 1 / 6;
const PING_BURST = 5;

const OWN_RATES = {
  launch: "launchRate",
  catalog: "catalogRate",
  transactions: "transactionsRate",
  reports: "reportsRate",
} as const;

/**
 * The state of a limit after one call, in whole calls and seconds. It is the state on the replica that received the
 * call.
 */
export interface Quota {
  readonly allowed: boolean;
  /** The largest burst. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until `remaining` is `limit` again. */
  readonly resetS: number;
  /** Seconds until the next call is allowed, at least 1. */
  readonly retryAfterS: number;
}

/**
 * Limits how often merchants and addresses may call. Every replica keeps its share of each limit in memory, so a call
 * writes nothing. A burst is twice the rate. However many replicas there are, each allows a burst of at least one call.
 */
export class RateLimits {
  readonly #clock: Clock;
  readonly #replicas: () => number;
  readonly #rates: Rates;
  readonly #addresses = new Buckets();
  readonly #failures = new Buckets();
  /** The buckets by merchant id and operation class or `ping`. So their number is limited. */
  readonly #merchants = new Map<string, Bucket>();

  /** @param replicas - returns the number of live replicas, this replica included. */
  constructor(clock: Clock, replicas: () => number, rates: Rates = DEFAULT_RATES) {
    this.#clock = clock;
    this.#replicas = replicas;
    this.#rates = rates;
  }

  /** Counts a call of an address. An IPv6 address is counted by its /64, because one host usually gets a whole /64. */
  address(address: string): Quota {
    const rate = this.#share(this.#rates.address, 2 * this.#rates.address);
    return quota(rate, this.#addresses.take(networkOf(address), rate, this.#clock.monotonic()));
  }

  /**
   * Counts a failed authentication.
   *
   * @param merchantCode - the code in the request, even if there is no such merchant.
   */
  failure(address: string, merchantCode: string): Quota {
    return this.#failure(`${networkOf(address)} ${isPartyCode(merchantCode) ? merchantCode : ""}`);
  }

  /** Counts a call whose API key is missing or wrong. */
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
    return this.#merchant(`${id} ${operation}`, this.#share(perSecond, 2 * perSecond));
  }

  /** Counts a ping of a merchant's wallet. */
  ping({ id }: Pick<Merchant, "id">): Quota {
    return this.#merchant(`${id} ping`, this.#share(PING_RATE, PING_BURST));
  }

  #merchant(key: string, rate: Rate): Quota {
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
