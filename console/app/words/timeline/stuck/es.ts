import type { TimelineWords } from "../en.ts";

export const stuck: TimelineWords["stuck"] = {
  title: "Dinero debido y detenido",
  lead: "Premios y reembolsos que los jugadores esperan, y otro dinero que necesita a una persona. Elige un tipo para ver solo sus transacciones.",
  none: "No se debe nada y nada está detenido",
  noneText:
    "Ningún jugador espera un premio o reembolso, ninguna transacción está pendiente más allá de su horizonte y cada cupón terminó. Las llamadas que aún esperan su primera respuesta no se cuentan.",
  owedNow: "Se debe a jugadores ahora",
  owedSum: (amount, many, one) =>
    one
      ? `Los jugadores esperan ${amount} en 1 premio o reembolso.`
      : `Los jugadores esperan ${amount} en ${many} premios y reembolsos.`,
  owedNone: "Ningún jugador espera un premio o reembolso.",
  other: "Otro dinero detenido",
  otherNone: "Nada más está detenido.",
  noneOf: "Aquí no hay nada detenido de este tipo",
  noneOfText: "Elige otro tipo, operador o antigüedad.",
  incomplete:
    "El servicio todavía busca créditos fallidos y contradicciones entre las transacciones anteriores. Estas cifras aún no están completas.",
  what: {
    unanswered:
      "La billetera no respondió hasta el horizonte, y el servicio ya no envía estos premios y reembolsos. Pregunta al operador qué muestran sus registros.",
    retrying:
      "La billetera aún no confirmó estos premios y reembolsos. El servicio los reenvía por sí mismo, al menos cada 5 minutos. Primero va el próximo envío. No tienes que hacer nada.",
    owed: "La billetera rechazó un premio o un reembolso.",
    pending:
      "Nadie sabe si el dinero se movió, y el servicio ya no pregunta. Pregunta al operador qué muestran sus registros.",
    contradiction:
      "La billetera dio dos respuestas que no pueden ser ambas ciertas. Compara sus registros con la cronología. Queda aquí como máximo 90 días después de su transacción.",
    slip: "Un cupón no terminó después de 10 minutos. El servicio sigue con él. Su cronología muestra qué apuesta o reembolso no terminó.",
  },
  acts: {
    resend: {
      own: "Reenvía la transacción cuando el operador haya eliminado la causa.",
      other: "Una clave con el rol Soporte puede reenviarla.",
    },
    resolve: {
      own: "Cierra la transacción a mano si los registros muestran qué pasó.",
      other: "Una clave con el rol Gestión puede cerrarla a mano.",
    },
    closeContradiction: {
      own: "Ciérrala en su cronología cuando el operador esté de acuerdo.",
      other: "Una clave con el rol Gestión puede cerrarla en su cronología.",
    },
  },
  says: {
    unanswered: (amount, many, one) =>
      one
        ? `${amount} en 1 premio o reembolso no tuvieron respuesta.`
        : `${amount} en ${many} premios y reembolsos no tuvieron respuesta.`,
    retrying: (amount, many, one) =>
      one
        ? `${amount} en 1 premio o reembolso: el servicio todavía lo envía.`
        : `${amount} en ${many} premios y reembolsos: el servicio todavía los envía.`,
    owed: (amount, players, one) =>
      one ? `Se deben ${amount} a 1 jugador.` : `Se deben ${amount} a ${players} jugadores.`,
    pending: (amount, many, one) =>
      one
        ? `${amount} en 1 transacción pendiente, sin respuesta clara.`
        : `${amount} en ${many} transacciones pendientes, sin respuesta clara.`,
    contradiction: (amount, many, one) =>
      one
        ? `La billetera se contradijo en 1 transacción de ${amount}.`
        : `Las billeteras se contradijeron en ${many} transacciones de ${amount}.`,
    slip: (amount, many, one) =>
      one ? `1 cupón de ${amount} no termina.` : `${many} cupones de ${amount} no terminan.`,
  },
  atLeast: "Al menos:",
  more: "De un operador solo se cuentan los 1.000 más antiguos. La lista y el archivo CSV los tienen todos.",
  age: "Antigüedad",
  ages: { "0": "Cualquiera", "1": "1 día o más", "7": "7 días o más", "30": "30 días o más" },
  byMerchant: "Por operador y antigüedad",
  number: "Cantidad",
  players: "Jugadores",
  value: "Valor",
  list: "Transacciones",
  slips: "Cupones",
  slip: "Cupón",
  needsSupport: "La lista muestra jugadores, así que necesita una clave con el rol soporte.",
  reading: (many) => `${many} leídas`,
  capped: (many) => `El archivo tiene las primeras ${many}. Elige un operador o una antigüedad para obtener las demás.`,
  resendHint: "Elige un operador para marcar transacciones y reenviarlas juntas.",
};
