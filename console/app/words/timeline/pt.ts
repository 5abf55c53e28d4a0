import { walletCodes } from "../gen/wallet-pt.ts";
import type { TimelineWords } from "./en.ts";
import { rounds } from "./rounds/pt.ts";
import { stuck } from "./stuck/pt.ts";

export const pt: TimelineWords = {
  rounds,
  stuck,
  walletHints: {
    percentiles: "p50, p95 e p99: se p95 é 200 ms, 95 de cada 100 chamadas demoraram no máximo 200 ms.",
    states:
      "Estado: como a carteira respondeu nos últimos 5 minutos. Lenta: 1 de cada 20 chamadas demora um segundo ou mais. Falha: pelo menos 1 de cada 20 chamadas fica sem resposta, ou chamadas são retidas, ou um alerta diz isso. Enquanto um prêmio ou um reembolso espera resposta, só contam as chamadas de dinheiro.",
    held: "Chamadas retidas: a carteira falhou, então o disjuntor do serviço só deixa passar poucas chamadas até ela responder de novo.",
    places: "Por vez / limite: o máximo de chamadas ao mesmo tempo, e quantas são permitidas.",
  },
  jump: {
    title: "Ir para uma página ou um registro",
    label: "Página, operador, transação, rodada ou jogador",
    found: (many) => (many === 1 ? "1 lugar combina" : `${many} lugares combinam`),
    none: "Nada combina. Escreva o começo de um código, um id ou um jogador.",
    page: "Página",
    all: (text) => `Buscar “${text}”`,
  },
  search: {
    label: "Transação, rodada, jogador, ou o identificador do provedor",
    act: "Encontrar",
    found: "Encontrado por",
    matches: { tx_id: "Identificador", round_id: "Rodada", player_id: "Jogador" },
    none: (text) => `Nenhuma transação, rodada ou jogador é exatamente “${text}”.`,
    noneText: "Escreva o id inteiro ou o seu começo.",
    beginnings: (text) => `Nada é exatamente “${text}”. Isto começa assim:`,
    more: "Há mais. Escolha uma rodada ou um jogador para ver todas as suas transações.",
  },
  player: {
    title: (player, merchant) => `Jogador ${player} (${merchant})`,
    nothing: "As transações deste jogador estão em ordem.",
    wrong: "Transações com um problema:",
    and: "e",
    tooLow: (amount, credits) => `Faltam ${amount} no saldo: a carteira recusou ${credits}.`,
    credits: {
      "owed win": (many, one) => (one ? "1 prêmio" : `${many} prêmios`),
      "owed refund": (many, one) => (one ? "1 reembolso" : `${many} reembolsos`),
    },
    groups: {
      "owed win": (many, one) => (one ? "1 prêmio recusado" : `${many} prêmios recusados`),
      "owed refund": (many, one) => (one ? "1 reembolso recusado" : `${many} reembolsos recusados`),
      "pending win": (many, one) => (one ? "1 prêmio a caminho" : `${many} prêmios a caminho`),
      "pending refund": (many, one) => (one ? "1 reembolso a caminho" : `${many} reembolsos a caminho`),
      "pending bet": (many, one) => (one ? "1 aposta pendente" : `${many} apostas pendentes`),
      "pending rollback": (many, one) => (one ? "1 reversão pendente" : `${many} reversões pendentes`),
      contradiction: (many, one) => (one ? "1 contradição da carteira" : `${many} contradições da carteira`),
    },
    all: "Todas as transações deste jogador",
    more: "Só as transações mais novas deste jogador foram examinadas. Pode haver mais.",
    noBalance: "O serviço ainda não conhece nenhum saldo deste jogador.",
    known: (amount, time) => `O último saldo que o serviço conheceu é ${amount} (${time}):`,
    ask: "Consultar a carteira",
    asking: "Perguntando",
    askHint: "Não move dinheiro. A auditoria registra.",
    stillMissing: (amount) => `Os ${amount} recusados ainda faltam.`,
    says: (amount, time) => `A carteira diz ${amount} agora, às ${time}.`,
    same: "É o último que o serviço conheceu.",
    above: (amount) => `São ${amount} a mais do que o serviço conheceu por último.`,
    below: (amount) => `São ${amount} a menos do que o serviço conheceu por último.`,
    why: "O serviço não vê os depósitos, os saques nem outras mudanças que o próprio operador faz.",
    noAnswer: "A carteira não deu nenhum saldo.",
  },
  transaction: {
    back: "Todas as transações",
    none: "O endereço não indica nenhuma transação",
    timeline: "O que aconteceu",
    facts: "Dados",
    reverses: "Reverte",
    endedBy: "Encerrada por",
    ended: {
      resend: "Uma chamada que o serviço repetiu",
      manual: "Uma pessoa, à mão",
      refund: "O reembolso",
      rollback: "A reversão",
    },
    sending: "O serviço está perguntando à carteira agora. Esta página mostra a resposta quando ela chega.",
    created: "Criada",
    changed: "Última mudança",
    tell: "O que se pode dizer ao jogador",
    tellNothing: "Ainda nada certo: a carteira deu duas respostas opostas. Compare primeiro os registros dela.",
    safe: "É seguro. A carteira credita um identificador uma só vez, então o jogador não pode receber duas vezes. Sem corrigir a causa, a carteira o recusará de novo. Pergunte antes ao operador.",
    each: "Mostrar cada tentativa",
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
  /** The codes of wallets, in words. */
  codes: {
    ...walletCodes,
    ACCOUNT_CLOSED: "a conta do jogador está encerrada",
    CURRENCY_MISMATCH: "a moeda é outra",
    AMOUNT_MISMATCH: "o valor é outro",
    ALREADY_REVERSED: "a transação já foi revertida",
    TRANSACTION_REVERSED: "a transação já foi revertida",
    REJECTED: "a carteira não deu um motivo",
    UNKNOWN: "a carteira não deu um motivo",
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
    accepted: (took) => `A carteira aceitou após ${took}.`,
    rejected: (took, code) => `A carteira recusou após ${took}${code === "" ? "" : `: ${code}`}.`,
    timeout: (took) => `A carteira não respondeu em ${took}.`,
    connect: "Não foi possível abrir a conexão com ela.",
    tls: "A conexão criptografada com a carteira falhou.",
    http5xx: (status, took) =>
      `A carteira respondeu com HTTP ${status} após ${took}, então ninguém sabe se o dinheiro se moveu.`,
    unreadable: (took) => `A carteira respondeu após ${took}, mas a resposta não pôde ser lida.`,
    noEnd: "A chamada não terminou, ou o seu processo morreu.",
    balance: (player, amount) => `O saldo de ${player} era então ${amount}.`,
    reversed: (id) => `${id} reverte esta transação.`,
    more: (many, ending) => `Mais ${many} tentativas, cada uma terminou com ${ending}.`,
    last: (time) => `A última: ${time}`,
    endings: {
      http: (status) => `HTTP ${status}`,
      timeout: "nenhuma resposta a tempo",
      connect: "nenhuma conexão",
      tls: "uma falha de TLS",
      unreadable: "uma resposta ilegível",
      rejected: "uma recusa",
    },
    tell: {
      credited: (_player, amount) =>
        `Os ${amount} foram creditados. Se você vê um saldo sem eles, esse saldo está desatualizado.`,
      debited: (_player, amount) => `Os ${amount} foram retirados para este jogo.`,
      owed: (_player, amount) => `Os ${amount} estão registrados e são devidos a você. Ainda não estão no seu saldo.`,
      notDebited: (_player, amount) => `Os ${amount} não foram retirados. O seu saldo não mudou.`,
      creditOpen: (_player, amount) =>
        `Os ${amount} estão registrados e não se perdem. Talvez ainda não estejam no seu saldo.`,
      debitOpen: (_player, amount) =>
        `Ainda não está confirmado. Se os ${amount} foram retirados, contam para o jogo ou voltam.`,
    },
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
      creditAgain: (player, amount) => `A carteira recusou ${amount} para ${player}. Está sendo reenviado.`,
      debitOpen: (player, amount) => `Ainda não se sabe se ${amount} foram retirados de ${player}.`,
    },
  },
  acts: {
    resend: "Reenviar",
    resendTitle: "Reenviar esta transação?",
    resendWhat: (id) => `A carteira recebe ${id} mais uma vez, com o mesmo identificador e o mesmo conteúdo.`,
    resendMoney: (player, amount) =>
      `Se a carteira já creditou ${amount} a ${player}, ela só repete a resposta, e nenhum dinheiro se move. Se não creditou, ela credita ${amount} agora.`,
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
      refused: (hours) =>
        `Só pode ser encerrada ${hours === 1 ? "1 hora" : `${hours} horas`} depois da sua criação, e não enquanto a carteira está sendo chamada.`,
      reversed_by: (id) => `Encerre ${id}, que reverte esta transação e a encerra também.`,
      in_flight:
        "Não pode ser encerrada à mão agora: uma chamada está em andamento, ou terminou há pouco sem resposta.",
    },
    resolved: { success: "Foi encerrada como concluída.", failed: "Foi encerrada como falha." },
    contradiction: "Encerrar a contradição",
    contradictionTitle: "Encerrar esta contradição?",
    contradictionWhat:
      "A carteira sai da lista de contradições. Isto não muda a transação nem um relatório, e não envia nada à carteira. Se a carteira se contradisser de novo, ela volta à lista.",
    settled: "Como foi acertado, para a auditoria",
    contradictionClosed: "A contradição está encerrada.",
    selected: (many) => (many === 1 ? "1 transação marcada" : `${many} transações marcadas`),
    resendManyTitle: (many) => (many === 1 ? "Reenviar 1 transação" : `Reenviar ${many} transações`),
    resendManyMoney:
      "A carteira recebe cada uma mais uma vez, com o seu próprio identificador. O que já creditou, ela não credita duas vezes. O que não creditou, ela credita agora.",
    resendManyTo: (amount, players, one) => (one ? `${amount} para 1 jogador` : `${amount} para ${players} jogadores`),
    progress: (accepted, all) => `${accepted} de ${all} aceitas para reenvio`,
    notAccepted: (many) => `Não aceitas para reenvio: ${many}`,
    answers: (credited, refused) => `Respostas da carteira: ${credited} creditadas, ${refused} recusadas`,
    unanswered: (many) => `Sem resposta, então o serviço reenvia sozinho: ${many}`,
    waiting: (many) => `Ainda se esperam respostas: ${many}`,
    late: (many) => `Ainda sem resposta: ${many}. A lista mostra depois.`,
  },
};
