/** A request target under `/v1`. */
export interface ApiTarget {
  /** What is signed: the raw target from `/v1` on. */
  readonly signed: string;
  /** Before the first `?`, nothing decoded. */
  readonly path: string;
  /** After the first `?`; empty without one. */
  readonly query: string;
  /** Absolute form, `//`, a dot segment or a fragment: proxies and servers disagree on what such a target names. */
  readonly ambiguous: boolean;
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Reads a raw request target; `undefined` when it isn't under `/v1`.
 *
 * @param raw - as on the request line; ASCII, for Node's parser takes nothing else.
 * @param prefix - the path of PUBLIC_URL, accepted before `/v1` and not signed; empty when there is none.
 */
export function readTarget(raw: string, prefix: string): ApiTarget | undefined {
  const origin = ORIGIN.exec(raw)?.[0] ?? "";
  const whole = raw.slice(origin.length);
  const signed = isApi(whole) ? whole : withoutPrefix(whole, prefix);
  if (signed === undefined) return undefined;
  const mark = signed.indexOf("?");
  const path = mark === -1 ? signed : signed.slice(0, mark);
  const ambiguous = origin !== "" || path.includes("//") || DOT_SEGMENT.test(path) || signed.includes("#");
  return { signed, path, query: mark === -1 ? "" : signed.slice(mark + 1), ambiguous };
}

const isApi = (target: string): boolean => /^\/v1(?:[/?#]|$)/.test(target);

function withoutPrefix(target: string, prefix: string): string | undefined {
  const rest = prefix !== "" && target.startsWith(prefix) ? target.slice(prefix.length) : "";
  return isApi(rest) ? rest : undefined;
}
