import type { Words } from "../en/en.ts";

type Part = Pick<Words, "transactions" | "search" | "transaction" | "timeline" | "acts">;

export const transactions: Part = {
  transactions: {
    title: "Transações",
    lead: "Cada aposta, prêmio, reembolso e reversão. Escolha uma transação para ver a sua vida, chamada por chamada. A busca olha em todos os operadores.",
    none: "Nenhuma transação aqui",
    noneDay: "As últimas 24 horas não têm nenhuma. Escolha um tempo anterior.",
    noneFiltered: "Nenhuma transação atende a todos estes filtros.",
    allText:
      "De todos os operadores esta lista só tem as transações pendentes, operador por operador; o próximo envio vem primeiro. Para outras, escolha um operador ou use a busca acima. Os prêmios e reembolsos devidos estão na página",
    allPending: "Todas as transações pendentes",
    noPending: "Nenhuma transação está pendente",
    select: "Marcar",
    selectOne: (id) => `Marcar ${id} para reenviar`,
    created: "Criada",
    id: "Identificador",
    action: "Tipo",
    actions: { bet: "Aposta", win: "Prêmio", refund: "Reembolso", rollback: "Reversão" },
    amount: "Valor",
    status: "Situação",
    statuses: { pending: "Pendente", success: "Concluída", failed: "Falhou" },
    error: "Causa",
    player: "Jogador",
    game: "Jogo",
    round: "Rodada",
    provider: "Provedor",
    calls: "Chamadas",
    from: "De",
    to: "Até",
    any: "Qualquer",
    presets: {
      pending: "Pendentes, 30 dias",
      wins: "Prêmios devidos, 30 dias",
      refunds: "Reembolsos devidos, 30 dias",
    },
    apply: "Mostrar",
    clear: "Limpar os filtros",
    moreFilters: "Mais filtros",
  },
  search: {
    label: "Transação, rodada, jogador, ou o identificador do provedor",
    act: "Encontrar",
    found: "Encontrado por",
    matches: { tx_id: "Identificador", round_id: "Rodada", player_id: "Jogador" },
    none: "Nada tem este texto",
    noneText: "É preciso o identificador inteiro, como foi enviado. Maiúsculas e minúsculas contam.",
    more: "Há mais. Escolha uma rodada ou um jogador para ver todas as suas transações.",
  },
  transaction: {
    back: "Todas as transações",
    none: "O endereço não indica nenhuma transação",
    timeline: "O que aconteceu",
    facts: "Dados",
    reverses: "Reverte",
    endedBy: "Encerrada por",
    created: "Criada",
    changed: "Última mudança",
    reply: "O que a carteira enviou",
    next: (time) => `O serviço pergunta de novo à carteira às ${time}.`,
    contradiction:
      "A carteira deu duas respostas sobre esta transação que não podem ser verdadeiras ao mesmo tempo. Compare os registros dela com o que aconteceu abaixo.",
    noNext: {
      bet: "O serviço não reenvia uma aposta por conta própria. O provedor repete ou reembolsa a aposta.",
      win: "O serviço já não reenvia por conta própria. Reenvie, ou encerre com provas.",
      refund: "O serviço já não reenvia por conta própria. Reenvie, ou encerre com provas.",
      rollback: "O serviço não reenvia uma reversão por conta própria. O provedor repete.",
    },
  },
  timeline: {
    created: {
      bet: (player, amount) => `${player} apostou ${amount}.`,
      win: (player, amount) => `${player} ganhou ${amount}.`,
      refund: (player, amount) => `O provedor devolveu a ${player} uma aposta de ${amount}.`,
      rollback: (player, amount) => `O provedor retirou de ${player} um prêmio de ${amount}.`,
    },
    where: (game, provider, round) => `Jogo ${game} de ${provider}, rodada ${round}`,
    asked: "O serviço perguntou à carteira.",
    askedAgain: (pause) => `O serviço perguntou de novo à carteira após ${pause}, com o mesmo identificador.`,
    accepted: (took) => `Ela aceitou após ${took}.`,
    rejected: (took, code) => `Ela recusou após ${took}${code === "" ? "" : `: ${code}`}.`,
    timeout: (took) => `Ela não respondeu em ${took}.`,
    connect: "Não foi possível abrir a conexão com ela.",
    tls: "O TLS com ela falhou.",
    http5xx: (status, took) =>
      `Ela respondeu com HTTP ${status} após ${took}, então ninguém sabe se o dinheiro se moveu.`,
    unreadable: (took) => `Ela respondeu após ${took}, mas a resposta não pôde ser lida.`,
    noEnd: "A chamada não terminou, ou o seu processo morreu.",
    balance: (player, amount) => `O saldo de ${player} era então ${amount}.`,
    reversed: (id) => `${id} reverte esta transação.`,
    people: {
      looked: (actor) => `${actor} consultou a transação.`,
      resent: (actor) => `${actor} pediu o reenvio.`,
      closed: {
        success: (actor) => `${actor} encerrou à mão como concluída, com provas.`,
        failed: (actor) => `${actor} encerrou à mão como falha, com provas.`,
      },
      settled: (actor) => `${actor} encerrou a contradição da carteira.`,
      evidence: (text) => `Provas: ${text}`,
      did: (actor, action) => `Por ${actor}: ${action}`,
    },
    slip: {
      came: (id, bets) => `O cupom ${id} chegou com ${bets} apostas.`,
      title: (id) => `Cupom ${id}`,
      statuses: {
        running: "As suas apostas ainda estão a caminho.",
        accepted: "Todas as suas apostas foram debitadas.",
        failed: "Ele falhou, então todas as suas apostas são devolvidas.",
      },
      failed: (id, code) =>
        `Ele falhou por causa da aposta ${id}${code === "" ? ", que não teve resposta" : ` (${code})`}.`,
      unfinished: "Ainda há trabalho a fazer.",
      notSent: "não enviada",
    },
    state: {
      credited: (player, amount) => `A carteira creditou ${amount} a ${player}.`,
      debited: (player, amount) => `A carteira retirou ${amount} de ${player}.`,
      owed: (player, amount) => `A carteira recusou o crédito. ${amount} são devidos a ${player}.`,
      notDebited: (player, amount) => `Os ${amount} não foram retirados de ${player}.`,
      creditOpen: (player, amount) => `Ainda não se sabe se ${player} recebeu os ${amount}.`,
      debitOpen: (player, amount) => `Ainda não se sabe se ${amount} foram retirados de ${player}.`,
    },
  },
  acts: {
    resend: "Reenviar",
    resendTitle: "Reenviar esta transação?",
    resendWhat: (id) => `A carteira recebe ${id} mais uma vez, com o mesmo identificador e o mesmo conteúdo.`,
    resendMoney: (player, amount) =>
      `Se a carteira já creditou ${amount} a ${player}, ela só repete a resposta, e nenhum dinheiro se move. Se não creditou, ela credita ${amount} agora.`,
    resent: "O serviço reenvia agora. Leia de novo para ver a resposta da carteira.",
    reason: "Motivo, para a auditoria",
    resolve: "Encerrar à mão",
    resolveTitle: "Encerrar esta transação à mão?",
    evidence: "Provas do operador, para a auditoria",
    shows: "O que os registros do operador mostram",
    outcome: { success: "A carteira aplicou", failed: "A carteira não aplicou" },
    effect: {
      credit: {
        success: (player, amount) =>
          `Você declara que a carteira creditou ${amount} a ${player}. O crédito nunca é reenviado.`,
        failed: (player, amount) =>
          `Você declara que ${player} não recebeu os ${amount}. O dinheiro continua devido ao jogador até que o crédito seja reenviado.`,
      },
      debit: {
        success: (player, amount) =>
          `Você declara que a carteira retirou ${amount} de ${player}. O dinheiro continua retirado.`,
        failed: (player, amount) => `Você declara que a carteira não retirou nada. Os ${amount} ficam com ${player}.`,
      },
    },
    noCall: "Isto não envia nada à carteira. O saldo do jogador não muda com isto. Não pode ser desfeito.",
    pair: (id) => `Se ${id}, que ela reverte, estiver pendente, é encerrada junto.`,
    notYet: {
      opened_at: (time) => `Pode ser encerrada à mão a partir de ${time}.`,
      reversed_by: (id) => `Encerre ${id}, que reverte esta transação e a encerra também.`,
      in_flight:
        "Não pode ser encerrada à mão agora: uma chamada está em andamento, ou terminou há pouco sem resposta.",
    },
    resolved: { success: "Foi encerrada como concluída.", failed: "Foi encerrada como falha." },
    contradiction: "Encerrar a contradição",
    contradictionTitle: "Encerrar esta contradição?",
    contradictionWhat:
      "Ela sai da lista de contradições. Isto não muda a transação nem um relatório, e não envia nada à carteira. Se a carteira se contradisser de novo, ela volta à lista.",
    settled: "Como foi acertado, para a auditoria",
    contradictionClosed: "A contradição está encerrada.",
    selected: (many) => (many === 1 ? "1 transação marcada" : `${many} transações marcadas`),
    resendManyTitle: (many) => (many === 1 ? "Reenviar 1 transação" : `Reenviar ${many} transações`),
    resendManyMoney:
      "A carteira recebe cada uma mais uma vez, com o seu próprio identificador. O que já creditou, ela não credita duas vezes. O que não creditou, ela credita agora.",
    progress: (sent, refused, all) => `${sent} de ${all} enviadas, ${refused} recusadas`,
  },
};
