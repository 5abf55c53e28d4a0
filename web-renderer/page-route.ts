/** The query parameter of the page's own address that holds the sportsbook's route. */
const PARAMETER = "sb-path";

/** The route in the page's address, unchecked; null: there is none. */
export function pageRoute(): string | null {
  return new URL(location.href).searchParams.get(PARAMETER);
}

/**
 * Writes the route to the page's address and replaces the current history entry. The rest of the address stays exactly
 * as it is.
 */
export function setPageRoute(route: string): void {
  // The start page needs no parameter.
  if (route === (pageRoute() ?? "/")) return;
  const others = location.search
    .slice(1)
    .split("&")
    .filter((pair) => pair && pair.split("=")[0] !== PARAMETER);
  if (route !== "/") others.push(`${PARAMETER}=${encodeURIComponent(route).replaceAll("%2F", "/")}`);
  // The absolute address, because a relative one would follow the document's <base>.
  const url = new URL(location.href);
  url.search = others.join("&");
  history.replaceState(history.state, "", url);
}
