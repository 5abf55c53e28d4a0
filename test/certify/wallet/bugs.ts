/**
 * Mistakes of wallets, each with the case that must find it. `also`: other categories that fail because of the mistake.
 */

import type { Currency } from "../../../certify/wallet/calls/money.ts";
import type { Plan } from "../../../certify/wallet/pass.ts";

export interface Bug {
  readonly what: string;
  readonly caughtBy: string;
  readonly also?: "any" | readonly string[];
  /** The mistake breaks a recommendation, so the case ends with a warning. */
  readonly isWarning?: boolean;
  /** The wallet's currency, BRL by default. */
  readonly currency?: Currency;
  /** What the pass needs to find it. */
  readonly plan?: Pick<Partial<Plan>, "pauseMs" | "only">;
}

/** Mistakes that show when earlier ids come again after many others, or after a pause. */
const afterMany = (what: string) => ({ what, caughtBy: "memory/after-many", plan: { only: ["memory"] } });
const afterPause = (what: string) => ({
  what,
  caughtBy: "memory/after-pause",
  plan: { pauseMs: 1_500, only: ["memory/after-pause"] },
});

export const BUGS = {
  "no signature": { what: "no signature is checked", caughtBy: "signature/wrong-secret", also: ["connections"] },
  "absent signature": { what: "a callback without a signature is accepted", caughtBy: "signature/missing-signature" },
  "next unchecked": {
    what: "any callback with a second signature is accepted",
    caughtBy: "signature/next-forged",
  },
  "next beside only": {
    what: "X-Signature-Next is checked only beside an X-Signature",
    caughtBy: "signature/next-alone",
    isWarning: true,
  },
  "no time window": { what: "timestamps of any age are accepted", caughtBy: "signature/stale" },
  "no future window": { what: "timestamps in the future are accepted", caughtBy: "signature/future" },
  "narrow window": { what: "timestamps that are more than a minute off are refused", caughtBy: "signature/late" },
  "seconds pass": { what: "timestamps in seconds are accepted", caughtBy: "signature/seconds" },
  "parsed body": {
    what: "the signature is checked over a body that was parsed and printed again",
    caughtBy: "signature/raw-spaces",
  },
  "latin-1 body": {
    what: "the body is read as Latin-1",
    caughtBy: "signature/raw-utf-8",
    also: ["identifiers", "connections"],
  },
  "half signature": { what: "only half of the signature is compared", caughtBy: "signature/half" },
  "unsigned balance": { what: "the signature of balance queries is not checked", caughtBy: "signature/every-action" },
  "fallback secret": {
    what: "the callbacks of an unknown merchant are checked with the first merchant's secret",
    caughtBy: "signature/unknown-merchant",
  },
  "any secret": { what: "every merchant's secret is tried", caughtBy: "signature/other-merchants-secret" },
  "id before signature": { what: "a tx_id is used up before the signature is checked", caughtBy: "signature/no-trace" },

  "text balance": { what: "balances are texts", caughtBy: "format/bet-reply" },
  "ok is 1": { what: "`ok` is 1 or 0", caughtBy: "format/win-reply" },
  "no zero": {
    what: "a balance of 0 is left out",
    caughtBy: "format/zero-balance",
    also: ["actions", "repeats", "concurrency", "reversals"],
  },
  "rejects with 500": {
    what: "rejections have the status 500",
    caughtBy: "format/rejection-reply",
    also: [
      "actions",
      "concurrency",
      "rejections",
      "reversals",
      "order",
      "blocked",
      "merchants",
      "identifiers",
      "repeats",
    ],
  },

  floats: { what: "balances are floating-point numbers", caughtBy: "precision/tenths", also: ["format"] },
  truncation: { what: "amounts are cut off after amount * 100", caughtBy: "precision/awkward" },
  "32 bits": { what: "balances have 32 bits", caughtBy: "precision/32-bit" },
  "single precision": { what: "balances are 32-bit floating-point numbers", caughtBy: "precision/large" },
  "pesos as cents": { what: "pesos are counted like cents", caughtBy: "precision/pesos", also: "any", currency: "CLP" },

  "balance before": { what: "a bet's reply has the balance before it", caughtBy: "actions/bet" },
  "refund before": { what: "a refund's reply has the balance before it", caughtBy: "actions/refund" },
  "balance fee": { what: "a balance query costs a cent", caughtBy: "actions/balance", also: "any" },
  "first player pays": { what: "the first player pays every bet", caughtBy: "actions/two-players", also: "any" },
  "more than the bet": {
    what: "a bet needs more than its amount",
    caughtBy: "actions/whole-balance",
    also: ["concurrency", "repeats", "reversals", "format"],
  },
  overdraft: {
    what: "bets need no funds",
    caughtBy: "actions/beyond-balance",
    also: ["concurrency", "rejections", "reversals", "order", "merchants", "format"],
  },
  "any bet's currency": {
    what: "a bet's currency is not checked",
    caughtBy: "actions/currency-of-bet",
    also: ["rejections"],
  },
  "any win's currency": { what: "a win's currency is not checked", caughtBy: "actions/currency-of-win" },
  "players appear": {
    what: "an unknown player is created",
    caughtBy: "actions/unknown-player",
    also: ["identifiers", "rejections"],
  },

  "bets twice": {
    what: "a repeated bet is debited again",
    caughtBy: "repeats/bet",
    also: ["connections", "identifiers", "reversals"],
  },
  "wins twice": {
    what: "a repeated win is paid again",
    caughtBy: "repeats/win",
    also: ["connections", "signature", "blocked", "reversals", "identifiers"],
  },
  "refunds twice": {
    what: "a repeated refund is rejected, because its bet is reversed already",
    caughtBy: "repeats/refund",
    also: ["connections", "reversals"],
  },
  "rollbacks twice": {
    what: "a repeated rollback is rejected, because its win is reversed already",
    caughtBy: "repeats/rollback",
    also: ["reversals"],
  },
  "new reply": { what: "the reply to a repeat has the present balance", caughtBy: "repeats/bet-late" },
  "rejects repeats": {
    what: "a repeat is rejected as a duplicate",
    caughtBy: "repeats/win",
    also: ["connections", "identifiers", "blocked", "reversals"],
  },
  "key with amount": {
    what: "repeats are recognised by tx_id and amount",
    caughtBy: "repeats/other-amount",
    also: ["rejections"],
  },
  "key with action": { what: "repeats are recognised by tx_id and action", caughtBy: "repeats/other-action" },
  "key with player": {
    what: "repeats are recognised by tx_id and player",
    caughtBy: "repeats/other-player",
    also: ["rejections"],
  },
  "funds first": { what: "funds are checked before the tx_id", caughtBy: "repeats/bet-without-funds-now" },
  "refund frees": { what: "a refund frees its bet's tx_id", caughtBy: "repeats/bet-after-refund" },
  "rollback frees": { what: "a rollback frees its win's tx_id", caughtBy: "repeats/win-after-rollback" },
  "believes attempts": {
    what: "a callback that says attempt 2 is answered like a repeat",
    caughtBy: "repeats/attempt-header",
  },
  "look before insert": {
    what: "concurrent copies all pass the check of the tx_id",
    caughtBy: "repeats/win-50-at-once",
    also: ["concurrency", "connections"],
  },

  "lost update": {
    what: "the balance is read, and written back later",
    caughtBy: "concurrency/wins",
    also: ["merchants", "connections"],
  },
  "funds before lock": {
    what: "funds are checked before the lock is taken",
    caughtBy: "concurrency/bets-for-30",
    also: ["repeats"],
  },
  "reversal before lock": {
    what: "the check for another reversal comes before the lock",
    caughtBy: "concurrency/refunds",
  },
  "reference before lock": {
    what: "a refund looks for its bet before the lock is taken",
    caughtBy: "concurrency/bet-and-refund",
  },
  "balance after all": {
    what: "the reply's balance is read after the transaction",
    caughtBy: "concurrency/distinct-balances",
  },

  "forgets bet rejections": {
    what: "a bet's rejection is not kept",
    caughtBy: "rejections/bet-kept",
    also: ["concurrency"],
  },
  "forgets unknown players": {
    what: "a bet's PLAYER_NOT_FOUND is not kept",
    caughtBy: "rejections/bet-unknown-player-kept",
  },
  "forgets blocked players": {
    what: "a bet's PLAYER_BLOCKED is not kept",
    caughtBy: "rejections/bet-blocked-kept",
  },
  "forgets rollback rejections": { what: "a rollback's rejection is not kept", caughtBy: "rejections/rollback-kept" },
  "keeps win rejections": { what: "a win's rejection is kept", caughtBy: "rejections/win-anew" },
  "keeps refund rejections": { what: "a refund's rejection is kept", caughtBy: "rejections/refund-anew" },
  "keeps not found": {
    what: "a rollback's TRANSACTION_NOT_FOUND is kept",
    caughtBy: "rejections/rollback-not-found-anew",
  },
  "closes the round": { what: "a rejected bet closes its round for bets", caughtBy: "rejections/new-bet" },

  "no tombstones": {
    what: "a bet is debited although its refund came before it",
    caughtBy: "reversals/refund-tombstone",
  },
  "no win tombstones": {
    what: "a win is paid although its rollback came before it",
    caughtBy: "reversals/rollback-tombstone",
  },
  "two refunds": {
    what: "a bet is refunded under a second id",
    caughtBy: "reversals/refund-second-id",
    also: ["concurrency"],
  },
  "two rollbacks": {
    what: "a win is rolled back under a second id",
    caughtBy: "reversals/rollback-second-id",
    also: ["concurrency"],
  },
  "refunds any amount": {
    what: "a refund's amount is not compared",
    caughtBy: "reversals/refund-less",
    also: ["rejections"],
  },
  "rolls back any amount": {
    what: "a rollback's amount is not compared",
    caughtBy: "reversals/rollback-less",
    also: ["rejections"],
  },
  "refunds wins": { what: "a win is refunded", caughtBy: "reversals/rollback-wrong-action" },
  "rolls back bets": { what: "a bet is rolled back", caughtBy: "reversals/refund-wrong-action" },
  "refunds refunds": { what: "a refund is refunded", caughtBy: "reversals/refund-of-refund" },
  "refunds rollbacks": { what: "a rollback is refunded", caughtBy: "reversals/refund-of-rollback" },
  "rolls back refunds": { what: "a refund is rolled back", caughtBy: "reversals/rollback-of-refund" },
  "rolls back rollbacks": { what: "a rollback is rolled back", caughtBy: "reversals/rollback-of-rollback" },
  "a refused reversal overtakes": {
    what: "a bet that was taken gets its tombstone's rejection after a refused reversal",
    caughtBy: "reversals/refund-other-player",
    also: ["rejections", "identifiers"],
  },
  "refunds rejected bets": { what: "a rejected bet is refunded", caughtBy: "reversals/refund-of-rejected-bet" },
  "refunds anything": {
    what: "a refund is paid without its bet",
    caughtBy: "reversals/refund-unknown",
    also: ["rejections", "blocked", "merchants", "identifiers"],
  },
  "refunds anyone": { what: "a player gets the refund of another's bet", caughtBy: "reversals/refund-other-player" },
  "any reversal's currency": {
    what: "a reversal's currency is not checked",
    caughtBy: "reversals/refund-currency",
  },
  "any refused reversal counts": {
    what: "a refused reversal of an applied transaction uses up its reversal",
    caughtBy: "reversals/refund-wrong-action",
    also: ["rejections", "merchants", "identifiers"],
  },
  "another player's refund counts": {
    what: "a refused refund of another player's bet uses up its refund",
    caughtBy: "reversals/refund-other-player",
  },
  "refund in another currency counts": {
    what: "a refused refund in another currency uses up the bet's refund",
    caughtBy: "reversals/refund-currency",
  },
  "rollback needs funds": {
    what: "a rollback is rejected when the player has spent the win",
    caughtBy: "reversals/rollback-negative",
  },
  "stops at zero": { what: "a rollback takes at most the present balance", caughtBy: "reversals/rollback-below-zero" },
  "wrong refund counts": {
    what: "a refund of a wrong amount uses up the bet's refund",
    caughtBy: "reversals/refund-less",
    also: ["rejections"],
  },

  "win needs a bet": {
    what: "a win needs a bet in its round",
    caughtBy: "order/win-without-bet",
    also: "any",
  },
  "one bet a round": { what: "a round may have only one bet", caughtBy: "order/equal-bets" },
  "one win a round": {
    what: "a round may have only one win",
    caughtBy: "order/many-in-a-round",
    also: ["identifiers"],
  },
  "refund ends the round": {
    what: "a win is rejected if it comes after a refund in its round",
    caughtBy: "order/win-after-refund",
  },
  "bet before win": {
    what: "a bet is rejected if it comes after a win in its round",
    caughtBy: "order/win-before-bet",
  },
  "win ends the round": {
    what: "a refund is rejected if it comes after a win in its round",
    caughtBy: "order/refund-after-win",
  },
  "rejected round": {
    what: "a win is rejected if it comes after a rejected bet in its round",
    caughtBy: "order/win-after-rejected-bet",
  },

  "blocked players bet": { what: "blocked players can bet", caughtBy: "blocked/bet", also: ["rejections"] },
  "blocked wins": { what: "blocked players get no wins", caughtBy: "blocked/win" },
  "blocked rollbacks": { what: "a blocked player's win is not rolled back", caughtBy: "blocked/rollback" },
  "blocked refunds": { what: "blocked players get no refunds", caughtBy: "blocked/refund" },

  "shared ids": { what: "tx_ids are not scoped by merchant", caughtBy: "merchants/same-tx-id" },
  "shared players": { what: "players are not scoped by merchant", caughtBy: "merchants/same-player-id" },
  "shared tombstones": { what: "tombstones are not scoped by merchant", caughtBy: "merchants/tombstone-across" },

  "short ids": { what: "ids are cut off after 64 bytes", caughtBy: "identifiers/last-byte" },
  "narrow ids": { what: "ids over 100 bytes are refused", caughtBy: "identifiers/long-tx-id" },
  "case-blind ids": { what: "ids are compared without case", caughtBy: "identifiers/case" },
  "accent-blind ids": { what: "ids are compared without accents", caughtBy: "identifiers/accents" },
  "normalised ids": { what: "ids are normalised", caughtBy: "identifiers/normal-forms" },
  "trimmed ids": { what: "ids lose spaces at their end", caughtBy: "identifiers/trailing-space" },
  "numeric ids": { what: "ids of digits are read as floating-point numbers", caughtBy: "identifiers/long-numbers" },
  "own ids": { what: "the provider's prefix is cut off", caughtBy: "identifiers/providers" },
  "no emoji": { what: "ids with an emoji are refused", caughtBy: "identifiers/emoji" },
  "ids without emojis": {
    what: "each character beyond the first plane is stored as a question mark",
    caughtBy: "identifiers/emojis",
  },
  "case-blind references": { what: "ref_tx_id is compared without case", caughtBy: "identifiers/case-reference" },
  "accent-blind references": {
    what: "ref_tx_id is compared without accents",
    caughtBy: "identifiers/accents-reference",
  },
  "trimmed references": {
    what: "spaces at the end of ref_tx_id are ignored",
    caughtBy: "identifiers/trailing-space-reference",
  },
  "references without emojis": {
    what: "each character of ref_tx_id beyond the first plane is read as a question mark",
    caughtBy: "identifiers/emojis-reference",
  },
  "case-blind players": { what: "player_id is compared without case", caughtBy: "identifiers/player-case" },
  "accent-blind players": { what: "player_id is compared without accents", caughtBy: "identifiers/player-accent" },
  "trimmed players": { what: "spaces at the end of player_id are ignored", caughtBy: "identifiers/player-space" },
  "players without emojis": {
    what: "player_id ends before its first emoji",
    caughtBy: "identifiers/player-emoji",
  },
  "players without spaces": {
    what: "spaces before player_id are ignored",
    caughtBy: "identifiers/player-space-before",
  },
  "players without zeros": { what: "zeros before player_id are ignored", caughtBy: "identifiers/player-zero" },
  "known kinds only": { what: "a kind that the wallet does not know is refused", caughtBy: "identifiers/kinds" },
  "no prizes": {
    what: "prizes of promotions are refused",
    caughtBy: "identifiers/promotion-without-round",
  },
  "strict schema": { what: "unknown fields are refused", caughtBy: "identifiers/unknown-fields" },
  "short player ids": { what: "long player_ids are refused", caughtBy: "identifiers/long-player" },

  "decodes pieces": { what: "each piece of the body is decoded by itself", caughtBy: "connections/split-character" },
  "first piece": { what: "the first piece of the body is taken for all of it", caughtBy: "connections/slow-sender" },
  "header case": { what: "header names in lower case are not found", caughtBy: "connections/lower-case-headers" },
  "stops when cut": {
    what: "a closed connection stops the work after the balance has changed and before the record is stored",
    caughtBy: "connections/cut-bet",
  },
  "stores after the reply": {
    what: "a transaction is recorded only when its reply was written",
    caughtBy: "connections/cut-bet",
    also: ["repeats", "concurrency"],
  },
  "few connections": {
    what: "more than 30 calls at once get a 503",
    caughtBy: "connections/many-connections",
    also: "any",
  },

  "short memory": { what: "only the last 15 tx_ids are remembered", caughtBy: "random", also: "any" },
  "memory of 200": afterMany("only the last 200 tx_ids are remembered"),
  "memory of 1000": afterMany("only the last 1 000 tx_ids are remembered"),
  "memory of 1000 of a player": afterMany("only the last 1 000 tx_ids of each player are remembered"),
  "200 tombstones": afterMany("only the last 200 tombstones are kept"),
  "200 rejections": afterMany("only the last 200 rejections are kept"),
  "200 reversals": afterMany("only the last 200 reversed transactions are known as reversed"),
  "reversals for a second": afterPause("a reversed transaction is known as reversed for a second"),
  "references for a second": afterPause("a bet or win is found by its reversal for a second"),
  "rounds for a second": afterPause("a round is open for a second after its bet"),
  "memory of a second": afterPause("tx_ids are remembered for a second"),
  "tombstones for a second": afterPause("tombstones are kept for a second"),
  "rejections for a second": afterPause("rejections are kept for a second"),
  "loses its memory": afterMany("the memory of tx_ids is lost once, after 700 transactions"),
} as const satisfies Record<string, Bug>;

export type BugName = keyof typeof BUGS;
