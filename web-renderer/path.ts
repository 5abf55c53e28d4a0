import { textIn } from "./dom.ts";
import { PATH_CHARS_MAX } from "./protocol.ts";

const NOWHERE = "https://sb.invalid";

/**
 * The route inside the sportsbook that `path` names (path, query, hash). undefined: the path could lead outside the
 * sportsbook. A route begins with exactly one `/`, even after a browser has parsed it. It has no backslashes, no
 * control characters, and at most 1 024 characters. `jwt`, `token` and `brand` are removed from its query, because a
 * link must not log anybody in. The sportsbook's router shows the route. The route is never assigned to `location`.
 */
export function safePath(path: unknown): string | undefined {
  const text = textIn(path);
  if (!(text?.length <= PATH_CHARS_MAX) || !/^\/(?!\/)[^\\\u0000-\u001f\u007f-\u009f]*$/.test(text)) return undefined;
  // A path that begins with a slash always parses.
  const url = new URL(text, NOWHERE);
  // `/..//evil.example` begins with one slash, but its parsed path begins with two.
  if (url.origin !== NOWHERE || url.pathname.startsWith("//")) return undefined;
  // Deleting rewrites the whole query, so it is done only when there is something to delete.
  for (const name of ["jwt", "token", "brand"]) if (url.searchParams.has(name)) url.searchParams.delete(name);
  return url.pathname + url.search + url.hash;
}
