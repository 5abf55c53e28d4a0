/**
 * Resolves host names with asynchronous DNS. getaddrinfo has only four threads. So four merchants with a silent name
 * server would block all other look-ups of the process, also those for the database.
 */
import { lookup, Resolver } from "node:dns/promises";
import { setTimeout } from "node:timers/promises";

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves to all addresses of a host name, at least one. Rejects if there is no address. */
export type Resolve = (host: string) => Promise<readonly HostAddress[]>;

/** DNS does not have the name, or this machine has no DNS. The operating system may have the name in its hosts file. */
const UNKNOWN_TO_DNS = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/**
 * How long to wait for the addresses of the second family (IPv4 or IPv6) after those of the first are known, in ms (RFC
 * 8305, 3). Many name servers never answer a query for IPv6.
 */
const OTHER_FAMILY_MS = 50;

const LOOPBACK: readonly HostAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Resolves names that are in the hosts file or in a search domain. It blocks one of the process's four threads until it
 * has an answer.
 */
export const systemLookup: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));

/**
 * @param servers - the name servers, `address` or `address:port`; none: the system's name servers.
 * @param unknown - resolves names that DNS doesn't have; null: such names are not resolved. Use it only for trusted
 *   names. The owner of a name can make DNS answer that it does not exist. Each call then blocks a thread with the
 *   system's look-up.
 * @param withinMs - a query without an answer ends after 7/8 of this time, so that a later call doesn't wait for it,
 *   too.
 */
export function dnsResolve(servers: readonly string[] = [], unknown: Resolve | null = null, withinMs = 8_000): Resolve {
  // c-ares waits 1.8 times as long in its second try.
  const dns = new Resolver({ timeout: Math.ceil((withinMs * 7) / 8 / 2.8), tries: 2 });
  if (servers.length > 0) dns.setServers(servers);
  const running = new Map<string, Promise<readonly HostAddress[]>>();
  /** Concurrent look-ups of a name share one query. Nothing is cached. */
  return (host) => {
    const joined = running.get(host);
    if (joined !== undefined) return joined;
    const lookUp = addressesOf(dns, host, unknown).finally(() => running.delete(host));
    running.set(host, lookUp);
    return lookUp;
  };
}

async function addressesOf(dns: Resolver, host: string, unknown: Resolve | null): Promise<readonly HostAddress[]> {
  // RFC 6761: these names are never sent to a name server.
  if (host === "localhost" || host.endsWith(".localhost")) return LOOPBACK;
  const found: HostAddress[] = [];
  const ask = async (family: 4 | 6, question: Promise<string[]>): Promise<void> => {
    for (const address of await question) found.push({ address, family });
  };
  const questions = [ask(4, dns.resolve4(host)), ask(6, dns.resolve6(host))];
  const answers = Promise.allSettled(questions);
  const enough = Promise.any(questions).then(
    () => setTimeout(OTHER_FAMILY_MS),
    () => undefined,
  );
  await Promise.race([answers, enough]);
  if (found.length > 0) return found.toSorted((a, b) => a.family - b.family);
  const faults = (await answers).flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  const real = faults.find(({ code }) => !UNKNOWN_TO_DNS.has(code));
  if (real !== undefined || unknown === null) throw real ?? faults[0];
  return unknown(host);
}
