/** How Evolution speaks: its address with the token, and what it reads in a launch. */
import type { Received, UpstreamCall } from "./fake-server.ts";

const AUTH_TOKEN = "a-secret-of-evolution";
const CASINO_KEY = "casino1";
const API_TOKEN = "launch-token";

/** The body of a launch call. */
export interface EvolutionLaunch {
  readonly player: {
    readonly id: string;
    readonly language: string;
    readonly currency: string;
    readonly session: { readonly id: string };
  };
  readonly config: {
    readonly game: { readonly table: { readonly id: string } };
    readonly urls?: { readonly lobby?: string };
  };
}

export const evolutionWire = {
  /** The provider's code at the aggregator. */
  provider: "EVOLUTION",
  /** The settings that a connector needs, given the address of the upstream's API. */
  variables: (url: string): Readonly<Record<string, string>> => ({
    EVOLUTION_URL: url,
    EVOLUTION_CASINO_KEY: CASINO_KEY,
    EVOLUTION_API_TOKEN: API_TOKEN,
    EVOLUTION_AUTH_TOKEN: AUTH_TOKEN,
  }),
  /** `call`: check, balance, debit, credit, cancel, promo_payout or sid. */
  request: (call: string, body: string, authToken = AUTH_TOKEN): UpstreamCall => ({
    path: `/one/${call}?authToken=${authToken}`,
    headers: { "content-type": "application/json" },
    body,
  }),
  /** A launch of the connector; undefined: its casino or token is wrong. */
  read({ path, body }: Received): EvolutionLaunch | undefined {
    return path === `/ua/v1/${CASINO_KEY}/${API_TOKEN}` ? (JSON.parse(body) as EvolutionLaunch) : undefined;
  },
};
