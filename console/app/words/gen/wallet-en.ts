// Generated out of contract/wallet/ by `npm run generate`. Do not edit.
export const walletCodes = {
  "INSUFFICIENT_FUNDS": "the balance is too low",
  "PLAYER_NOT_FOUND": "the wallet does not know the player",
  "PLAYER_BLOCKED": "the player is blocked",
  "LIMIT_REACHED": "a limit of the player is reached",
  "SELF_EXCLUDED": "the player is self-excluded",
  "SESSION_LIMIT": "the limit of the session is reached",
  "GEO_BLOCKED": "bets are not allowed where the player is",
  "TRANSACTION_NOT_FOUND": "the wallet does not know the transaction",
};
