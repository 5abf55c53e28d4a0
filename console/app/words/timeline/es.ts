import { walletCodes } from "../gen/wallet-es.ts";
import type { TimelineWords } from "./en.ts";
import { rounds } from "./rounds/es.ts";
import { stuck } from "./stuck/es.ts";

export const es: TimelineWords = {
  rounds,
  stuck,
  walletHints: {
    percentiles: "p50, p95 y p99: si p95 es 200 ms, 95 de cada 100 llamadas tardaron como máximo 200 ms.",
    states:
      "Estado: cómo respondió la billetera en los últimos 5 minutos. Lenta: 1 de cada 20 llamadas tarda un segundo o más. Falla: al menos 1 de cada 20 llamadas queda sin respuesta, o se retienen llamadas, o lo dice una alerta. Mientras un premio o un reembolso espera respuesta, solo cuentan las llamadas de dinero.",
    held: "Llamadas retenidas: la billetera falló, así que el disyuntor del servicio deja pasar solo unas pocas llamadas hasta que vuelva a responder.",
    places: "A la vez / límite: el máximo de llamadas al mismo tiempo, y cuántas se permiten.",
  },
  jump: {
    title: "Ir a una página o un registro",
    label: "Página, operador, transacción, ronda o jugador",
    found: (many) => (many === 1 ? "1 lugar coincide" : `${many} lugares coinciden`),
    none: "Nada coincide. Escribe el comienzo de un código, un id o un jugador.",
    page: "Página",
    all: (text) => `Buscar “${text}”`,
  },
  search: {
    label: "Transacción, ronda, jugador, o el identificador del proveedor",
    act: "Encontrar",
    found: "Encontrado por",
    matches: { tx_id: "Identificador", round_id: "Ronda", player_id: "Jugador" },
    none: (text) => `Ninguna transacción, ronda o jugador es exactamente «${text}».`,
    noneText: "Escribe el id entero o su comienzo.",
    beginnings: (text) => `Nada es exactamente “${text}”. Esto empieza así:`,
    more: "Hay más. Elige una ronda o un jugador para ver todas sus transacciones.",
  },
  player: {
    title: (player, merchant) => `Jugador ${player} (${merchant})`,
    nothing: "Las transacciones de este jugador están en orden.",
    wrong: "Transacciones con un problema:",
    and: "y",
    tooLow: (amount, credits) => `Al saldo le faltan ${amount}: la billetera rechazó ${credits}.`,
    credits: {
      "owed win": (many, one) => (one ? "1 premio" : `${many} premios`),
      "owed refund": (many, one) => (one ? "1 reembolso" : `${many} reembolsos`),
    },
    groups: {
      "owed win": (many, one) => (one ? "1 premio rechazado" : `${many} premios rechazados`),
      "owed refund": (many, one) => (one ? "1 reembolso rechazado" : `${many} reembolsos rechazados`),
      "pending win": (many, one) => (one ? "1 premio en camino" : `${many} premios en camino`),
      "pending refund": (many, one) => (one ? "1 reembolso en camino" : `${many} reembolsos en camino`),
      "pending bet": (many, one) => (one ? "1 apuesta pendiente" : `${many} apuestas pendientes`),
      "pending rollback": (many, one) => (one ? "1 reversión pendiente" : `${many} reversiones pendientes`),
      contradiction: (many, one) =>
        one ? "1 contradicción de la billetera" : `${many} contradicciones de la billetera`,
    },
    all: "Todas las transacciones de este jugador",
    more: "Solo se revisaron las transacciones más nuevas de este jugador. Puede haber más.",
    noBalance: "El servicio todavía no conoce ningún saldo de este jugador.",
    known: (amount, time) => `El último saldo que conoció el servicio es ${amount} (${time}):`,
    ask: "Preguntar a la billetera",
    asking: "Preguntando",
    askHint: "No mueve dinero. La auditoría lo registra.",
    stillMissing: (amount) => `Los ${amount} rechazados todavía faltan.`,
    says: (amount, time) => `La billetera dice ${amount} ahora, a las ${time}.`,
    same: "Es lo último que conoció el servicio.",
    above: (amount) => `Son ${amount} más que lo último que conoció el servicio.`,
    below: (amount) => `Son ${amount} menos que lo último que conoció el servicio.`,
    why: "El servicio no ve los depósitos, los retiros ni otros cambios que hace el propio operador.",
    noAnswer: "La billetera no dio ningún saldo.",
  },
  transaction: {
    back: "Todas las transacciones",
    none: "La dirección no indica ninguna transacción",
    timeline: "Qué pasó",
    facts: "Datos",
    reverses: "Revierte",
    endedBy: "Cerrada por",
    ended: {
      resend: "Una llamada que el servicio repitió",
      manual: "Una persona, a mano",
      refund: "El reembolso",
      rollback: "La reversión",
    },
    sending: "El servicio pregunta ahora a la billetera. Esta página muestra la respuesta cuando llega.",
    created: "Creada",
    changed: "Último cambio",
    tell: "Qué se le puede decir al jugador",
    tellNothing: "Todavía nada seguro: la billetera dio dos respuestas opuestas. Compara primero sus registros.",
    safe: "Es seguro. La billetera acredita un identificador una sola vez, así que el jugador no puede cobrar dos veces. Si la causa no se corrige, la billetera lo rechazará de nuevo. Pregunta antes al operador.",
    each: "Mostrar cada intento",
    reply: "Lo que envió la billetera",
    next: (time) => `El servicio vuelve a preguntar a la billetera a las ${time}.`,
    contradiction:
      "La billetera dio dos respuestas sobre esta transacción que no pueden ser ciertas a la vez. Compara sus registros con lo que pasó abajo.",
    noNext: {
      bet: "El servicio no reenvía una apuesta por sí mismo. Su proveedor la repite o la reembolsa.",
      win: "El servicio ya no lo reenvía por sí mismo. Reenvíalo, o ciérralo con pruebas.",
      refund: "El servicio ya no lo reenvía por sí mismo. Reenvíalo, o ciérralo con pruebas.",
      rollback: "El servicio no reenvía una reversión por sí mismo. Su proveedor la repite.",
    },
  },
  /** The codes of wallets, in words. */
  codes: {
    ...walletCodes,
    ACCOUNT_CLOSED: "la cuenta del jugador está cerrada",
    CURRENCY_MISMATCH: "la moneda es otra",
    AMOUNT_MISMATCH: "el monto es otro",
    ALREADY_REVERSED: "la transacción ya está revertida",
    TRANSACTION_REVERSED: "la transacción ya está revertida",
    REJECTED: "la billetera no dio un motivo",
    UNKNOWN: "la billetera no dio un motivo",
  },
  timeline: {
    created: {
      bet: (player, amount) => `${player} apostó ${amount}.`,
      win: (player, amount) => `${player} ganó ${amount}.`,
      refund: (player, amount) => `El proveedor devolvió a ${player} una apuesta de ${amount}.`,
      rollback: (player, amount) => `El proveedor retiró a ${player} un premio de ${amount}.`,
    },
    where: (game, provider, round) => `Juego ${game} de ${provider}, ronda ${round}`,
    asked: "El servicio preguntó a la billetera.",
    askedAgain: (pause) =>
      `El servicio volvió a preguntar a la billetera después de ${pause}, con el mismo identificador.`,
    accepted: (took) => `La billetera aceptó después de ${took}.`,
    rejected: (took, code) => `La billetera rechazó después de ${took}${code === "" ? "" : `: ${code}`}.`,
    timeout: (took) => `La billetera no respondió en ${took}.`,
    connect: "No se pudo abrir una conexión con ella.",
    tls: "La conexión cifrada con la billetera falló.",
    http5xx: (status, took) =>
      `La billetera respondió con HTTP ${status} después de ${took}, así que nadie sabe si el dinero se movió.`,
    unreadable: (took) => `La billetera respondió después de ${took}, pero la respuesta no se pudo leer.`,
    noEnd: "La llamada no terminó, o su proceso murió.",
    balance: (player, amount) => `El saldo de ${player} era entonces ${amount}.`,
    reversed: (id) => `${id} revierte esta transacción.`,
    more: (many, ending) => `${many} intentos más, cada uno terminó con ${ending}.`,
    last: (time) => `El último: ${time}`,
    endings: {
      http: (status) => `HTTP ${status}`,
      timeout: "ninguna respuesta a tiempo",
      connect: "ninguna conexión",
      tls: "un fallo de TLS",
      unreadable: "una respuesta ilegible",
      rejected: "un rechazo",
    },
    tell: {
      credited: (_player, amount) =>
        `Los ${amount} se acreditaron. Si ves un saldo sin ellos, ese saldo está desactualizado.`,
      debited: (_player, amount) => `Los ${amount} se retiraron para este juego.`,
      owed: (_player, amount) => `Los ${amount} están registrados y se te deben. Todavía no están en tu saldo.`,
      notDebited: (_player, amount) => `Los ${amount} no se retiraron. Tu saldo no cambió.`,
      creditOpen: (_player, amount) =>
        `Los ${amount} están registrados y no se pierden. Puede que aún no estén en tu saldo.`,
      debitOpen: (_player, amount) =>
        `Todavía no está confirmado. Si los ${amount} se retiraron, cuentan para el juego o vuelven.`,
    },
    people: {
      looked: (actor) => `${actor} consultó la transacción.`,
      resent: (actor) => `${actor} pidió el reenvío.`,
      closed: {
        success: (actor) => `${actor} la cerró a mano como hecha, con pruebas.`,
        failed: (actor) => `${actor} la cerró a mano como fallida, con pruebas.`,
      },
      settled: (actor) => `${actor} cerró la contradicción de la billetera.`,
      evidence: (text) => `Pruebas: ${text}`,
      did: (actor, action) => `Por ${actor}: ${action}`,
    },
    slip: {
      came: (id, bets) => `El cupón ${id} llegó con ${bets} apuestas.`,
      title: (id) => `Cupón ${id}`,
      statuses: {
        running: "Sus apuestas todavía están en camino.",
        accepted: "Todas sus apuestas se debitaron.",
        failed: "Falló, así que todas sus apuestas se devuelven.",
      },
      failed: (id, code) => `Falló por la apuesta ${id}${code === "" ? ", que no tuvo respuesta" : ` (${code})`}.`,
      unfinished: "Todavía le queda trabajo.",
      notSent: "sin enviar",
    },
    state: {
      credited: (player, amount) => `La billetera acreditó ${amount} a ${player}.`,
      debited: (player, amount) => `La billetera retiró ${amount} a ${player}.`,
      owed: (player, amount) => `La billetera rechazó el crédito. Se deben ${amount} a ${player}.`,
      notDebited: (player, amount) => `Los ${amount} no se retiraron a ${player}.`,
      creditOpen: (player, amount) => `Todavía no se sabe si ${player} recibió los ${amount}.`,
      creditAgain: (player, amount) => `La billetera rechazó ${amount} para ${player}. Se está reenviando.`,
      debitOpen: (player, amount) => `Todavía no se sabe si se retiraron ${amount} a ${player}.`,
    },
  },
  acts: {
    resend: "Reenviar",
    resendTitle: "¿Reenviar esta transacción?",
    resendWhat: (id) => `La billetera recibe ${id} una vez más, con el mismo identificador y el mismo contenido.`,
    resendMoney: (player, amount) =>
      `Si la billetera ya acreditó ${amount} a ${player}, solo repite su respuesta, y no se mueve dinero. Si no, acredita ${amount} ahora.`,
    resolve: "Cerrar a mano",
    resolveTitle: "¿Cerrar esta transacción a mano?",
    evidence: "Pruebas del operador, para la auditoría",
    shows: "Lo que muestran los registros del operador",
    outcome: { success: "La billetera la aplicó", failed: "La billetera no la aplicó" },
    effect: {
      credit: {
        success: (player, amount) =>
          `Declaras que la billetera acreditó ${amount} a ${player}. El crédito nunca se reenvía.`,
        failed: (player, amount) =>
          `Declaras que ${player} no recibió los ${amount}. El dinero se sigue debiendo al jugador hasta que se reenvíe el crédito.`,
      },
      debit: {
        success: (player, amount) =>
          `Declaras que la billetera retiró ${amount} a ${player}. El dinero queda retirado.`,
        failed: (player, amount) => `Declaras que la billetera no retiró nada. ${player} conserva los ${amount}.`,
      },
    },
    noCall: "Esto no envía nada a la billetera. El saldo del jugador no cambia con esto. No se puede deshacer.",
    pair: (id) => `Si ${id}, que ella revierte, está pendiente, se cierra con ella.`,
    notYet: {
      opened_at: (time) => `Se puede cerrar a mano a partir del ${time}.`,
      refused: (hours) =>
        `Solo se puede cerrar ${hours === 1 ? "1 hora" : `${hours} horas`} después de su creación, y no mientras se llama a la billetera.`,
      reversed_by: (id) => `Cierra ${id}, que revierte esta transacción y también la cierra.`,
      in_flight: "No se puede cerrar a mano ahora: hay una llamada en curso, o terminó hace un momento sin respuesta.",
    },
    resolved: { success: "Se cerró como hecha.", failed: "Se cerró como fallida." },
    contradiction: "Cerrar la contradicción",
    contradictionTitle: "¿Cerrar esta contradicción?",
    contradictionWhat:
      "Sale de la lista de contradicciones. Esto no cambia la transacción ni un reporte, y no envía nada a la billetera. Si la billetera se contradice otra vez, vuelve a la lista.",
    settled: "Cómo se resolvió, para la auditoría",
    contradictionClosed: "La contradicción está cerrada.",
    selected: (many) => (many === 1 ? "1 transacción marcada" : `${many} transacciones marcadas`),
    resendManyTitle: (many) => (many === 1 ? "Reenviar 1 transacción" : `Reenviar ${many} transacciones`),
    resendManyMoney:
      "La billetera recibe cada una una vez más, con su propio identificador. Lo que ya acreditó, no lo acredita dos veces. Lo que no acreditó, lo acredita ahora.",
    resendManyTo: (amount, players, one) => (one ? `${amount} a 1 jugador` : `${amount} a ${players} jugadores`),
    progress: (accepted, all) => `${accepted} de ${all} aceptadas para el reenvío`,
    notAccepted: (many) => `No aceptadas para el reenvío: ${many}`,
    answers: (credited, refused) => `Respuestas de la billetera: ${credited} acreditadas, ${refused} rechazadas`,
    unanswered: (many) => `Sin respuesta, así que el servicio la reenvía por sí solo: ${many}`,
    waiting: (many) => `Todavía se esperan respuestas: ${many}`,
    late: (many) => `Todavía sin respuesta: ${many}. La lista la muestra más tarde.`,
  },
};
