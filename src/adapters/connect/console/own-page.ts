import type { IncomingMessage } from "node:http";

/** The content types of the internal port's calls. An HTML form of another site cannot send any of these types. */
const CONTENT_TYPES = new Set(
  ["json", "proto", "connect+json", "connect+proto", "grpc-web", "grpc-web+proto", "grpc-web+json"].map(
    (name) => `application/${name}`,
  ),
);

/** A longer Origin is not read. */
const ORIGIN_MAX = 300;

type Headers = Pick<IncomingMessage, "headersDistinct">;

/**
 * Whether a browser sent this request from a page of this host. A browser also adds the console's cookie to requests
 * from pages on other ports of this host, so the cookie alone proves nothing. The headers Origin and Sec-Fetch-Site
 * show from which page a request comes, and no page can change them.
 */
export function isFromOwnPage({ headersDistinct }: Headers): boolean {
  const [origin, ...otherOrigins] = headersDistinct.origin ?? [];
  const [site, ...otherSites] = headersDistinct["sec-fetch-site"] ?? [];
  if (otherOrigins.length > 0 || otherSites.length > 0) return false;
  if (site !== undefined && site !== "same-origin") return false;
  if (origin === undefined) return site === "same-origin";
  const page = origin.length > ORIGIN_MAX ? null : URL.parse(origin);
  return page !== null && page.host !== "" && page.host === hostOf(page.protocol, headersDistinct.host);
}

/** Whether the body has a type that a page of another site may not send. */
export function isApiContent({ headersDistinct }: Headers): boolean {
  const [type = "", ...others] = headersDistinct["content-type"] ?? [];
  return others.length === 0 && CONTENT_TYPES.has((type.split(";", 1)[0] as string).trim().toLowerCase());
}

/** Whether the page that sent this request was loaded over https, through a proxy that ends TLS. */
export const isFromHttpsPage = ({ headersDistinct }: Headers): boolean =>
  headersDistinct.origin?.[0]?.startsWith("https://") ?? false;

/** The Host in the form that a URL has: in lower case, without the scheme's usual port, which some proxies add. */
const hostOf = (scheme: string, lines: readonly string[] = []): string | undefined =>
  URL.parse(`${scheme}//${lines[0]}`)?.host;
