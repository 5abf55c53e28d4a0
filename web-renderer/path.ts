import { PATH_CHARS_MAX } from "./protocol.ts";

const NOWHERE = "https://sportsbook.invalid";

/**
 * The route inside the sportsbook that `path` names (path, query, hash), or undefined when it could lead anywhere else: it must begin with exactly one `/`
 * and still do so after a browser's parsing, without backslashes and control characters, within 1 024 characters. `jwt`, `token` and `brand` are taken
 * out of its query: a link must not log anybody in. The other half's router follows it; nobody assigns it to `location`.
 */
export function safePath(path: unknown): string | undefined {
  if (typeof path !== "string" || path.length > PATH_CHARS_MAX || !/^\/(?!\/)[^\\\u0000-\u001f\u007f-\u009f]*$/.test(path)) return undefined;
  // What begins with a slash always parses.
  const url = new URL(path, NOWHERE);
  // `/..//evil.example` begins with one slash and is parsed to two.
  if (url.origin !== NOWHERE || url.pathname.startsWith("//")) return undefined;
  // Deleting rewrites the whole query, so only when there is something to delete.
  for (const name of ["jwt", "token", "brand"]) if (url.searchParams.has(name)) url.searchParams.delete(name);
  return url.pathname + url.search + url.hash;
}
