export const alerts = {
  alerts: {
    title: "Open alerts",
    text: "The newest come first. An alert closes when its cause has ended, or when somebody marks it as done.",
    none: "No alert is open",
    failed: "The alerts could not be read.",
    more: (shown: string) => `Only the newest ${shown} are shown here.`,
    count: (many: string) => (many === "1" ? "1 open alert" : `${many} open alerts`),
    todo: "What to do",
    needs: (role: string) => `Your key can't do all of this: it needs the role “${role}” or a higher one.`,
    times: (many: string) => (many === "1" ? "Once" : `${many} times`),
    last: (time: string) => `last ${time}`,
    since: (time: string) => `first ${time}`,
    goesOn: "still going on",
    newest: "latest:",
    allOwed: (merchant: string) => `All owed wins and refunds of ${merchant}`,
    forOperators: "For the people who run the service",
    replica: (name: string) => `It was last raised on the host ${name}.`,
    runbook: (name: string) => `Runbook ${name} in docs/runbooks.md.`,
    unknown: "This page does not know this alert. The runbook says what it means.",
    keyKinds: { admin: "Admin keys", provider: "Keys of providers", sportsbook: "Keys of the sportsbook" },
    done: "Mark as done",
    differs: {
      low: (day: string, amount: string) => `On ${day} (UTC) the report shows ${amount} too little.`,
      high: (day: string, amount: string) => `On ${day} (UTC) the report shows ${amount} too much.`,
      same: (day: string) => `On ${day} (UTC) the GGR is right, but other figures differ.`,
    },
    doneTitle: "Mark this alert as done?",
    doneText: "It leaves the list of every operator, and moves no money. If it is raised again, it is listed again.",
    reason: "What was done, for the audit log",
    again: "It was raised again meanwhile, or it is closed already. Refresh to see it.",
    /** What an alert means for money, and what to do. docs/runbooks.md says more. */
    known: {
      credit_failed: {
        means: "A wallet refused a win or refund. The merchant owes it to a player, unless no bet was debited.",
        act: "Ask the merchant why its wallet refuses credits. Then send the transaction again: it is credited only once.",
      },
      credit_failed_after_silence: {
        means:
          "A wallet refused a win or refund that it may have applied before. The player may have the money already.",
        act: "Ask the merchant to look for the id in its ledger. If it is not there, send the transaction again.",
      },
      resend_horizon_over: {
        means:
          "A win or refund had no answer until its horizon. It is not sent again, and the player still waits for the money.",
        act: "Speak with the merchant. If its wallet works again, send the transaction again, or close it by hand with evidence.",
      },
      reversal_contradicts: {
        means:
          "The answer to a refund or rollback contradicts the stored original. Either the wallet or the service is wrong about this money.",
        act: "Compare both ids with the merchant's ledger, and reconcile this day.",
      },
      original_stuck: {
        means:
          "The wallet refused a refund or rollback. It has not answered the original transaction, so nobody knows whether that money moved.",
        act: "Ask the merchant whether the original is in its ledger. Send the refund again, or close both after the horizon.",
      },
      win_held: {
        means: "A win waits for its rollback, so the player does not get it yet.",
        act: "Ask the provider to repeat the rollback. Look at the health of the wallet.",
      },
      wallet_contradicts: {
        means: "A wallet gave two opposite answers to one id. Its ledger can differ from ours.",
        act: "Reconcile this day with the merchant, close the contradiction on its timeline, and have the wallet certified again.",
      },
      rollback_failed: {
        means: "A wallet rejected the rollback of a win. The player keeps money that the provider takes back.",
        act: "Tell the merchant. It settles the debt with the provider.",
      },
      label_differs: {
        means: "A provider sent a wrong label, or two labels for one id. The money is right, but a report may lack it.",
        act: "Tell the provider which label is wrong.",
      },
      slip_stuck: {
        means: "A slip of the sportsbook has not ended. Some of its bets may be debited.",
        act: "Look at its bets, and at the refunds that are still due. Look at the health of the wallet.",
      },
      breaker_open: {
        means: "A wallet does not answer. New bets are limited, and wins and refunds wait.",
        act: "Look at the health of the wallet, and call the merchant's operations team.",
      },
      wallet_401s: {
        means: "A wallet refuses our signature. Bets fail. Wins and refunds are refused or wait.",
        act: "Ask the wallet for a balance on the merchant's page. Compare the secret, and look whether a rotation is running.",
      },
      wallet_tls: {
        means:
          "The encrypted connection to a wallet fails. Nothing reaches it: bets are refused, and wins and refunds wait.",
        act: "Look at the reason. Usually the merchant must renew its certificate.",
      },
      wallet_redirects: {
        means:
          "A wallet answers with a redirect, which is not followed. Bets have no answer, and wins and refunds wait.",
        act: "Ask the merchant for the right wallet address, and change it on the merchant's page.",
      },
      wallet_address: {
        means:
          "The address of a wallet is not allowed. Nothing reaches it: bets are refused, and wins and refunds wait.",
        act: "Ask the merchant for a public address, and look at its DNS.",
      },
      balance_precision: {
        means: "A wallet sent a balance with too many decimals. Money still moves exactly.",
        act: "Tell the merchant which balance it sent for this id.",
      },
      ggr_differs: {
        means:
          "The sums of a day differ from its transactions. No player's money is affected, but reports of this day may be wrong.",
        act: "Compare the report of this day with the transactions, and tell the people who run the service.",
      },
      database_unsafe: {
        means:
          "The settings of the database are not safe. A power cut or a change of its primary can lose transactions.",
        act: "Tell the people who run the service. The text says which setting it is and what it must be.",
      },
      wrong_keys: {
        means: "Somebody calls with wrong keys. No money moves without a right key.",
        act: "If you know the address, replace the key of its owner. Block an unknown address.",
      },
    },
  },
};
