/** Bugs in Reverse: marks of unknown ids, rejected bets, and rollbacks that the service delivers. */
import { edit, type Mutant } from "./mutant.ts";

const REVERSE = "app/transaction/reverse-transaction.ts";
const REVERSAL = "domain/transaction/reversal.ts";
const SETTLE = "domain/transaction/settle.ts";
const PAIRS = "app/transaction/transaction-pairs.ts";
const STORE = "../testbed/memory/transaction-store.ts";

export const REVERSE_MUTANTS: readonly Mutant[] = [
  {
    name: "marked-before-written",
    shows: "often",
    mistake: "An unknown id is told as marked, although an original may have come since it was read.",
    edits: [
      edit(
        REVERSE,
        "if (await this.#transact.seal(unknownOriginal(fields, context), fields.txId, span)) return ok",
        "await this.#transact.seal(unknownOriginal(fields, context), fields.txId, span); return ok",
      ),
    ],
  },
  {
    name: "transaction-sealed",
    shows: "often",
    mistake: "The statement that marks an unknown id does not look whether something has come under it.",
    edits: [
      edit(PAIRS, 'if (row.status !== "void" || row.reversedBy !== null) return false;', ""),
      edit(
        STORE,
        'if (was.status !== "void" || was.leaseToken !== seen || was.reversedBy !== null) return false; this',
        "this",
      ),
    ],
  },
  {
    name: "open-bet-needs-nothing",
    shows: "often",
    mistake: "A bet without a result counts as rejected, so its stake is not returned.",
    edits: [
      edit(
        REVERSAL,
        'original.action === "bet" && original.status === "failed"',
        'original.action === "bet" && original.status !== "success"',
      ),
    ],
  },
  {
    name: "sealed-refund-forwarded",
    shows: "seldom",
    mistake: "A refund of a marked id looks for the reversal that marked it, which has no row.",
    edits: [
      edit(
        REVERSAL,
        'isSealed(reversed) ? { code: "TRANSACTION_REVERSED", field: "ref_tx_id" } : undefined',
        'false ? { code: "TRANSACTION_REVERSED", field: "ref_tx_id" } : undefined',
      ),
    ],
  },
  {
    name: "delivered-rollback-never-due",
    shows: "seldom",
    mistake: "The mark of a rollback ignores that the service delivers it.",
    edits: [edit(STORE, 'was.action === "rollback" && deliver !== true ? NEVER', 'was.action === "rollback" ? NEVER')],
  },
  {
    name: "rollback-delivered-once",
    shows: "seldom",
    mistake: "A delivered rollback is not resent after a silence.",
    edits: [edit(SETTLE, "if (!isDelivered(row)) return", "if (!isCredit(row.action)) return")],
  },
  {
    name: "every-rollback-delivered",
    shows: "often",
    mistake: "The service resends rollbacks that no request has left to it.",
    edits: [edit(STORE, 'was.action === "rollback" && deliver !== true ? NEVER', "false ? NEVER")],
  },
];
