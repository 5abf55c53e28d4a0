/** All texts of the provider's own page and of Backstage in English. The other languages have the same keys. */
export const en = {
  home: {
    title: "The game provider",
    languages: "Language",
    lead: "Two providers of this sandbox live here: AURORA has slots, PALCO has live tables. They own the games. The players' money stays in the merchants' wallet, so each bet and each win goes through the service.",
    play: "Play at the merchant's site",
    loading: "Reading the games",
    failed: "The provider does not answer",
    failedText: "Is the sandbox still running?",
    retry: "Try again",
    games: "Its games",
    gamesIntro: "They open at the merchant's site, for a player who is logged in there.",
    noGames: "No games yet",
    noGamesText: "This provider has no game to show.",
    slot: "Slot",
    live: "Live table",
    rtp: (percent: string) => `returns ${percent}\u00a0%`,
    launch: "How a launch works",
    launchIntro: "A game has no address of its own. Each launch makes a new one.",
    steps: {
      choose: {
        title: "The player chooses a game",
        text: "The merchant's site asks its own server to open it. No secret is in the browser.",
      },
      launch: {
        title: "The merchant's server launches it",
        text: "It sends a signed call with the player and the game.",
      },
      open: {
        title: "The service opens the game here",
        text: "It calls this provider by gRPC with a session id, the game, the currency and the language.",
      },
      show: {
        title: "The site shows it in a frame",
        text: "This provider answers with a launch_url, and the merchant's page frames it.",
      },
      bet: {
        title: "A bet comes before its round",
        text: "The game sends the bet. The reels turn only after the wallet has taken it.",
      },
      win: {
        title: "A win is delivered",
        text: "The game sends the win, and repeats it until the service has it. The service sends it to the wallet.",
      },
    },
    backstageIntro:
      "Each game has a button Backstage. It opens a panel with the game's calls to the service, and with buttons that make the mistakes of real providers. The panel What just happened beside the game shows what reaches the wallet. Its switches make the wallet slow, silent or faulty.",
  },
  backstage: {
    title: "Backstage",
    misbehave: "Misbehave",
    intro: "Misbehave, and see what the service makes of it.",
    demo: "A demo never calls the wallet: there is nothing to misbehave with.",
    asking: "Asking the service…",
    calls: "Calls to the aggregator",
    callList: "Calls to the aggregator, newest first",
    translated:
      "This game speaks its upstream's own API. A connector answers it and calls the service. Each call is shown in three steps.",
    inThreeSteps: "In three steps",
    steps: {
      upstream: "1. The upstream calls the connector",
      connector: "2. The connector calls the service",
      wallet: "3. The service calls the wallet",
    },
    noStep: {
      upstream: "Nothing was sent.",
      connector: "The connector called nobody.",
      wallet: "The wallet was not called.",
    },
    sent: "request",
    answered: "answer",
    noAnswerYet: "none yet",
    replyLost: "reply lost",
    of: (id: string) => `of ${id}`,
    buttons: {
      repeat: {
        title: "Repeat last request",
        text: "Sends the last request again, with the same id. The service answers from its own record.",
      },
      lose_reply: {
        title: "Lose a reply",
        text: "Hangs up on the next bet before its reply comes, and sends it again. The wallet sees one bet.",
      },
      refund: {
        title: "Refund last bet",
        text: "Gives the last bet back. A second refund of it gets the result of the first.",
      },
      refund_unknown: {
        title: "Refund an unknown bet",
        text: "Refunds a bet that was never sent. The service asks the wallet all the same, and the wallet does not know the bet: the refund fails, and no money moves.",
      },
      bet_after_refund: {
        title: "Bet after its refund",
        text: "Sends the bet of the last refund. The answer is TRANSACTION_REVERSED, and the wallet is not called.",
      },
      rollback: { title: "Roll back last win", text: "Takes the last win back from the player." },
      win_first: {
        title: "Win before bet",
        text: "Sends a win, then the bet of the same round. Both are taken, because order does not count.",
      },
      mismatch: {
        title: "Same id, other amount",
        text: "Sends the last request with another amount. The answer is TRANSACTION_MISMATCH, and the wallet is not called.",
      },
      jackpot: {
        title: "Let the jackpot fall",
        text: "The next spin wins the jackpot: a win of its own, with the kind jackpot.",
      },
      leave_open: {
        title: "Leave a round open",
        text: "Does not end the next round. The console's page of rounds shows it as open.",
      },
      end_round: {
        title: "End the open round",
        text: "Calls EndRound for the round that was left open. The console then shows it as ended.",
      },
    },
    /** The result of a button. `answer` is a text of `answer` below. */
    messages: {
      answer: (word: string, ms: number) => `${word} in ${ms} ms`,
      nothingToRepeat: "Nothing to repeat yet: play a round first.",
      repeat: (answer: string) =>
        `Same request, same id. The service answered ${answer} from its own record: the wallet is not asked again for what is final.`,
      mismatch: (answer: string) =>
        `Same id, twice the amount. The service answered ${answer} without calling the wallet.`,
      armed:
        "Armed. On the next bet we hang up before the reply comes, then send the same request again. Watch the wallet: one bet.",
      noBet: "There is no bet to refund yet.",
      refund: (answer: string) =>
        `Refund of the last bet, with an id of its own: ${answer}. A second refund of the same bet gets this one's result.`,
      refundUnknown: (answer: string) => `Refund of a bet that was never sent: ${answer}.`,
      refundUnknownFailed:
        "The service asked the wallet all the same, and the wallet does not know the bet either: no money moved. The bet can't come any more.",
      refundUnknownPending: "The wallet has not answered yet, so the service sends the refund again.",
      refundUnknownSuccess: "The wallet had taken the bet, and gave it back.",
      noRefund: "There is no refund yet: refund a bet first.",
      lateBet: (answer: string) => `The bet of the last refund, sent after it: ${answer}.`,
      lateBetReversed: "The service did not call the wallet: a bet is never taken after its refund.",
      lateBetPending: "Its refund has not ended, so the service does not send the bet to the wallet.",
      lateBetFailed: "The bet had failed before its refund, and keeps that answer.",
      noWin: "There is no win to take back yet.",
      rollback: (answer: string) => `Rollback of the last win: ${answer}.`,
      winFirst: (win: string, bet: string) =>
        `The win came before its bet. Win: ${win}, bet: ${bet}. Order must not be relied on, only ids.`,
      jackpotArmed: "Armed. The jackpot falls at the next spin.",
      leaveOpenArmed: "Armed. The next round stays open. Look at the console's page of rounds.",
      noOpenRound: "No round was left open.",
      endRound: (round: string, answer: string) =>
        `End of the round ${round}: ${answer}. No more bets are taken in it. Wins are still paid.`,
    },
  },
};

export type Words = typeof en;
