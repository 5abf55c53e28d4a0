import type { Game } from "../../../ports/settings-store.ts";
import { toTimestamp } from "./timestamp.ts";

/** The details of a game. The domain has checked them, so each has the right type or is missing. */
interface KnownDetails {
  readonly images?: Readonly<Record<"thumb" | "square" | "background", string | null>>;
  readonly tags?: string[];
  readonly rtp?: number;
  readonly volatility?: string;
  readonly free_rounds?: boolean;
  readonly jackpot?: boolean;
  readonly platforms?: string[];
  readonly languages?: string[];
  readonly blocked_countries?: string[];
  readonly released_at?: string;
  readonly names?: Record<string, string>;
}

/** A game as all packages of the API show it. */
export function toGame({ provider, code, name, type, demoAvailable, active, details, updatedAt }: Game) {
  const {
    images,
    tags,
    rtp,
    volatility,
    free_rounds,
    jackpot,
    platforms,
    languages,
    blocked_countries,
    released_at,
    names,
  }: KnownDetails = details;
  return {
    provider,
    code,
    name,
    type,
    demoAvailable,
    active,
    ...(images && {
      images: { thumb: images.thumb ?? "", square: images.square ?? "", background: images.background ?? "" },
    }),
    ...(tags && { tags: { values: tags } }),
    ...(rtp !== undefined && { rtp }),
    ...(volatility !== undefined && { volatility }),
    ...(free_rounds !== undefined && { freeRounds: free_rounds }),
    ...(jackpot !== undefined && { jackpot }),
    ...(platforms && { platforms: { values: platforms } }),
    ...(languages && { languages: { values: languages } }),
    ...(blocked_countries && { blockedCountries: { values: blocked_countries } }),
    ...(released_at !== undefined && { releasedAt: toTimestamp(Date.parse(released_at)) }),
    ...(names && { names: { values: names } }),
    updatedAt: toTimestamp(updatedAt),
  };
}
