export const stuck = {
  title: "Owed and stuck money",
  lead: "Wins and refunds that players wait for, and other money that needs a person. Choose a kind to see only its transactions.",
  none: "Nothing is owed or stuck",
  noneText:
    "No player waits for a win or refund, no transaction is pending past its horizon, and every betslip has ended. Calls still waiting for their first answer are not counted.",
  owedNow: "Owed to players now",
  owedSum: (amount: string, many: string, one: boolean) =>
    one ? `Players wait for ${amount} in 1 win or refund.` : `Players wait for ${amount} in ${many} wins and refunds.`,
  owedNone: "No player waits for a win or refund.",
  other: "Other stuck money",
  otherNone: "Nothing else is stuck.",
  noneOf: "Nothing of this kind is stuck here",
  noneOfText: "Choose another kind, merchant or age.",
  incomplete:
    "The service still looks through older transactions for failed credits and contradictions. These figures are not complete yet.",
  what: {
    unanswered:
      "The wallet gave no answer until the horizon, and the service no longer sends these wins and refunds. Ask the merchant what its records show.",
    owed: "The wallet refused a win or a refund.",
    retrying:
      "The wallet has not confirmed these wins and refunds yet. The service sends them again by itself, at least every 5 minutes. The next one to be sent comes first. You need to do nothing.",
    pending:
      "Nobody knows whether the money moved, and the service no longer asks. Ask the merchant what its records show.",
    contradiction:
      "The wallet gave two answers that can't both be true. Compare its records with the timeline. It stays here for at most 90 days after its transaction.",
    slip: "A betslip has not ended after 10 minutes. The service goes on with it. Its timeline shows which bet or refund has not ended.",
  },
  acts: {
    resend: {
      own: "Send it again when the merchant has removed the cause.",
      other: "A key with the role Support can send it again.",
    },
    resolve: {
      own: "Close it by hand if its records show what happened.",
      other: "A key with the role Manager can close it by hand.",
    },
    closeContradiction: {
      own: "Close it on its timeline when the merchant agrees.",
      other: "A key with the role Manager can close it on its timeline.",
    },
  },
  says: {
    unanswered: (amount: string, many: string, one: boolean) =>
      one ? `${amount} in 1 win or refund had no answer.` : `${amount} in ${many} wins and refunds had no answer.`,
    retrying: (amount: string, many: string, one: boolean) =>
      one
        ? `${amount} in 1 win or refund: the service still sends it.`
        : `${amount} in ${many} wins and refunds: the service still sends them.`,
    owed: (amount: string, players: string, one: boolean) =>
      one ? `${amount} is owed to 1 player.` : `${amount} is owed to ${players} players.`,
    pending: (amount: string, many: string, one: boolean) =>
      one ? `${amount} is unclear in 1 pending transaction.` : `${amount} is unclear in ${many} pending transactions.`,
    contradiction: (amount: string, many: string, one: boolean) =>
      one
        ? `The wallet contradicted itself about 1 transaction of ${amount}.`
        : `The wallets contradicted themselves about ${many} transactions of ${amount}.`,
    slip: (amount: string, many: string, one: boolean) =>
      one ? `1 betslip of ${amount} does not end.` : `${many} betslips of ${amount} do not end.`,
  },
  atLeast: "At least:",
  more: "Of one merchant only the oldest 1,000 are counted. The list and the CSV file have all of them.",
  age: "Age",
  ages: { "0": "Any age", "1": "1 day or more", "7": "7 days or more", "30": "30 days or more" },
  byMerchant: "By merchant and age",
  number: "Number",
  players: "Players",
  value: "Value",
  list: "Transactions",
  slips: "Betslips",
  slip: "Betslip",
  needsSupport: "The list shows players, so it needs a key with the role support.",
  reading: (many: string) => `${many} read`,
  capped: (many: string) => `The file has the first ${many}. Choose one merchant or an age to get the others.`,
  resendHint: "Choose one merchant to select transactions and send them again together.",
};
