// Generated out of contract/wallet/ by `npm run generate`. Do not edit.
export const walletCodes = {
  "INSUFFICIENT_FUNDS": "o saldo não é suficiente",
  "PLAYER_NOT_FOUND": "a carteira não conhece o jogador",
  "PLAYER_BLOCKED": "o jogador está bloqueado",
  "LIMIT_REACHED": "um limite do jogador foi atingido",
  "SELF_EXCLUDED": "o jogador se autoexcluiu",
  "SESSION_LIMIT": "o limite da sessão foi atingido",
  "GEO_BLOCKED": "apostas não são permitidas onde o jogador está",
  "TRANSACTION_NOT_FOUND": "a carteira não conhece a transação",
};
