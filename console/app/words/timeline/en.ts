import { walletCodes } from "../gen/wallet-en.ts";
import { stuck } from "./stuck/en.ts";

export const en = {
  stuck,
  search: {
    label: "Transaction, round, player, or the provider's own id",
    act: "Find",
    found: "Found by",
    matches: { tx_id: "Id", round_id: "Round", player_id: "Player" },
    none: (text: string) => `No transaction, round or player is exactly “${text}”.`,
    noneText: "Write the whole id or its beginning.",
    beginnings: (text: string) => `Nothing is exactly “${text}”. These begin with it:`,
    more: "There are more. Choose a round or a player to see all of its transactions.",
  },
  player: {
    title: (player: string, merchant: string) => `Player ${player} (${merchant})`,
    nothing: "Nothing is wrong with this player's transactions.",
    wrong: "Transactions with a problem:",
    and: "and",
    tooLow: (amount: string, credits: string) => `The balance is ${amount} too low: the wallet refused ${credits}.`,
    credits: {
      "owed win": (many: string, one: boolean) => (one ? "1 win" : `${many} wins`),
      "owed refund": (many: string, one: boolean) => (one ? "1 refund" : `${many} refunds`),
    },
    groups: {
      "owed win": (many: string, one: boolean) => (one ? "1 refused win" : `${many} refused wins`),
      "owed refund": (many: string, one: boolean) => (one ? "1 refused refund" : `${many} refused refunds`),
      "pending win": (many: string, one: boolean) => (one ? "1 win on its way" : `${many} wins on their way`),
      "pending refund": (many: string, one: boolean) => (one ? "1 refund on its way" : `${many} refunds on their way`),
      "pending bet": (many: string, one: boolean) => (one ? "1 pending bet" : `${many} pending bets`),
      "pending rollback": (many: string, one: boolean) => (one ? "1 pending rollback" : `${many} pending rollbacks`),
      contradiction: (many: string, one: boolean) =>
        one ? "1 contradiction of the wallet" : `${many} contradictions of the wallet`,
    },
    all: "All transactions of this player",
    more: "Only the newest transactions of this player were looked at. There may be more.",
    noBalance: "The service knows no balance of this player yet.",
    known: (amount: string, time: string) => `The service last knew a balance of ${amount} (${time}):`,
    ask: "Ask the wallet",
    asking: "Asking",
    askHint: "It moves no money. The audit log records it.",
    stillMissing: (amount: string) => `The refused ${amount} is still missing.`,
    says: (amount: string, time: string) => `The wallet says ${amount} now, at ${time}.`,
    same: "That is what the service last knew.",
    above: (amount: string) => `That is ${amount} more than the service last knew.`,
    below: (amount: string) => `That is ${amount} less than the service last knew.`,
    why: "The service does not see deposits, withdrawals and other changes that the merchant makes itself.",
    noAnswer: "The wallet gave no balance.",
  },
  transaction: {
    back: "All transactions",
    none: "There is no transaction in this address",
    timeline: "What happened",
    facts: "Facts",
    reverses: "Reverses",
    endedBy: "Ended by",
    ended: {
      resend: "A call that the service repeated",
      manual: "A person, by hand",
      refund: "The refund",
      rollback: "The rollback",
    },
    sending: "The service is asking the wallet now. This page shows the answer when it comes.",
    created: "Created",
    changed: "Last change",
    tell: "What the player can be told",
    tellNothing: "Promise nothing yet: the wallet gave two opposite answers. Compare its records first.",
    safe: "It is safe. The wallet credits an id only once, so the player can't be paid twice. If the cause is not fixed, the wallet will refuse it again. Ask the merchant first.",
    each: "Show each attempt",
    reply: "What the wallet sent",
    next: (time: string) => `The service asks the wallet again at ${time}.`,
    contradiction:
      "The wallet gave two answers about this transaction that can't both be true. Compare its records with what happened below.",
    noNext: {
      bet: "The service does not send a bet again by itself. Its provider repeats or refunds it.",
      win: "The service no longer sends it by itself. Send it again, or close it with evidence.",
      refund: "The service no longer sends it by itself. Send it again, or close it with evidence.",
      rollback: "The service does not send a rollback again by itself. Its provider repeats it.",
    },
  },
  /** The codes of wallets, in words. */
  codes: {
    ...walletCodes,
    ACCOUNT_CLOSED: "the player's account is closed",
    CURRENCY_MISMATCH: "the currency is another one",
    AMOUNT_MISMATCH: "the amount is another one",
    ALREADY_REVERSED: "the transaction is reversed already",
    TRANSACTION_REVERSED: "the transaction is reversed already",
    REJECTED: "the wallet gave no reason",
    UNKNOWN: "the wallet gave no reason",
  },
  timeline: {
    created: {
      bet: (player: string, amount: string) => `${player} bet ${amount}.`,
      win: (player: string, amount: string) => `${player} won ${amount}.`,
      refund: (player: string, amount: string) => `The provider gave a bet of ${amount} back to ${player}.`,
      rollback: (player: string, amount: string) => `The provider took a win of ${amount} back from ${player}.`,
    },
    where: (game: string, provider: string, round: string) => `Game ${game} of ${provider}, round ${round}`,
    asked: "The wallet was asked.",
    askedAgain: (pause: string) => `The wallet was asked again after ${pause} with the same id.`,
    accepted: (took: string) => `It accepted after ${took}.`,
    rejected: (took: string, code: string) => `It refused after ${took}${code === "" ? "" : `: ${code}`}.`,
    timeout: (took: string) => `It did not answer within ${took}.`,
    connect: "No connection to it could be opened.",
    tls: "The encrypted connection to the wallet failed.",
    http5xx: (status: number, took: string) =>
      `It answered with HTTP ${status} after ${took}, so nobody knows whether the money moved.`,
    unreadable: (took: string) => `It answered after ${took}, but the service could not read its answer.`,
    noEnd: "The call has not ended, or the process that made it died.",
    balance: (player: string, amount: string) => `The balance of ${player} was then ${amount}.`,
    reversed: (id: string) => `${id} reverses it.`,
    more: (many: number, ending: string) => `${many} more attempts, each ended with ${ending}.`,
    last: (time: string) => `The last one: ${time}`,
    endings: {
      http: (status: number) => `HTTP ${status}`,
      timeout: "no answer in time",
      connect: "no connection",
      tls: "a TLS failure",
      unreadable: "an answer that could not be read",
      rejected: "a refusal",
    },
    tell: {
      credited: (_player: string, amount: string) =>
        `${amount} was credited. If you see a balance without it, that balance is out of date.`,
      debited: (_player: string, amount: string) => `${amount} was taken for this game.`,
      owed: (_player: string, amount: string) =>
        `${amount} is recorded and is owed to you. It is not in your balance yet.`,
      notDebited: (_player: string, amount: string) => `${amount} was not taken. Your balance did not change.`,
      creditOpen: (_player: string, amount: string) =>
        `${amount} is recorded and is not lost. It may not be in your balance yet.`,
      debitOpen: (_player: string, amount: string) =>
        `It is not confirmed yet. If ${amount} was taken, it either counts for the game or comes back.`,
    },
    people: {
      looked: (actor: string) => `${actor} looked at it.`,
      resent: (actor: string) => `${actor} asked to send it again.`,
      closed: {
        success: (actor: string) => `${actor} closed it by hand as done, with evidence.`,
        failed: (actor: string) => `${actor} closed it by hand as failed, with evidence.`,
      },
      settled: (actor: string) => `${actor} closed the contradiction of the wallet.`,
      evidence: (text: string) => `Evidence: ${text}`,
      did: (actor: string, action: string) => `${actor}: ${action}`,
    },
    slip: {
      came: (id: string, bets: number) => `The betslip ${id} came with ${bets} bets.`,
      title: (id: string) => `Betslip ${id}`,
      statuses: {
        running: "Its bets are still on their way.",
        accepted: "All its bets were taken.",
        failed: "It failed, so all its bets are given back.",
      },
      failed: (id: string, code: string) =>
        `It failed because of the bet ${id}${code === "" ? ", which got no answer" : ` (${code})`}.`,
      unfinished: "It has not ended yet.",
      notSent: "not sent",
    },
    state: {
      credited: (player: string, amount: string) => `The wallet has credited ${amount} to ${player}.`,
      debited: (player: string, amount: string) => `The wallet has taken ${amount} from ${player}.`,
      owed: (player: string, amount: string) => `The wallet refused the credit. ${amount} is owed to ${player}.`,
      notDebited: (player: string, amount: string) => `${amount} was not taken from ${player}.`,
      creditOpen: (player: string, amount: string) => `Nobody knows yet whether ${player} has got ${amount}.`,
      creditAgain: (player: string, amount: string) =>
        `The wallet refused ${amount} for ${player}. It is being sent again.`,
      debitOpen: (player: string, amount: string) => `Nobody knows yet whether ${amount} was taken from ${player}.`,
    },
  },
  acts: {
    resend: "Send again",
    resendTitle: "Send this transaction again?",
    resendWhat: (id: string) => `The wallet gets ${id} once more, with the same id and the same content.`,
    resendMoney: (player: string, amount: string) =>
      `If the wallet has credited ${amount} to ${player} before, it only repeats its answer, and no money moves. If it has not, it credits ${amount} now.`,
    resolve: "Close by hand",
    resolveTitle: "Close this transaction by hand?",
    evidence: "Evidence from the merchant, for the audit log",
    shows: "What the merchant's records show",
    outcome: { success: "The wallet applied it", failed: "The wallet did not apply it" },
    effect: {
      credit: {
        success: (player: string, amount: string) =>
          `You state that the wallet has credited ${amount} to ${player}. The credit is never sent again.`,
        failed: (player: string, amount: string) =>
          `You state that ${player} did not get ${amount}. The money stays owed to the player until the credit is sent again.`,
      },
      debit: {
        success: (player: string, amount: string) =>
          `You state that the wallet has taken ${amount} from ${player}. The money stays taken.`,
        failed: (player: string, amount: string) =>
          `You state that the wallet took nothing. ${player} keeps ${amount}.`,
      },
    },
    noCall: "This sends nothing to the wallet. The player's balance does not change by it. It can't be undone.",
    pair: (id: string) => `If ${id}, which it reverses, is pending, it is closed with it.`,
    notYet: {
      opened_at: (time: string) => `It can be closed by hand from ${time} on.`,
      refused: (hours: number) =>
        `You can close it only ${hours === 1 ? "1 hour" : `${hours} hours`} after it was created, and not while the wallet is being called.`,
      reversed_by: (id: string) => `Close ${id} instead: it reverses this transaction, and closes it too.`,
      in_flight: "It can't be closed by hand now: a call is in flight, or ended without an answer a moment ago.",
    },
    resolved: { success: "It is closed as done.", failed: "It is closed as failed." },
    contradiction: "Close the contradiction",
    contradictionTitle: "Close this contradiction?",
    contradictionWhat:
      "It leaves the list of contradictions. This changes neither the transaction nor a report, and sends nothing to the wallet. If the wallet contradicts itself again, it is listed again.",
    settled: "How it was solved, for the audit log",
    contradictionClosed: "The contradiction is closed.",
    selected: (many: number) => (many === 1 ? "1 transaction is chosen" : `${many} transactions are chosen`),
    resendManyTitle: (many: number) => (many === 1 ? "Send 1 transaction again" : `Send ${many} transactions again`),
    resendManyMoney:
      "The wallet gets each one once more with its own id. What it has credited before, it does not credit twice. What it has not credited, it credits now.",
    resendManyTo: (amount: string, players: string, one: boolean) =>
      one ? `${amount} to 1 player` : `${amount} to ${players} players`,
    progress: (accepted: string, all: string) => `${accepted} of ${all} accepted for sending`,
    notAccepted: (many: string) => `Not accepted for sending: ${many}`,
    answers: (credited: string, refused: string) => `The wallet's answers: ${credited} credited, ${refused} refused`,
    unanswered: (many: string) => `No answer, so the service sends it again by itself: ${many}`,
    waiting: (many: string) => `Still waiting for answers: ${many}`,
    late: (many: string) => `No answer yet: ${many}. The list shows it later.`,
  },
};

export type TimelineWords = typeof en;
