import { Buckets } from "../../../../app/capacity/buckets.ts";
import { type IpRange, isListed, networkOf, plainAddress } from "../../../../domain/access/ip-list.ts";
import type { Rate } from "../../../../domain/access/token-bucket.ts";

/** How often one address may make calls without a right key. */
export interface StrangerRates {
  /** The limit of calls on connections that have not shown a right key. */
  readonly calls: Rate;
  /** The limit of connections that end without having shown a right key. */
  readonly connections: Rate;
}

/** A health check or a tool needs only a few calls. Calls with wrong keys have a much lower limit. */
export const STRANGER_RATES: StrangerRates = {
  calls: { perSecond: 20, capacity: 100 },
  connections: { perSecond: 10, capacity: 100 },
};

/**
 * Counts the calls and connections of callers that have not shown a right key, by address. An IPv6 address is counted
 * by its /64. Many callers may share a trusted proxy's address. So the calls of each connection from a proxy are
 * counted separately, and its connections are not counted. A connection that has shown a right key is counted
 * separately, too, because its calls of health and reflection need no key.
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

  /**
   * The name under which a new connection is counted.
   *
   * @param address - the caller's address.
   */
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

  /** Counts a connection from the address that ended without having shown a right key. */
  left(address: string): void {
    if (!this.#isProxy(address)) this.#connections.take(networkOf(address), this.#rates.connections, performance.now());
  }

  /**
   * Counts a call. false: the call is above the limit.
   *
   * @param name - the result of {@link nameOf}.
   */
  mayCall(name: string): boolean {
    return this.#calls.take(name, this.#rates.calls, performance.now()).taken;
  }

  /** Whether an address may make at least one call. This function counts nothing. */
  maySomeCall(address: string): boolean {
    return this.#isProxy(address) || this.#calls.has(networkOf(address), this.#rates.calls, performance.now());
  }

  #isProxy(address: string): boolean {
    return isListed(this.#proxies, plainAddress(address));
  }
}
