import type { Words } from "../en/en.ts";

export const health: Pick<Words, "wallets"> = {
  wallets: {
    title: "Salud de las billeteras",
    lead: "Cómo responde cada billetera a las llamadas del servicio, en todas las réplicas juntas. Las billeteras con problemas van primero, luego las que más fallaron en el período. El estado es el de ahora; las cifras son las del período.",
    span: "Período",
    spans: {
      "1m": "1 minuto",
      "10m": "10 minutos",
      "1h": "1 hora",
      "3h": "3 horas",
      "6h": "6 horas",
      "24h": "24 horas",
      "7d": "7 días",
    },
    state: "Estado",
    states: {
      quiet: "Sin llamadas",
      quietNow: "Sin llamadas ahora",
      counting: "Se está contando",
      good: "En orden",
      someFail: "Algunas fallan",
      failing: "Falla",
      slow: "Lenta",
      limited: (calls) => `Llamadas retenidas: ${calls} a la vez`,
    },
    since: {
      slow: (time) => `Lenta desde ${time}`,
      failing: (time) => `Falla desde ${time}`,
      someFail: (time) => `Algunas llamadas fallan desde ${time}`,
      orEarlier: (time) => `${time} o antes`,
    },
    hints: {
      percentiles: "p50, p95 y p99: si p95 es 200 ms, 95 de cada 100 llamadas tardaron como máximo 200 ms.",
      states:
        "Estado: cómo respondió la billetera en los últimos 5 minutos. Lenta: 1 de cada 20 llamadas tarda un segundo o más. Falla: al menos 1 de cada 20 llamadas queda sin respuesta, o se retienen llamadas, o lo dice una alerta. Mientras un premio o un reembolso espera respuesta, solo cuentan las llamadas de dinero.",
      held: "Llamadas retenidas: la billetera falló, así que el disyuntor del servicio deja pasar solo unas pocas llamadas hasta que vuelva a responder.",
      places: "A la vez / límite: el máximo de llamadas al mismo tiempo, y cuántas se permiten.",
    },
    calls: "Llamadas",
    answers: "Respuestas",
    failed: "Sin respuesta",
    kinds: {
      accepted: "Aceptadas",
      rejected: "Rechazadas",
      timeout: "Tiempo agotado",
      http5xx: "Error HTTP 5xx",
      unreadable: "Ilegibles",
      unreachable: "Sin conexión",
    },
    places: "A la vez / límite",
    breaker: "Disyuntor",
    closed: "funcionamiento normal",
    asOf: (time) => `Estado a las ${time}. Las cifras de cada minuto aparecen unos segundos después de que termina.`,
    back: "Todas las billeteras",
    itsSettings: "Configuración de este operador, y preguntar a su billetera",
    none: "La billetera no fue llamada en este tiempo",
    noneText: "Elige un tiempo más largo. Las llamadas de un minuto se cuentan unos segundos después de su fin.",
    durations: "Cuánto tardaron las respuestas",
    answersPlot:
      "Respuestas de la billetera por tipo, a lo largo del tiempo. La tabla de puntos tiene las mismas cifras.",
    durationsPlot:
      "Duración de las llamadas a lo largo del tiempo: p50, p95 y p99. La tabla de puntos tiene las mismas cifras.",
    step: (time) => `Cada punto de los gráficos dura ${time}.`,
    held: "Llamadas a la vez, y el disyuntor",
    atOnce: "A la vez",
    limit: "Límite",
    heldPlot:
      "El máximo de llamadas a la vez, el límite, y el límite más bajo del disyuntor mientras retenía llamadas. La tabla de puntos tiene las mismas cifras.",
    points: "Todos los puntos en una tabla",
    at: "Desde",
  },
};
