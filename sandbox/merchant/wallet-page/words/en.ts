/** Everything the wallet's page says, in English. The other languages have the same keys. */
export const en = {
  title: "The merchants' wallet",
  languages: "Language",
  lead: "All merchants of this sandbox share this wallet, one merchant for each currency. The service posts each balance query, bet, win, refund and rollback to this address, signed with the merchant's secret. The wallet's answer decides.",
  play: "Play at the merchant's site",
  rules: "Its rules",
  rulesIntro: "Every merchant's wallet keeps these rules, so that money moves exactly once.",
  ruleList: {
    signature: {
      title: "The signature first",
      text: "A callback with a wrong signature gets 401 and touches nothing.",
    },
    once: {
      title: "Once for each tx_id",
      text: "The first answer is stored with the money. The same tx_id gets it again, and no money moves.",
    },
    funds: {
      title: "A bet needs money",
      text: "A bet above the balance is INSUFFICIENT_FUNDS. A blocked player's bet is PLAYER_BLOCKED.",
    },
    credits: {
      title: "Credits are always paid",
      text: "A blocked player still gets wins and refunds. A win may come before its bet.",
    },
    rejection: {
      title: "A rejection of a bet stays",
      text: "The same bet gets the same rejection. A rejected win or refund is judged anew when it comes again.",
    },
    refund: {
      title: "A refund names its bet",
      text: "A bet has one refund, of its whole amount. The refund of a bet that never came is TRANSACTION_NOT_FOUND, and that bet is refused if it still comes.",
    },
    rollback: {
      title: "A rollback may go below zero",
      text: "It takes a win back, even if the player has spent the money.",
    },
    cents: {
      title: "Amounts are whole cents",
      text: "Chilean pesos have no cents. The wallet calculates without fractions.",
    },
  },
  ledger: "Its ledger",
  currency: "Currency",
  updated: (time: string) => `Updated at ${time}`,
  loading: "Reading the ledger",
  failed: "The wallet does not answer",
  failedText: "Is the sandbox still running? The page goes on trying.",
  stale: (time: string) => `The figures are from ${time}.`,
  retry: "Try again",
  players: "Players",
  player: "Player",
  balance: "Balance",
  blocked: "blocked: bets are refused",
  transactions: "Last transactions",
  shown: (shown: number, all: number) => (shown === all ? `${all}` : `${shown} of ${all}`),
  empty: "No transaction yet",
  emptyText: "Play a game in this currency. Each bet and each win appears here.",
  bet: "Bet",
  win: "Win",
  refund: "Refund",
  rollback: "Rollback",
  by: (player: string) => `by ${player}`,
  round: (id: string) => `round ${id}`,
  reverses: (id: string) => `reverses ${id}`,
  promotion: (id: string) => `promotion ${id}`,
  endsRound: "ends its round",
};

export type Words = typeof en;
