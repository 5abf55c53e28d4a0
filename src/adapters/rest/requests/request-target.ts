/** A request target under `/v1`. */
export interface ApiTarget {
  /** The raw target from `/v1` on. The caller signs this text. */
  readonly signed: string;
  /** The part before the first `?`, not decoded. */
  readonly path: string;
  /** The part after the first `?`, not decoded; empty: there is no `?`. */
  readonly query: string;
  /**
   * Whether the target has absolute form, `//`, a dot segment or a fragment. Proxies and servers read such targets
   * differently.
   */
  readonly ambiguous: boolean;
}

/** The details of the refusal if a path begins with `/v1/v1`. */
export const V1_TWICE = {
  hint: "The path has /v1 twice: the API address ends before /v1, and each path begins with it.",
};

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Reads a raw request target; `undefined`: the target isn't under `/v1`.
 *
 * @param raw - the target of the request line. It is ASCII, because Node's parser refuses other characters.
 * @param prefix - the path of PUBLIC_URL. It may stand before `/v1` and is not signed. Empty when PUBLIC_URL has no
 *   path.
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
