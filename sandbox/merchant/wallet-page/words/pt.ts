import type { Words } from "./en.ts";

export const pt: Words = {
  title: "A carteira dos operadores",
  languages: "Idioma",
  lead: "Todos os operadores deste sandbox usam esta carteira, um operador por moeda. O serviço envia a este endereço cada consulta de saldo, aposta, prêmio, reembolso e reversão, com a assinatura da chave secreta do operador. A resposta da carteira decide.",
  play: "Jogar no site do operador",
  rules: "As regras",
  rulesIntro: "A carteira de cada operador segue estas regras, para que o dinheiro se mova exatamente uma vez.",
  ruleList: {
    signature: {
      title: "Primeiro a assinatura",
      text: "Uma chamada com assinatura errada recebe 401 e não altera nada.",
    },
    once: {
      title: "Uma vez por tx_id",
      text: "A primeira resposta é gravada junto com o dinheiro. O mesmo tx_id recebe a mesma resposta, e nada se move.",
    },
    funds: {
      title: "Uma aposta precisa de dinheiro",
      text: "Uma aposta acima do saldo é INSUFFICIENT_FUNDS. A aposta de um jogador bloqueado é PLAYER_BLOCKED.",
    },
    credits: {
      title: "Créditos são sempre pagos",
      text: "Um jogador bloqueado ainda recebe prêmios e reembolsos. Um prêmio pode chegar antes da sua aposta.",
    },
    rejection: {
      title: "A recusa de uma aposta permanece",
      text: "A mesma aposta recebe a mesma recusa. Um prêmio ou reembolso recusado é avaliado de novo quando volta.",
    },
    refund: {
      title: "Um reembolso indica a sua aposta",
      text: "Uma aposta tem um só reembolso, do valor inteiro. O reembolso de uma aposta que nunca chegou é TRANSACTION_NOT_FOUND, e essa aposta é recusada se ainda chegar.",
    },
    rollback: {
      title: "Uma reversão pode deixar o saldo negativo",
      text: "Ela retira um prêmio, mesmo que o jogador já tenha gasto o dinheiro.",
    },
    cents: {
      title: "Os valores são centavos inteiros",
      text: "O peso chileno não tem centavos. A carteira calcula sem frações.",
    },
  },
  ledger: "Os lançamentos",
  currency: "Moeda",
  updated: (time) => `Atualizado às ${time}`,
  loading: "Lendo os lançamentos",
  failed: "A carteira não responde",
  failedText: "O sandbox ainda está rodando? A página continua tentando.",
  stale: (time) => `Os números são das ${time}.`,
  retry: "Tentar de novo",
  players: "Jogadores",
  player: "Jogador",
  balance: "Saldo",
  blocked: "bloqueado: as apostas são recusadas",
  transactions: "Últimas transações",
  shown: (shown, all) => (shown === all ? `${all}` : `${shown} de ${all}`),
  empty: "Nenhuma transação ainda",
  emptyText: "Jogue nesta moeda. Cada aposta e cada prêmio aparece aqui.",
  bet: "Aposta",
  win: "Prêmio",
  refund: "Reembolso",
  rollback: "Reversão",
  by: (player) => `de ${player}`,
  round: (id) => `rodada ${id}`,
  reverses: (id) => `reverte ${id}`,
  promotion: (id) => `promoção ${id}`,
  endsRound: "encerra a rodada",
};
