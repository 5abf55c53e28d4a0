import { isIP } from "node:net";

/** Variables with the addresses by which browsers open the sandbox's pages. */
const ORIGINS = ["MERCHANT_ORIGIN", "PROVIDER_ORIGIN", "SPORTSBOOK_ORIGIN"];

/** The names by which the sandbox may be called, beside localhost, addresses and names without a dot. */
export function allowedNames(environment: NodeJS.ProcessEnv): ReadonlySet<string> {
  const origins = ORIGINS.map((name) => URL.parse(environment[name] ?? "")?.hostname);
  const more = (environment.SANDBOX_ALLOWED_HOSTS ?? "").split(",").map((name) => name.trim().toLowerCase());
  return new Set([...origins, ...more].filter((name): name is string => name !== undefined && name !== ""));
}

const NAMES = allowedNames(process.env);

/**
 * Whether a page may be asked for with this Host. The check stops DNS rebinding: a page of the Internet whose name
 * suddenly resolves to this machine could otherwise read the sandbox's pages. Such a name has a dot. It is none of the
 * allowed names, and no address.
 */
export function allowsHost(host: string | undefined, names = NAMES): boolean {
  const url = host === undefined || host.length > 300 || /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${host}`);
  const name = url?.hostname.replace(/\.$/, "");
  if (name === undefined) return false;
  const isAddress = isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
  return isAddress || !name.includes(".") || name.endsWith(".localhost") || names.has(name);
}
