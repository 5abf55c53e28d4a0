import type { Words } from "../en/en.ts";

export const today: Pick<Words, "today"> = {
  today: {
    title: "Hoje",
    every: (time) => `São lidos de novo a cada ${time} enquanto você vê a página.`,
    next: (time) => `Próxima tentativa às ${time}.`,
    bets: "Apostas por minuto",
    players: "Jogadores",
    minute: "no último minuto completo",
    pending: "Pendentes",
    old: (many, age) => `${many} há mais de ${age}`,
    trouble: "Carteiras com problemas",
    ofMerchants: (many) => `Operadores: ${many}`,
    revenue: (currency) => `GGR por hora, ${currency}`,
    weekBefore: "Mesmo dia da semana passada",
    plot: (currency) =>
      `GGR de cada hora em ${currency}, hoje e no mesmo dia da semana passada. A tabela de horas tem os mesmos números.`,
    hours: "Todas as horas em uma tabela",
    hour: "Hora",
    ggrBefore: "GGR semana passada",
    currencies: "GGR de hoje por moeda",
    currency: "Moeda",
    ggrToday: "GGR de hoje",
    until: (time) => `Até ${time}`,
    untilBefore: (time) => `Semana passada até ${time}`,
    pendingTitle: "Pendentes por idade",
    pendingText: "Transações que ainda não têm uma resposta final da carteira: seu número e seu valor.",
    anyAge: "Todas",
    over: (age) => `Mais de ${age}`,
    cut: (many) => `No máximo ${many} de cada operador são contadas.`,
    merchants: "Operadores",
    merchantsText:
      "As carteiras com problemas vêm primeiro: nos últimos 5 minutos o disjuntor as limitou, ou pelo menos 5\u00a0% das suas chamadas ficaram sem resposta. Depois vêm os operadores com uma transação pendente há mais de 1 hora.",
    cutMerchants: (many) => `Há mais operadores. Esta página conta só os primeiros ${many} por código.`,
    all: (many) => `Mostrar todos os ${many}`,
    oldest: "Pendente mais antiga",
  },
};
