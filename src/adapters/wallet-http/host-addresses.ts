/**
 * Names to addresses, over asynchronous DNS: getaddrinfo has four threads in all, so that four merchants with a hanging name server
 * would stop every other look-up of the process, the database's too.
 */
import { lookup, Resolver } from "node:dns/promises";

export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a host name, one at least; rejects when there is none. */
export type Resolve = (host: string) => Promise<readonly HostAddress[]>;

/** DNS had no such name (or there is no DNS here): the operating system may still know it, from its hosts file. */
const UNKNOWN_TO_DNS = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED"]);

const LOOPBACK: readonly HostAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** @param servers - name servers to ask, `address:port`; the system's by default. */
export function dnsResolve(servers: readonly string[] = []): Resolve {
  const dns = new Resolver({ timeout: 2_500, tries: 2 });
  if (servers.length > 0) dns.setServers(servers);
  const running = new Map<string, Promise<readonly HostAddress[]>>();
  /** Concurrent look-ups of one name are one question; nothing is kept after it. */
  return (host) => {
    const joined = running.get(host);
    if (joined !== undefined) return joined;
    const asked = addressesOf(dns, host).finally(() => running.delete(host));
    running.set(host, asked);
    return asked;
  };
}

async function addressesOf(dns: Resolver, host: string): Promise<readonly HostAddress[]> {
  // RFC 6761: never asked of a name server.
  if (host === "localhost" || host.endsWith(".localhost")) return LOOPBACK;
  const [four, six] = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
  const found: HostAddress[] = [];
  if (four.status === "fulfilled") for (const address of four.value) found.push({ address, family: 4 });
  if (six.status === "fulfilled") for (const address of six.value) found.push({ address, family: 6 });
  if (found.length > 0) return found;
  const fault = [four, six].find((answer) => answer.status === "rejected" && !UNKNOWN_TO_DNS.has(answer.reason.code));
  if (fault?.status === "rejected") throw fault.reason;
  return (await lookup(host, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
