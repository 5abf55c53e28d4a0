/** The logged-in player, as the page's server describes it. Balances are in the major unit. */
export interface Player {
  readonly player: string;
  readonly name: string;
  readonly merchant: string;
  readonly currency: string;
  readonly balance: number;
  readonly fault: string;
}

export type Currencies = readonly {
  readonly merchant: string;
  readonly currency: string;
  readonly players: readonly {
    readonly id: string;
    readonly name: string;
    /** The key of the note about this player. */
    readonly character: string;
    readonly balance: number;
  }[];
}[];

/** The fields of a catalog's game that the lobby shows. */
export interface Game {
  readonly provider: string;
  readonly code: string;
  readonly name: string;
  readonly type: string;
  readonly demo_available: boolean;
  readonly images: {
    readonly thumb: string | null;
    readonly square: string | null;
    readonly background: string | null;
  } | null;
  readonly tags: readonly string[] | null;
  readonly rtp: number | null;
}
