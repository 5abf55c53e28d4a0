/**
 * Resolves host names: first by the hosts file, then by asynchronous DNS. getaddrinfo has only four threads. So four
 * names with a silent name server would block all other look-ups of the process. Wallets, sources and databases use
 * this resolver.
 */
import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { setTimeout } from "node:timers/promises";
import { candidates, readHosts, readSearch } from "./system-files.ts";

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

const hosts = readHosts();
const search = readSearch();

/** How many of getaddrinfo's four threads the look-ups below may take. The others stay free for the rest of the process. */
const SYSTEM_MAX = 2;
let systemRunning = 0;
const systemWaiting: (() => void)[] = [];

/** Resolves names that only the operating system knows, for example by mDNS. */
export const systemLookup: Resolve = async (host) => {
  if (systemRunning === SYSTEM_MAX) await new Promise<void>((resolve) => systemWaiting.push(resolve));
  else systemRunning += 1;
  try {
    return (await lookup(host, { all: true })).map(({ address, family }) => ({
      address,
      family: family === 6 ? 6 : 4,
    }));
  } finally {
    const next = systemWaiting.shift();
    if (next === undefined) systemRunning -= 1;
    else next();
  }
};

/**
 * @param servers - the name servers, `address` or `address:port`; none: the system's name servers.
 * @param unknown - resolves names that DNS doesn't have; null: such names are not resolved, and the system's search
 *   domains don't apply. Use it only for trusted names. The owner of a name can make DNS answer that it does not exist.
 *   Each call then blocks a thread with the system's look-up.
 * @param withinMs - a query without an answer ends after 7/8 of this time, so that a later call doesn't wait for it,
 *   too.
 */
export function dnsResolve(servers: readonly string[] = [], unknown: Resolve | null = null, withinMs = 8_000): Resolve {
  // c-ares waits 1.8 times as long in its second try.
  const dns = new Resolver({ timeout: Math.ceil((withinMs * 7) / 8 / 2.8), tries: 2 });
  if (servers.length > 0) dns.setServers(servers);
  const isSearched = servers.length === 0 && unknown !== null;
  const running = new Map<string, Promise<readonly HostAddress[]>>();
  /** Concurrent look-ups of a name share one query. Nothing is cached. */
  return (host) => {
    const joined = running.get(host);
    if (joined !== undefined) return joined;
    const names = isSearched ? candidates(host, search()) : [host];
    const lookUp = addressesOf(dns, host, names, unknown).finally(() => running.delete(host));
    running.set(host, lookUp);
    return lookUp;
  };
}

async function addressesOf(
  dns: Resolver,
  host: string,
  names: readonly string[],
  unknown: Resolve | null,
): Promise<readonly HostAddress[]> {
  // RFC 6761: these names are never sent to a name server.
  if (host === "localhost" || host.endsWith(".localhost")) return LOOPBACK;
  const listed = hosts().get(host.toLowerCase().replace(/\.$/, ""));
  if (listed !== undefined) return listed.map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
  let fault: unknown;
  for (const name of names) {
    try {
      return await ask(dns, name);
    } catch (cause) {
      if (!UNKNOWN_TO_DNS.has((cause as NodeJS.ErrnoException).code ?? "")) throw cause;
      fault = cause;
    }
  }
  if (unknown === null) throw fault;
  return unknown(host);
}

async function ask(dns: Resolver, name: string): Promise<readonly HostAddress[]> {
  const found: HostAddress[] = [];
  const one = async (family: 4 | 6, question: Promise<string[]>): Promise<void> => {
    for (const address of await question) found.push({ address, family });
  };
  const questions = [one(4, dns.resolve4(name)), one(6, dns.resolve6(name))];
  const answers = Promise.allSettled(questions);
  const enough = Promise.any(questions).then(
    () => setTimeout(OTHER_FAMILY_MS),
    () => undefined,
  );
  await Promise.race([answers, enough]);
  if (found.length > 0) return found.toSorted((a, b) => a.family - b.family);
  const faults = (await answers).flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  throw faults.find(({ code }) => !UNKNOWN_TO_DNS.has(code)) ?? faults[0];
}
