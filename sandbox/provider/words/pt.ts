import type { Words } from "./en.ts";

export const pt: Words = {
  home: {
    title: "O provedor de jogos",
    languages: "Idioma",
    lead: "Dois provedores deste sandbox ficam aqui: AURORA tem slots, PALCO tem mesas ao vivo. Os jogos são deles. O dinheiro dos jogadores fica na carteira dos operadores, por isso cada aposta e cada prêmio passa pelo serviço.",
    play: "Jogar no site do operador",
    loading: "Lendo os jogos",
    failed: "O provedor não responde",
    failedText: "O sandbox ainda está rodando?",
    retry: "Tentar de novo",
    games: "Os jogos",
    gamesIntro: "Eles abrem no site do operador, para um jogador que entrou na conta.",
    noGames: "Nenhum jogo ainda",
    noGamesText: "Este provedor não tem jogos para mostrar.",
    slot: "Caça-níqueis",
    live: "Mesa ao vivo",
    rtp: (percent) => `devolve ${percent}\u00a0%`,
    launch: "Como um jogo é aberto",
    launchIntro: "Um jogo não tem endereço próprio. Cada abertura cria um novo.",
    steps: {
      choose: {
        title: "O jogador escolhe um jogo",
        text: "O site do operador pede ao seu próprio servidor que o abra. Nenhuma chave secreta fica no navegador.",
      },
      launch: {
        title: "O servidor do operador pede a abertura",
        text: "Ele envia uma chamada assinada, com o jogador e o jogo.",
      },
      open: {
        title: "O serviço abre o jogo aqui",
        text: "Ele chama este provedor por gRPC com o id da sessão, o jogo, a moeda e o idioma.",
      },
      show: {
        title: "O site mostra o jogo em um quadro",
        text: "Este provedor responde com uma launch_url, e a página do operador a mostra em um iframe.",
      },
      bet: {
        title: "A aposta vem antes da rodada",
        text: "O jogo envia a aposta. Os rolos só giram depois que a carteira a aceitou.",
      },
      win: {
        title: "O prêmio é entregue",
        text: "O jogo envia o prêmio e repete até o serviço receber. O serviço o envia à carteira.",
      },
    },
    backstageIntro:
      "Cada jogo tem um botão Bastidores. Ele abre um painel com as chamadas do jogo ao serviço e com botões que cometem os erros de provedores reais. O painel ao lado do jogo mostra o que chega à carteira. Seus botões deixam a carteira lenta, calada ou com defeito.",
  },
  backstage: {
    title: "Bastidores",
    misbehave: "Cometa um erro",
    intro: "Cometa um erro e veja o que o serviço faz com ele.",
    demo: "Uma demonstração nunca chama a carteira: não há erro a cometer.",
    asking: "Perguntando ao serviço…",
    calls: "Chamadas ao agregador",
    callList: "Chamadas ao agregador, as mais novas primeiro",
    translated:
      "Este jogo fala a API própria do seu provedor. Um conector responde a ela e chama o serviço. Cada chamada aparece em três passos.",
    inThreeSteps: "Em três passos",
    steps: {
      upstream: "1. O provedor chama o conector",
      connector: "2. O conector chama o serviço",
      wallet: "3. O serviço chama a carteira",
    },
    noStep: {
      upstream: "Nada foi enviado.",
      connector: "O conector não chamou ninguém.",
      wallet: "A carteira não foi chamada.",
    },
    sent: "pedido",
    answered: "resposta",
    noAnswerYet: "nenhuma ainda",
    replyLost: "resposta perdida",
    of: (id) => `de ${id}`,
    buttons: {
      repeat: {
        title: "Repetir o último pedido",
        text: "Envia o último pedido de novo, com o mesmo id. O serviço responde com o que gravou.",
      },
      lose_reply: {
        title: "Perder uma resposta",
        text: "Desliga na próxima aposta antes da resposta e a envia de novo. A carteira vê uma só aposta.",
      },
      refund: {
        title: "Reembolsar a última aposta",
        text: "Devolve a última aposta. Um segundo reembolso dela recebe o resultado do primeiro.",
      },
      refund_unknown: {
        title: "Reembolsar uma aposta desconhecida",
        text: "Reembolsa uma aposta que nunca foi enviada. O serviço pergunta à carteira mesmo assim, e a carteira não conhece a aposta: o reembolso falha, e nada se move.",
      },
      bet_after_refund: {
        title: "Aposta depois do reembolso",
        text: "Envia a aposta do último reembolso. A resposta é TRANSACTION_REVERSED, e a carteira não é chamada.",
      },
      rollback: { title: "Reverter o último prêmio", text: "Retira do jogador o último prêmio." },
      win_first: {
        title: "Prêmio antes da aposta",
        text: "Envia um prêmio e depois a aposta da mesma rodada. Os dois são aceitos, porque a ordem não conta.",
      },
      mismatch: {
        title: "Mesmo id, outro valor",
        text: "Envia o último pedido com outro valor. A resposta é TRANSACTION_MISMATCH, e a carteira não é chamada.",
      },
      jackpot: {
        title: "Sortear o jackpot acumulado",
        text: "O próximo giro ganha o jackpot acumulado: um prêmio separado, do tipo jackpot.",
      },
      leave_open: {
        title: "Deixar uma rodada aberta",
        text: "Não encerra a próxima rodada. A página de rodadas do console a mostra como aberta.",
      },
      end_round: {
        title: "Encerrar a rodada aberta",
        text: "Chama EndRound para a rodada que ficou aberta. O console a mostra então como encerrada.",
      },
    },
    messages: {
      answer: (word, ms) => `${word} em ${ms} ms`,
      nothingToRepeat: "Ainda não há o que repetir: jogue uma rodada primeiro.",
      repeat: (answer) =>
        `Mesmo pedido, mesmo id. O serviço respondeu ${answer} com o que gravou: a carteira não é chamada de novo pelo que é final.`,
      mismatch: (answer) => `Mesmo id, o dobro do valor. O serviço respondeu ${answer} sem chamar a carteira.`,
      armed:
        "Pronto. Na próxima aposta desligamos antes da resposta e enviamos o mesmo pedido de novo. Observe a carteira: uma só aposta.",
      noBet: "Ainda não há aposta para reembolsar.",
      refund: (answer) =>
        `Reembolso da última aposta, com um id próprio: ${answer}. Um segundo reembolso da mesma aposta recebe o resultado deste.`,
      refundUnknown: (answer) => `Reembolso de uma aposta que nunca foi enviada: ${answer}.`,
      refundUnknownFailed:
        "O serviço perguntou à carteira mesmo assim, e ela também não conhece a aposta: nada se moveu. A aposta já não pode chegar.",
      refundUnknownPending: "A carteira ainda não respondeu, por isso o serviço envia o reembolso de novo.",
      refundUnknownSuccess: "A carteira tinha aceitado a aposta e a devolveu.",
      noRefund: "Ainda não há reembolso: reembolse uma aposta primeiro.",
      lateBet: (answer) => `A aposta do último reembolso, enviada depois dele: ${answer}.`,
      lateBetReversed: "O serviço não chamou a carteira: uma aposta nunca é aceita depois do seu reembolso.",
      lateBetPending: "O reembolso não terminou, por isso o serviço não envia a aposta à carteira.",
      lateBetFailed: "A aposta tinha falhado antes do reembolso e mantém essa resposta.",
      noWin: "Ainda não há prêmio para reverter.",
      rollback: (answer) => `Reversão do último prêmio: ${answer}.`,
      winFirst: (win, bet) =>
        `O prêmio chegou antes da aposta. Prêmio: ${win}, aposta: ${bet}. Não conte com a ordem, só com os ids.`,
      jackpotArmed: "Pronto. O jackpot acumulado sai no próximo giro.",
      leaveOpenArmed: "Pronto. A próxima rodada fica aberta. Veja a página de rodadas do console.",
      noOpenRound: "Nenhuma rodada ficou aberta.",
      endRound: (round, answer) =>
        `Fim da rodada ${round}: ${answer}. Ela não aceita mais apostas. Os prêmios ainda são pagos.`,
    },
  },
};
