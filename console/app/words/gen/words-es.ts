// Generated out of contract/ by `npm run generate`. Do not edit.
export const refusals = {
  "INVALID_API_KEY": "Tu sesión terminó.",
  "MERCHANT_DISABLED": "El operador está desactivado.",
  "RATE_LIMITED": "Demasiadas llamadas. Espera unos segundos.",
  "VALIDATION_ERROR": "Un campo no es correcto.",
  "GAME_NOT_FOUND": "No existe ese juego, o está inactivo.",
  "PRODUCT_NOT_ENABLED": "El operador no tiene este producto.",
  "PROVIDER_NOT_SUPPORTED": "El proveedor está inactivo, o no tiene una fuente activa.",
  "LAUNCH_FAILED": "Ninguna fuente del proveedor abrió el juego. La página del proveedor muestra por qué.",
  "WALLET_NOT_CONFIGURED": "El operador no tiene dirección de billetera. Solo se pueden abrir demos.",
  "TRANSACTION_NOT_FOUND": "Este operador no tiene esa transacción.",
  "NOT_RESENDABLE": "Solo se reenvía un premio o reembolso pendiente o fallido, y no un premio que espera su reversión.",
  "ROLE_NOT_ALLOWED": "Esto necesita una clave con un rol más alto. Pídela a un propietario.",
  "FOREIGN_PAGE": "El servicio rechazó la llamada porque no vino de esta página. Carga la página de nuevo.",
  "RECORD_NOT_FOUND": "Ese registro no existe.",
  "ALREADY_EXISTS": "Ya existe un registro con este nombre.",
  "ROTATION_RUNNING": "En este momento valen dos claves secretas. Primero termina o cancela ese cambio.",
  "ROTATION_NOT_RUNNING": "Solo vale una clave secreta: el cambio ya terminó.",
  "NOT_RESOLVABLE": "No se puede cerrar ahora: es demasiado nueva, o se está llamando a la billetera.",
  "OVERLOADED": "El servicio tiene demasiado trabajo en este momento. Espera unos segundos.",
  "SERVICE_UNAVAILABLE": "El servicio no alcanza su base de datos. Si cambiaste algo, mira si está hecho antes de repetirlo.",
  "INTERNAL_ERROR": "Una falla del servicio. Su registro dice más.",
};
export const groups = {
  "day": "Día",
  "merchant": "Operador",
  "provider": "Proveedor",
  "game": "Juego",
  "type": "Tipo",
  "player": "Jugador",
};
export const merchantFacts = {
  "jurisdiction": "Jurisdicción",
  "traceContext": "Cabecera traceparent en las llamadas a la billetera",
};
export const kinds = {
  "tip": "Propina",
  "feature_buy": "Compra de bono",
  "free_rounds": "Rondas gratis",
  "jackpot": "Pozo acumulado",
  "tournament": "Torneo",
  "prize_drop": "Premio sorpresa",
  "promo": "Promoción",
  "cash_out": "Retiro anticipado",
  "adjustment": "Ajuste",
};
