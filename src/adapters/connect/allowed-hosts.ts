import { isIP } from "node:net";

/** The names of this machine itself. Every address of 127.0.0.0/8 is allowed, too. */
const LOOPBACK = ["localhost", "[::1]"];
/** A server with one of these addresses listens on all addresses of the machine. */
const EVERY_ADDRESS = ["0.0.0.0", "[::]"];

/**
 * The values of the header Host that an internal listener accepts. The check stops DNS rebinding: an employee may open
 * a web page whose host name suddenly resolves to this listener's address. The page's requests then come from the
 * internal network. But their Host is the page's name, which is not allowed.
 */
export class AllowedHosts {
  readonly #names: ReadonlySet<string>;
  readonly #everyAddress: boolean;

  /**
   * @param listensOn - the address or name that the listener is bound to. A listener on all addresses accepts every
   *   address as a Host, because rebinding needs a name.
   * @param more - further names or addresses, without a port.
   */
  constructor(listensOn: string, more: readonly string[]) {
    const own = nameOf(bracketed(listensOn));
    const names = [own, ...more.map((host) => nameOf(bracketed(host)))].filter((name) => name !== undefined);
    this.#names = new Set([...LOOPBACK, ...names]);
    this.#everyAddress = own !== undefined && EVERY_ADDRESS.includes(own);
  }

  /** @param lines - the lines of the request's Host header. */
  allows(lines: readonly string[] = []): boolean {
    const name = lines.length === 1 ? nameOf(lines[0] as string) : undefined;
    if (name === undefined) return false;
    return this.#names.has(name) || (isAddress(name) && (this.#everyAddress || name.startsWith("127.")));
  }
}

/** A longer Host is not read. A name has at most 253 characters. */
const HOST_MAX = 300;

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;

/** The name or address in a Host, in lower case, without port and trailing dot. `undefined`: the text is not a Host. */
function nameOf(host: string): string | undefined {
  const url = host.length > HOST_MAX || /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${host}`);
  return url?.hostname.replace(/\.$/, "");
}
