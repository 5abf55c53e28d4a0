/** The page's own address and its query parameter sb-path, which holds the sportsbook's route. */
const PARAMETER = "sb-path";

/** The route in the page's address, as it is written there; null without one. */
export function pageRoute(): string | null {
  return new URLSearchParams(location.search).get(PARAMETER);
}

/** Writes the route there, in place of the page's present history entry. The rest of the address stays as it is, to the letter. */
export function setPageRoute(route: string): void {
  if (route === pageRoute()) return;
  const others = location.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && pair.split("=")[0] !== PARAMETER);
  const value = encodeURIComponent(route).replaceAll("%2F", "/");
  // The whole address: a relative one would follow the document's <base>.
  history.replaceState(history.state, "", `${location.origin}${location.pathname}?${[...others, `${PARAMETER}=${value}`].join("&")}${location.hash}`);
}
