export const stuck = {
  stuck: {
    title: "Stuck money",
    lead: "These transactions and betslips need a person, because the service can't end them alone. Choose a kind to see its transactions.",
    none: "Nothing is stuck",
    noneText:
      "No credit is owed, no transaction is pending past its horizon, and every betslip has ended. Today counts the transactions that are still pending.",
    noneOf: "Nothing of this kind is stuck here",
    noneOfText: "Choose another kind, merchant or age.",
    incomplete:
      "The service still looks through older transactions for failed credits and contradictions. These figures are not complete yet.",
    kind: "Kind",
    kinds: {
      owed: "Owed to players",
      pending: "Pending past the horizon",
      contradiction: "Contradictions",
      slip: "Betslips without an end",
    },
    what: {
      owed: "The wallet refused a win or a refund. Send it again when the merchant has removed the cause.",
      pending:
        "Nobody knows whether the money moved, and the service no longer asks. Ask the merchant what its records show, then send it again or close it by hand.",
      contradiction:
        "The wallet gave two answers that can't both be true. Compare its records with the timeline. A manager closes an entry on its timeline when it is solved. Otherwise it stays here for 90 days after its transaction.",
      slip: "A betslip has not ended after 10 minutes. The service goes on with it. Its timeline shows which bet or refund has not ended.",
    },
    says: {
      owed: (amount: string, players: string, one: boolean) =>
        one ? `${amount} are owed to 1 player.` : `${amount} are owed to ${players} players.`,
      pending: (amount: string, many: string, one: boolean) =>
        one
          ? `${amount} are unclear in 1 pending transaction.`
          : `${amount} are unclear in ${many} pending transactions.`,
      contradiction: (amount: string, many: string, one: boolean) =>
        one
          ? `The wallet contradicted itself about 1 transaction of ${amount}.`
          : `The wallets contradicted themselves about ${many} transactions of ${amount}.`,
      slip: (amount: string, many: string, one: boolean) =>
        one ? `1 betslip of ${amount} does not end.` : `${many} betslips of ${amount} do not end.`,
    },
    atLeast: "At least:",
    more: "Of one merchant only the oldest 1,000 are counted. The list and the CSV file have all of them.",
    all: "All merchants",
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
    stop: "Stop",
    capped: (many: string) => `The file has the first ${many}. Choose one merchant or an age to get the others.`,
    resendHint: "Choose one merchant to select transactions and send them again together.",
  },
};
