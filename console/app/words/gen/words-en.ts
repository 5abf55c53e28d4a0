// Generated out of contract/ by `npm run generate`. Do not edit.
export const refusals = {
  "INVALID_API_KEY": "Your session has ended.",
  "MERCHANT_DISABLED": "The merchant is disabled.",
  "RATE_LIMITED": "Too many calls. Wait some seconds.",
  "VALIDATION_ERROR": "A field has a wrong value.",
  "GAME_NOT_FOUND": "There is no such game, or it is inactive.",
  "PRODUCT_NOT_ENABLED": "The merchant does not have this product.",
  "PROVIDER_NOT_SUPPORTED": "The provider is inactive, or has no enabled source.",
  "LAUNCH_FAILED": "No source of the provider opened the game. The provider's page shows why.",
  "WALLET_NOT_CONFIGURED": "The merchant has no wallet address. Only demos can be opened.",
  "TRANSACTION_NOT_FOUND": "This merchant has no such transaction.",
  "NOT_RESENDABLE": "Only a pending or failed win or refund can be sent again, and not a win that waits for its rollback.",
  "ROLE_NOT_ALLOWED": "This needs a key with a higher role. Ask an owner.",
  "FOREIGN_PAGE": "The service refused the call because it did not come from this page. Load the page again.",
  "RECORD_NOT_FOUND": "There is no such record.",
  "ALREADY_EXISTS": "A record has this name already.",
  "ROTATION_RUNNING": "Two secrets are valid. Finish or cancel that rotation first.",
  "ROTATION_NOT_RUNNING": "Only one secret is valid: the rotation has ended.",
  "NOT_RESOLVABLE": "It can't be closed now: it is too new, or the wallet is being called.",
  "OVERLOADED": "The service has too much work at the moment. Wait some seconds.",
  "SERVICE_UNAVAILABLE": "The service can't reach its database. If you changed something, look whether it is done before you repeat it.",
  "INTERNAL_ERROR": "The service has a fault. Its log says more.",
};
export const groups = {
  "day": "Day",
  "merchant": "Merchant",
  "provider": "Provider",
  "game": "Game",
  "type": "Type",
  "player": "Player",
};
export const merchantFacts = {
  "jurisdiction": "Jurisdiction",
  "traceContext": "Header traceparent in wallet calls",
};
export const kinds = {
  "tip": "Tip",
  "feature_buy": "Feature buy",
  "free_rounds": "Free rounds",
  "jackpot": "Jackpot",
  "tournament": "Tournament",
  "prize_drop": "Prize drop",
  "promo": "Promotion",
  "cash_out": "Cash-out",
  "adjustment": "Adjustment",
};
