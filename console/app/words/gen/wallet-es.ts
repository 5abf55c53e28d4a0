// Generated out of contract/wallet/ by `npm run generate`. Do not edit.
export const walletCodes = {
  "INSUFFICIENT_FUNDS": "el saldo no alcanza",
  "PLAYER_NOT_FOUND": "la billetera no conoce al jugador",
  "PLAYER_BLOCKED": "el jugador está bloqueado",
  "LIMIT_REACHED": "se alcanzó un límite del jugador",
  "SELF_EXCLUDED": "el jugador se autoexcluyó",
  "SESSION_LIMIT": "se alcanzó el límite de la sesión",
  "GEO_BLOCKED": "no se permiten apuestas donde está el jugador",
  "TRANSACTION_NOT_FOUND": "la billetera no conoce la transacción",
};
