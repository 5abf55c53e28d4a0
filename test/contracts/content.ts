import type { Content, GameRef } from "../../src/domain/transaction/transaction.ts";
import { CARRIED } from "../../src/domain/values/carried.ts";
import type { PlayerId, TxId } from "../../src/domain/values/identifiers.ts";

/** A wire id of the provider in {@link contentOf}. */
export const id = (own: string): TxId => `ACME:${own}` as TxId;

/**
 * A bet of a merchant's player.
 *
 * @param more - replaces fields.
 */
export const contentOf = (
  { merchantId, game }: { readonly merchantId: number; readonly game: GameRef },
  more: Partial<Content>,
): Content => ({
  // Each carried text has its name as its value, so that the stores are tested with all of them.
  ...Object.fromEntries(CARRIED.map(({ property }) => [property, property])),
  merchantId,
  txId: id("tx"),
  action: "bet",
  playerId: "ana" as PlayerId,
  roundId: "round",
  amountMinor: 250n,
  currency: "BRL",
  game,
  refTxId: null,
  ...more,
});
