import type { Words } from "./en.ts";

export const es: Words = {
  title: "La billetera de los operadores",
  languages: "Idioma",
  lead: "Todos los operadores de este sandbox usan esta billetera, un operador por moneda. El servicio envía a esta dirección cada consulta de saldo, apuesta, premio, reembolso y reversión, con la firma de la clave secreta del operador. La respuesta de la billetera decide.",
  play: "Jugar en el sitio del operador",
  rules: "Las reglas",
  rulesIntro: "La billetera de cada operador sigue estas reglas, para que el dinero se mueva exactamente una vez.",
  ruleList: {
    signature: { title: "Primero la firma", text: "Una llamada con firma incorrecta recibe 401 y no cambia nada." },
    once: {
      title: "Una vez por tx_id",
      text: "La primera respuesta se guarda junto con el dinero. El mismo tx_id recibe la misma respuesta, y nada se mueve.",
    },
    funds: {
      title: "Una apuesta necesita dinero",
      text: "Una apuesta mayor que el saldo es INSUFFICIENT_FUNDS. La apuesta de un jugador bloqueado es PLAYER_BLOCKED.",
    },
    credits: {
      title: "Los créditos siempre se pagan",
      text: "Un jugador bloqueado recibe igual sus premios y reembolsos. Un premio puede llegar antes que su apuesta.",
    },
    rejection: {
      title: "El rechazo de una apuesta permanece",
      text: "La misma apuesta recibe el mismo rechazo. Un premio o reembolso rechazado se evalúa de nuevo cuando vuelve.",
    },
    refund: {
      title: "Un reembolso indica su apuesta",
      text: "Una apuesta tiene un solo reembolso, por el monto completo. El reembolso de una apuesta que nunca llegó es TRANSACTION_NOT_FOUND, y esa apuesta se rechaza si todavía llega.",
    },
    rollback: {
      title: "Una reversión puede dejar el saldo negativo",
      text: "Retira un premio, aunque el jugador ya haya gastado el dinero.",
    },
    cents: {
      title: "Los montos son centavos enteros",
      text: "El peso chileno no tiene centavos. La billetera calcula sin fracciones.",
    },
  },
  ledger: "Los movimientos",
  currency: "Moneda",
  updated: (time) => `Actualizado a las ${time}`,
  loading: "Leyendo los movimientos",
  failed: "La billetera no responde",
  failedText: "¿El sandbox sigue en marcha? La página sigue intentando.",
  stale: (time) => `Las cifras son de las ${time}.`,
  retry: "Intentar de nuevo",
  players: "Jugadores",
  player: "Jugador",
  balance: "Saldo",
  blocked: "bloqueado: las apuestas se rechazan",
  transactions: "Últimas transacciones",
  shown: (shown, all) => (shown === all ? `${all}` : `${shown} de ${all}`),
  empty: "Todavía no hay transacciones",
  emptyText: "Juega en esta moneda. Cada apuesta y cada premio aparece aquí.",
  bet: "Apuesta",
  win: "Premio",
  refund: "Reembolso",
  rollback: "Reversión",
  by: (player) => `de ${player}`,
  round: (id) => `ronda ${id}`,
  reverses: (id) => `revierte ${id}`,
};
