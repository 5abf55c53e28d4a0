import { SPORTS, type Sport } from "../model/scores.ts";

/** A page of the sportsbook. */
export type Route =
  | { readonly page: "board"; readonly only: "all" | "live" | { readonly sport: Sport } | { readonly league: string } }
  | { readonly page: "event"; readonly id: string }
  | { readonly page: "bets" };

/** The page of a path. An unknown path leads to the start page. */
export function routeOf(path: string): Route {
  const [, first = "", second = ""] = path.split(/[?#]/, 1)[0]?.split("/") ?? [];
  if (first === "bets") return { page: "bets" };
  if (first === "event" && second !== "") return { page: "event", id: second };
  if (first === "live") return { page: "board", only: "live" };
  if (first === "sport" && (SPORTS as readonly string[]).includes(second))
    return { page: "board", only: { sport: second as Sport } };
  if (first === "league" && second !== "") return { page: "board", only: { league: second } };
  return { page: "board", only: "all" };
}
