import type { TimelineWords } from "../en.ts";

export const stuck: TimelineWords["stuck"] = {
  title: "Dinheiro devido e parado",
  lead: "Prêmios e reembolsos que os jogadores esperam, e outro dinheiro que precisa de uma pessoa. Escolha um tipo para ver só as suas transações.",
  none: "Nada é devido e nada está parado",
  noneText:
    "Nenhum jogador espera um prêmio ou reembolso, nenhuma transação está pendente além do seu horizonte e cada cupom terminou. As chamadas que ainda esperam a primeira resposta não são contadas.",
  owedNow: "Devido a jogadores agora",
  owedSum: (amount, many, one) =>
    one
      ? `Os jogadores esperam ${amount} em 1 prêmio ou reembolso.`
      : `Os jogadores esperam ${amount} em ${many} prêmios e reembolsos.`,
  owedNone: "Nenhum jogador espera um prêmio ou reembolso.",
  other: "Outro dinheiro parado",
  otherNone: "Nada mais está parado.",
  noneOf: "Nada deste tipo está parado aqui",
  noneOfText: "Escolha outro tipo, operador ou idade.",
  incomplete:
    "O serviço ainda procura créditos que falharam e contradições entre as transações anteriores. Estes números ainda não estão completos.",
  what: {
    unanswered:
      "A carteira não respondeu até o horizonte, e o serviço já não envia estes prêmios e reembolsos. Pergunte ao operador o que os seus registros mostram.",
    retrying:
      "A carteira ainda não confirmou estes prêmios e reembolsos. O serviço os reenvia por conta própria, pelo menos a cada 5 minutos. O próximo envio vem primeiro. Você não precisa fazer nada.",
    owed: "A carteira recusou um prêmio ou um reembolso.",
    pending:
      "Ninguém sabe se o dinheiro se moveu, e o serviço já não pergunta. Pergunte ao operador o que os seus registros mostram.",
    contradiction:
      "A carteira deu duas respostas que não podem ser ambas verdadeiras. Compare os seus registros com a linha do tempo. Ela fica aqui por no máximo 90 dias após a sua transação.",
    slip: "Um cupom não terminou após 10 minutos. O serviço continua com ele. A sua linha do tempo mostra qual aposta ou reembolso não terminou.",
  },
  acts: {
    resend: {
      own: "Reenvie a transação quando o operador tiver removido a causa.",
      other: "Uma chave com o papel Suporte pode reenviá-la.",
    },
    resolve: {
      own: "Encerre a transação à mão se os registros mostram o que aconteceu.",
      other: "Uma chave com o papel Gestão pode encerrá-la à mão.",
    },
    closeContradiction: {
      own: "Encerre-a na sua linha do tempo quando a diferença com o operador estiver encerrada.",
      other: "Uma chave com o papel Gestão pode encerrá-la na sua linha do tempo.",
    },
  },
  says: {
    unanswered: (amount, many, one) =>
      one
        ? `${amount} em 1 prêmio ou reembolso não tiveram resposta.`
        : `${amount} em ${many} prêmios e reembolsos não tiveram resposta.`,
    retrying: (amount, many, one) =>
      one
        ? `${amount} em 1 prêmio ou reembolso: o serviço ainda o envia.`
        : `${amount} em ${many} prêmios e reembolsos: o serviço ainda os envia.`,
    owed: (amount, players, one) =>
      one ? `${amount} são devidos a 1 jogador.` : `${amount} são devidos a ${players} jogadores.`,
    pending: (amount, many, one) =>
      one
        ? `${amount} em 1 transação pendente, sem resposta clara.`
        : `${amount} em ${many} transações pendentes, sem resposta clara.`,
    contradiction: (amount, many, one) =>
      one
        ? `A carteira se contradisse em 1 transação de ${amount}.`
        : `As carteiras se contradisseram em ${many} transações de ${amount}.`,
    slip: (amount, many, one) =>
      one ? `1 cupom de ${amount} não termina.` : `${many} cupons de ${amount} não terminam.`,
  },
  atLeast: "Pelo menos:",
  more: "De um operador só se contam os 1.000 mais antigos. A lista e o arquivo CSV têm todos.",
  age: "Idade",
  ages: { "0": "Qualquer", "1": "1 dia ou mais", "7": "7 dias ou mais", "30": "30 dias ou mais" },
  byMerchant: "Por operador e idade",
  number: "Quantidade",
  players: "Jogadores",
  value: "Valor",
  list: "Transações",
  slips: "Cupons",
  slip: "Cupom",
  needsSupport: "A lista mostra jogadores, por isso precisa de uma chave com o papel suporte.",
  reading: (many) => `${many} lidas`,
  capped: (many) => `O arquivo tem as primeiras ${many}. Escolha um operador ou uma idade para obter as outras.`,
  resendHint: "Escolha um operador para marcar transações e reenviá-las juntas.",
};
