import type { Words } from "../en/en.ts";

export const today: Pick<Words, "today"> = {
  today: {
    title: "Hoy",
    every: (time) => `Se leen de nuevo cada ${time} mientras ves la página.`,
    next: (time) => `Próximo intento a las ${time}.`,
    bets: "Apuestas por minuto",
    players: "Jugadores",
    minute: "en el último minuto completo",
    pending: "Pendientes",
    old: (many, age) => `${many} desde hace más de ${age}`,
    trouble: "Billeteras con problemas",
    ofMerchants: (many) => `Operadores: ${many}`,
    revenue: (currency) => `GGR por hora, ${currency}`,
    weekBefore: "Mismo día de la semana pasada",
    plot: (currency) =>
      `GGR de cada hora en ${currency}, hoy y el mismo día de la semana pasada. La tabla de horas tiene las mismas cifras.`,
    hours: "Todas las horas en una tabla",
    hour: "Hora",
    ggrBefore: "GGR semana pasada",
    currencies: "GGR de hoy por moneda",
    currency: "Moneda",
    ggrToday: "GGR de hoy",
    until: (time) => `Hasta las ${time}`,
    untilBefore: (time) => `Semana pasada hasta las ${time}`,
    pendingTitle: "Pendientes por antigüedad",
    pendingText: "Transacciones que aún no tienen una respuesta final de la billetera: su número y su valor.",
    anyAge: "Todas",
    over: (age) => `Más de ${age}`,
    cut: (many) => `Se cuentan como máximo ${many} de cada operador.`,
    merchants: "Operadores",
    merchantsText:
      "Las billeteras con problemas van primero: en los últimos 5 minutos el disyuntor las limitó, o al menos el 5\u00a0% de sus llamadas quedó sin respuesta. Siguen los operadores con una transacción pendiente desde hace más de 1 hora.",
    cutMerchants: (many) => `Hay más operadores. Esta página cuenta solo los primeros ${many} por código.`,
    all: (many) => `Mostrar los ${many}`,
    oldest: "Pendiente más antigua",
  },
};
