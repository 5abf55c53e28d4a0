import { Buckets } from "../../../app/capacity/buckets.ts";
import { type IpRange, isListed, networkOf } from "../../../domain/access/ip-list.ts";
import type { Rate } from "../../../domain/access/token-bucket.ts";

/** How often one address may ask without a right key. */
export interface StrangerRates {
  /** Calls on connections over which no right key has come yet. */
  readonly calls: Rate;
  /** Connections that end before a right key has come over them. */
  readonly connections: Rate;
}

/** A health check or a tool needs a few. Wrong keys are RATE_LIMITED long before. */
export const STRANGER_RATES: StrangerRates = {
  calls: { perSecond: 20, capacity: 100 },
  connections: { perSecond: 10, capacity: 100 },
};

/**
 * Counts what callers do who have shown no right key, by address; an IPv6 address counts with its /64. A trusted
 * proxy's address stands for many callers: there each connection is counted for itself, and connections are not
 * counted. A connection that has shown a right key is counted for itself, too: its calls of health and reflection need
 * no key.
 */
export class Strangers {
  readonly #calls = new Buckets();
  readonly #connections = new Buckets();
  readonly #rates: StrangerRates;
  readonly #proxies: readonly IpRange[];
  #alone = 0;

  constructor(rates: StrangerRates, proxies: readonly IpRange[]) {
    this.#rates = rates;
    this.#proxies = proxies;
  }

  /** Under which name a new connection is counted. @param address - its other end. */
  nameOf(address: string): string {
    return this.#isProxy(address) ? this.nameAlone() : networkOf(address);
  }

  /** A name that no other connection has. */
  nameAlone(): string {
    return `connection ${++this.#alone}`;
  }

  /** Whether the address may open a connection. */
  mayConnect(address: string): boolean {
    return (
      this.#isProxy(address) || this.#connections.has(networkOf(address), this.#rates.connections, performance.now())
    );
  }

  /** A connection of the address ended before a right key had come over it. */
  left(address: string): void {
    if (!this.#isProxy(address)) this.#connections.take(networkOf(address), this.#rates.connections, performance.now());
  }

  /** Counts a call. false: it was one too many. @param name - of {@link nameOf}. */
  mayCall(name: string): boolean {
    return this.#calls.take(name, this.#rates.calls, performance.now()).taken;
  }

  /** Whether an address may make one call at least. Counts none. */
  maySomeCall(address: string): boolean {
    return this.#isProxy(address) || this.#calls.has(networkOf(address), this.#rates.calls, performance.now());
  }

  #isProxy(address: string): boolean {
    return isListed(this.#proxies, address);
  }
}
