import type { Words } from "../en/en.ts";

export const health: Pick<Words, "wallets"> = {
  wallets: {
    title: "Saúde das carteiras",
    lead: "Como cada carteira responde às chamadas do serviço, em todas as réplicas juntas. As que mais falham vêm primeiro, depois as mais lentas.",
    span: "Tempo até agora",
    spans: { "10m": "10 minutos", "1h": "1 hora", "6h": "6 horas", "24h": "24 horas", "7d": "7 dias" },
    state: "Situação",
    states: {
      quiet: "Sem chamadas",
      counting: "Sendo contado",
      good: "Em ordem",
      someFail: "Algumas falham",
      failing: "Falha",
      slow: "Lenta",
      limited: (calls) => `Chamadas retidas: ${calls} por vez`,
    },
    since: {
      slow: (time) => `Lenta desde ${time}`,
      failing: (time) => `Falha desde ${time}`,
      orEarlier: (time) => `${time} ou antes`,
    },
    hints: {
      percentiles:
        "p50, p95 e p99: 50, 95 e 99 de cada 100 chamadas foram mais rápidas. Assim, p95 diz que 19 de cada 20 foram.",
      states:
        "Lenta: 1 de cada 20 chamadas demora um segundo ou mais. Falha: pelo menos 1 de cada 20 chamadas fica sem resposta, ou chamadas são retidas.",
      held: "Chamadas retidas: a carteira falhou, então o disjuntor do serviço só deixa passar poucas chamadas até ela responder de novo.",
      places: "Por vez / limite: o máximo de chamadas ao mesmo tempo, e quantas são permitidas.",
    },
    calls: "Chamadas",
    answers: "Respostas",
    failed: "Sem resposta",
    kinds: {
      accepted: "Aceitas",
      rejected: "Recusadas",
      timeout: "Tempo esgotado",
      http5xx: "Erro HTTP 5xx",
      unreadable: "Ilegíveis",
      unreachable: "Sem conexão",
    },
    places: "Por vez / limite",
    breaker: "Disjuntor",
    closed: "funcionamento normal",
    asOf: (time) => `Situação às ${time}. Um minuto é conhecido alguns segundos após o seu fim.`,
    back: "Todas as carteiras",
    itsSettings: "Configuração deste operador, e perguntar à sua carteira",
    none: "A carteira não foi chamada neste tempo",
    noneText: "Escolha um tempo mais longo. As chamadas de um minuto são contadas alguns segundos após o seu fim.",
    durations: "Quanto as respostas demoraram",
    answersPlot: "Respostas da carteira por tipo, ao longo do tempo. A tabela de pontos tem os mesmos números.",
    durationsPlot: "Duração das chamadas ao longo do tempo: p50, p95 e p99. A tabela de pontos tem os mesmos números.",
    points: "Todos os pontos em uma tabela",
    at: "Desde",
  },
};
