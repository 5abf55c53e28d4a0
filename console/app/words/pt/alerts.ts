import type { Words } from "../en/en.ts";

export const alerts: Pick<Words, "alerts"> = {
  alerts: {
    title: "Alertas abertos",
    text: "Os mais novos vêm primeiro. Um alerta fecha quando sua causa acaba, ou quando alguém o marca como resolvido.",
    none: "Nenhum alerta aberto",
    failed: "Não foi possível ler os alertas.",
    more: (shown) => `Aqui estão só os ${shown} mais novos.`,
    count: (many) => (many === "1" ? "1 alerta aberto" : `${many} alertas abertos`),
    todo: "O que fazer",
    needs: (role) => `A sua chave não pode fazer tudo isto: precisa do papel “${role}” ou de um superior.`,
    times: (many) => (many === "1" ? "Uma vez" : `${many} vezes`),
    last: (time) => `último ${time}`,
    since: (time) => `primeiro ${time}`,
    goesOn: "continua agora",
    newest: "a mais recente:",
    allOwed: (merchant) => `Todos os prêmios e reembolsos devidos de ${merchant}`,
    forOperators: "Para quem opera o serviço",
    replica: (name) => `A última vez foi no servidor ${name}.`,
    runbook: (name) => `Guia ${name} em docs/runbooks.md.`,
    unknown: "Esta página não conhece este alerta. O guia diz o que ele significa.",
    keyKinds: {
      admin: "Chaves de administração",
      provider: "Chaves de provedores",
      sportsbook: "Chaves do site de apostas",
    },
    done: "Marcar como resolvido",
    differs: {
      low: (day, amount) => `Em ${day} (UTC) o relatório mostra ${amount} a menos.`,
      high: (day, amount) => `Em ${day} (UTC) o relatório mostra ${amount} a mais.`,
      same: (day) => `Em ${day} (UTC) o GGR está certo, mas outros números diferem.`,
    },
    doneTitle: "Marcar este alerta como resolvido?",
    doneText: "Ele sai da lista de todos os operadores e não move dinheiro. Se acontecer de novo, volta à lista.",
    reason: "O que foi feito, para a auditoria",
    again: "Aconteceu de novo enquanto isso, ou já está fechado. Atualize para ver.",
    known: {
      credit_failed: {
        means:
          "Uma carteira recusou um prêmio ou reembolso. O operador o deve a um jogador, a não ser que a aposta não tenha sido debitada.",
        act: "Pergunte ao operador por que a carteira recusa créditos. Depois reenvie a transação: ela é creditada uma só vez.",
      },
      credit_failed_after_silence: {
        means:
          "Uma carteira recusou um prêmio ou reembolso que talvez já tenha aplicado. O jogador talvez já tenha o dinheiro.",
        act: "Peça ao operador que procure o id nos seus registros. Se não estiver lá, reenvie a transação.",
      },
      resend_horizon_over: {
        means:
          "Um prêmio ou reembolso ficou sem resposta até o seu horizonte. Ele não é mais reenviado, e o jogador ainda espera o dinheiro.",
        act: "Fale com o operador. Se a carteira voltou a funcionar, reenvie a transação, ou encerre-a à mão com provas.",
      },
      reversal_contradicts: {
        means:
          "A resposta a um reembolso ou reversão contradiz a original guardada. A carteira ou o serviço está errado sobre este dinheiro.",
        act: "Compare os dois ids com os registros do operador e concilie esse dia.",
      },
      original_stuck: {
        means:
          "A carteira recusou um reembolso ou reversão, mas não respondeu à transação original. Ninguém sabe se esse dinheiro se moveu.",
        act: "Pergunte ao operador se a original está nos seus registros. Reenvie o reembolso, ou encerre as duas após o horizonte.",
      },
      win_held: {
        means: "Um prêmio espera a sua reversão, e por isso o jogador ainda não o recebe.",
        act: "Peça ao provedor que repita a reversão. Veja a saúde da carteira.",
      },
      wallet_contradicts: {
        means: "Uma carteira deu duas respostas opostas a um id. Os registros dela podem diferir dos nossos.",
        act: "Concilie esse dia com o operador, encerre a contradição na sua linha do tempo e peça uma nova certificação da carteira.",
      },
      rollback_failed: {
        means: "Uma carteira rejeitou a reversão de um prêmio. O jogador fica com dinheiro que o provedor retoma.",
        act: "Avise o operador. Ele acerta a dívida com o provedor.",
      },
      label_differs: {
        means:
          "Um provedor enviou um rótulo errado, ou dois rótulos para um id. O dinheiro está certo, mas um relatório pode não mostrá-lo.",
        act: "Diga ao provedor qual rótulo está errado.",
      },
      slip_stuck: {
        means: "Um cupom de apostas não terminou. Algumas das suas apostas podem estar debitadas.",
        act: "Veja as apostas e os reembolsos que faltam. Veja a saúde da carteira.",
      },
      breaker_open: {
        means: "Uma carteira não responde. As apostas novas estão limitadas, e prêmios e reembolsos esperam.",
        act: "Veja a saúde da carteira e ligue para a equipe de operações do operador.",
      },
      wallet_401s: {
        means:
          "Uma carteira recusa nossa assinatura. As apostas falham. Prêmios e reembolsos são recusados ou esperam.",
        act: "Peça um saldo à carteira na página do operador. Compare a chave secreta, e uma troca de chave em andamento.",
      },
      wallet_tls: {
        means:
          "A conexão cifrada com uma carteira falha. Nada chega a ela: as apostas são recusadas, e prêmios e reembolsos esperam.",
        act: "Veja o motivo. Em geral o operador precisa renovar o certificado.",
      },
      wallet_redirects: {
        means:
          "Uma carteira responde com um redirecionamento, que não é seguido. As apostas ficam sem resposta, e prêmios e reembolsos esperam.",
        act: "Peça ao operador o endereço certo da carteira e mude-o na página do operador.",
      },
      wallet_address: {
        means:
          "O endereço de uma carteira não é permitido. Nada chega a ela: as apostas são recusadas, e prêmios e reembolsos esperam.",
        act: "Peça ao operador um endereço público e confira o DNS.",
      },
      balance_precision: {
        means: "Uma carteira enviou um saldo com decimais demais. O dinheiro se move com exatidão mesmo assim.",
        act: "Diga ao operador que saldo ele enviou para este id.",
      },
      ggr_differs: {
        means:
          "As somas de um dia diferem das suas transações. Não afeta o dinheiro de nenhum jogador, mas os relatórios desse dia podem estar errados.",
        act: "Compare o relatório desse dia com as transações e avise quem opera o serviço.",
      },
      database_unsafe: {
        means:
          "A configuração do banco de dados não é segura. Uma queda de energia ou uma troca do servidor primário pode perder transações.",
        act: "Avise quem opera o serviço. O texto diz qual é o ajuste e que valor ele deve ter.",
      },
      wrong_keys: {
        means: "Alguém chama com chaves erradas. Sem uma chave certa, nenhum dinheiro se move.",
        act: "Se conhece o endereço, troque a chave do seu dono. Bloqueie um endereço desconhecido.",
      },
    },
  },
};
