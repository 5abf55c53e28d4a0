import { isIP } from "node:net";

/** Names of this machine for itself. Every address of 127.0.0.0/8 is one, too. */
const LOOPBACK = ["localhost", "[::1]"];
/** Where a server listens that listens on every address. */
const EVERY_ADDRESS = ["0.0.0.0", "[::]"];

/**
 * By which Host a listener of the inside may be called. A page of a stranger that a member of staff opens can give its own name the
 * address of this listener (DNS rebinding), and its requests then come from inside. Their Host is that name, which is not among these.
 */
export class AllowedHosts {
  readonly #names: ReadonlySet<string>;
  readonly #everyAddress: boolean;

  /**
   * @param listensOn - the address or name that the listener is bound to. One that stands for every address allows every address as a
   *   Host: rebinding needs a name.
   * @param more - further names or addresses, without a port.
   */
  constructor(listensOn: string, more: readonly string[]) {
    const own = nameOf(bracketed(listensOn));
    const names = [own, ...more.map((host) => nameOf(bracketed(host)))].filter((name) => name !== undefined);
    this.#names = new Set([...LOOPBACK, ...names]);
    this.#everyAddress = own !== undefined && EVERY_ADDRESS.includes(own);
  }

  /** @param lines - of the request's header Host. */
  allows(lines: readonly string[] = []): boolean {
    const name = lines.length === 1 ? nameOf(lines[0] as string) : undefined;
    if (name === undefined) return false;
    return this.#names.has(name) || (isAddress(name) && (this.#everyAddress || name.startsWith("127.")));
  }
}

const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
const isAddress = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;

/** The name or address of a Host in its one spelling: without port and last dot, in lower case. `undefined`: it is no Host. */
function nameOf(host: string): string | undefined {
  const url = /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${host}`);
  return url?.hostname.replace(/\.$/, "");
}
