import { useEffect, useMemo, useState } from "preact/hooks";

/** A page of the console and its filters, as they stand in the address: `#/transactions?status=pending`. */
export interface Route {
  readonly page: string;
  readonly query: Readonly<Record<string, string>>;
}

function readRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  return { page: path, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** The route of the present address. */
export const currentRoute = (): Route => readRoute(location.hash);

/** The address of a page. Empty filters are left out. */
export function addressOf(page: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  const search = new URLSearchParams(given).toString();
  return `#/${page}${search === "" ? "" : `?${search}`}`;
}

export const go = (page: string, query: Readonly<Record<string, string | undefined>> = {}): void => {
  location.hash = addressOf(page, query);
};

/** The route of the address, kept up to date. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener("hashchange", changed);
    // The address may have changed between the first render and this effect.
    changed();
    return () => removeEventListener("hashchange", changed);
  }, []);
  return useMemo(() => readRoute(hash), [hash]);
}
