/** The sandbox's players: the same four characters at each of the seven merchants, with money in its currency. */
import type { Currency } from "./ledger.ts";

export interface SandboxPlayer {
  /**
   * The player_id in launches and callbacks. It contains the currency, so that a fault that is set for one player does
   * not affect another player.
   */
  readonly id: string;
  readonly name: string;
  /** The character, which is the same at each merchant. The page has a note about each character. */
  readonly character: string;
  readonly openingMinor: bigint;
  readonly blocked: boolean;
}

/** About 100 US dollars in each currency. The players' balances are multiples of it. */
const PURSE_MINOR: Readonly<Record<Currency, bigint>> = {
  BRL: 500_00n,
  MXN: 2_000_00n,
  ARS: 100_000_00n,
  COP: 400_000_00n,
  CLP: 90_000n,
  PEN: 400_00n,
  USD: 100_00n,
};

const CHARACTERS = [
  { character: "ana", name: "Ana", percent: 100n, blocked: false },
  { character: "bruno", name: "Bruno", percent: 5_000n, blocked: false },
  { character: "carla", name: "Carla", percent: 1n, blocked: false },
  { character: "diego", name: "Diego", percent: 50n, blocked: true },
] as const;

export const playersOf = (currency: Currency): SandboxPlayer[] =>
  CHARACTERS.map(({ character, name, percent, blocked }) => ({
    id: `${character}-${currency.toLowerCase()}`,
    name,
    character,
    openingMinor: (PURSE_MINOR[currency] * percent) / 100n,
    blocked,
  }));
