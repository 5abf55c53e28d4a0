/** Bugs in settlements: the checks of the bet, the two marks, and settlements of 0. */
import { edit, type Mutant } from "./mutant.ts";

const SETTLEMENT = "domain/transaction/settlement.ts";
const IDEMPOTENCY = "domain/transaction/idempotency.ts";
const TRANSACT = "app/transaction/transact.ts";
const PAIRS = "app/transaction/transaction-pairs.ts";
const STORE = "../testbed/memory/transaction-store.ts";

export const SETTLEMENT_MUTANTS: readonly Mutant[] = [
  {
    name: "settlement-without-mark",
    shows: "often",
    mistake: "A win that settles its bet leaves no mark on the bet, so every further settlement is paid, too.",
    edits: [edit(STORE, "{ ...bet.transaction, settledBy: win.txId }", "{ ...bet.transaction }")],
  },
  {
    name: "second-settlement-paid",
    shows: "often",
    mistake: "The bet's mark is written and never read, so a second settlement replaces the first one.",
    edits: [
      edit(STORE, "|| (settles && settledBy !== null)", ""),
      edit(SETTLEMENT, "if (win.bet.settles && bet.settledBy !== null) return", "if (false) return"),
    ],
  },
  {
    name: "settlement-checked-by-a-read",
    shows: "often",
    mistake: "The statement that pays a settlement relies on an earlier read, so two crossing settlements are paid.",
    edits: [edit(STORE, "|| (settles && settledBy !== null)", "")],
  },
  {
    name: "settlement-overlooks-the-refund",
    shows: "often",
    mistake: "The statement that pays a settlement does not look at the mark of a refund that crosses it.",
    edits: [edit(STORE, 'action !== "bet" || reversedBy !== null) return false;', 'action !== "bet") return false;')],
  },
  {
    name: "refund-overlooks-the-settlement",
    shows: "seldom",
    mistake:
      "The mark of a refund with unless_settled relies on an earlier read, so a crossing settlement is overlooked.",
    edits: [edit(STORE, "if (unlessSettled === true && original.transaction.settledBy !== null) return false;", "")],
  },
  {
    name: "settled-bet-refunded",
    shows: "often",
    mistake: "unless_settled is read and never used.",
    edits: [
      edit(PAIRS, "reversed, unlessSettled, deliver, span }", "reversed, unlessSettled: false, deliver, span }"),
      edit(SETTLEMENT, "refund.unlessSettled === true && bet.settledBy !== null", "false && bet.settledBy !== null"),
    ],
  },
  {
    name: "reversed-bet-settled",
    shows: "often",
    mistake: "A win is paid although its bet was refunded.",
    edits: [
      edit(STORE, 'action !== "bet" || reversedBy !== null) return false;', 'action !== "bet") return false;'),
      edit(SETTLEMENT, "if (bet.reversedBy !== null) return", "if (false) return"),
    ],
  },
  {
    name: "open-bet-settled",
    shows: "often",
    mistake: "A win is paid for a bet that the wallet may still reject.",
    edits: [
      edit(
        STORE,
        '(status !== "success" || action !== "bet"',
        '(status === "failed" || status === "void" || action !== "bet"',
      ),
      edit(SETTLEMENT, 'if (bet.status === "pending") return { code: "BET_PENDING", field };', ""),
    ],
  },
  {
    name: "rejected-bet-settled",
    shows: "often",
    mistake: "A win is paid for a bet that the wallet has rejected.",
    edits: [
      edit(
        STORE,
        '(status !== "success" || action !== "bet"',
        '(status === "pending" || status === "void" || action !== "bet"',
      ),
      edit(SETTLEMENT, 'bet.status === "failed" ? { code: "BET_NOT_FOUND", field } : undefined', "undefined"),
    ],
  },
  {
    name: "settled-for-another-player",
    shows: "seldom",
    mistake: "The bet of one player pays a win of another.",
    edits: [
      edit(STORE, "if (playerId !== win.playerId || currency !== win.currency ||", "if (currency !== win.currency ||"),
      edit(SETTLEMENT, 'bet.playerId !== win.playerId ? "player_id" : undefined', "undefined"),
    ],
  },
  {
    name: "lost-bet-not-settled",
    shows: "often",
    mistake: "A settlement of 0 is told as a success and not recorded, so a later settlement is paid.",
    edits: [edit(TRANSACT, "refusal !== undefined || named?.settles !== true ||", "true ||")],
  },
  {
    name: "lost-bet-settled-by-anyone",
    shows: "often",
    mistake: "A settlement of 0 does not look whether its bet allowed it.",
    edits: [
      edit(
        TRANSACT,
        "if (await this.#rows.settleBet({ key: bet, win: content })) return undefined;",
        "await this.#rows.settleBet({ key: bet, win: content }); return undefined;",
      ),
      edit(
        SETTLEMENT,
        "if (win.bet.settles && bet.settledBy !== null) return",
        "if (win.amountMinor > 0n && win.bet.settles && bet.settledBy !== null) return",
      ),
    ],
  },
  {
    name: "settlement-is-no-content",
    shows: "often",
    mistake: "The bet that a win names is not compared, so a plain win's repeat is told as a settlement.",
    edits: [
      edit(IDEMPOTENCY, '["bet_tx_id", (c: Content) => c.bet?.txId],', ""),
      edit(IDEMPOTENCY, '["settles", (c: Content) => c.bet?.settles ?? false],', ""),
    ],
  },
];
