/**
 * Names to addresses, over asynchronous DNS: getaddrinfo has four threads in all, so that four merchants with a hanging name server
 * would stop every other look-up of the process, the database's too.
 */
import { lookup, Resolver } from "node:dns/promises";
import { setTimeout } from "node:timers/promises";

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a host name, one at least; rejects when there is none. */
export type Resolve = (host: string) => Promise<readonly HostAddress[]>;

/** DNS had no such name (or there is no DNS here): the operating system may still know it, from its hosts file. */
const UNKNOWN_TO_DNS = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

/** Once one family is known, the other is waited for this long (RFC 8305, 3): name servers that never answer a question for IPv6 are common. */
const OTHER_FAMILY_MS = 50;

const LOOPBACK: readonly HostAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** Names that only the operating system knows, from its hosts file or search domains. Blocks one of the process's four threads until it is answered. */
export const systemLookup: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));

/**
 * @param servers - name servers to ask, `address` or `address:port`; none: the system's.
 * @param unknown - asked about a name that DNS doesn't have; null: nobody. Only for names that are trusted: who owns a name can deny it to us
 *   and then let the operating system wait, on one thread per call.
 * @param withinMs - a question that nobody answers is given up after 7/8 of this, so that a later call doesn't join it.
 */
export function dnsResolve(servers: readonly string[] = [], unknown: Resolve | null = null, withinMs = 8_000): Resolve {
  // c-ares waits 1.8 times as long at its second try.
  const dns = new Resolver({ timeout: Math.ceil((withinMs * 7) / 8 / 2.8), tries: 2 });
  if (servers.length > 0) dns.setServers(servers);
  const running = new Map<string, Promise<readonly HostAddress[]>>();
  /** Concurrent look-ups of one name are one question; nothing is kept after it. */
  return (host) => {
    const joined = running.get(host);
    if (joined !== undefined) return joined;
    const asked = addressesOf(dns, host, unknown).finally(() => running.delete(host));
    running.set(host, asked);
    return asked;
  };
}

async function addressesOf(dns: Resolver, host: string, unknown: Resolve | null): Promise<readonly HostAddress[]> {
  // RFC 6761: never asked of a name server.
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
