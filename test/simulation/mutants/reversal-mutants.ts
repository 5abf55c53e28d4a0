/** Bugs in refunds and rollbacks: marking the original, the quiet period, and settling both rows. */
import { edit, type Mutant } from "./mutant.ts";

const REVERSAL = "domain/transaction/reversal.ts";
const DECIDE = "domain/transaction/decide.ts";
const SETTLE = "domain/transaction/settle.ts";
const STORE = "../testbed/memory/transaction-store.ts";
const ATTEMPT = "app/transaction/attempt.ts";
const PAIRS = "app/transaction/transaction-pairs.ts";

export const REVERSAL_MUTANTS: readonly Mutant[] = [
  {
    name: "guard-without-owner",
    shows: "often",
    mistake: "The original's row does not name its reversal, so a second reversal starts, too.",
    edits: [
      edit(STORE, "|| original.transaction.reversedBy !== null) return false;", ") return false;"),
      edit(DECIDE, 'return { do: "follow", owner: reversed.reversedBy };', 'return { do: "mark", row };'),
      edit(STORE, "|| original.transaction.reversedBy !== key.txId) return false;", ") return false;"),
    ],
  },
  {
    name: "rollback-unguarded",
    shows: "often",
    mistake: "Only refunds mark their original. A rollback starts without a mark.",
    edits: [
      edit(
        STORE,
        "...unseen, reversedBy: key.txId }",
        '...unseen, reversedBy: was.action === "rollback" ? null : key.txId }',
      ),
    ],
  },
  {
    name: "mark-moves-fence",
    shows: "often",
    mistake: "The mark gives the bet a new lease token, so a bet in flight can't record its answer.",
    edits: [edit(STORE, "...unseen, reversedBy: key.txId }", "...unseen, reversedBy: key.txId, leaseToken: seen }")],
  },
  {
    name: "quiet-judged-at-settle",
    shows: "seldom",
    mistake: "The bet's quiet period is checked when the wallet's answer is settled, instead of when the call began.",
    edits: [
      edit(
        ATTEMPT,
        "const settlement = settleReversal(row, reversed, answered, quiet, now, this.#resend());",
        "const settlement = settleReversal(row, reversed, answered, quiet || isQuiet(reversed, this.#policy.quietPeriodMs), now, this.#resend());",
      ),
      edit(ATTEMPT, "import { type Answer, answerOf,", "import { type Answer, answerOf, isQuiet,"),
    ],
  },
  {
    name: "rows-settled-apart",
    shows: "often",
    mistake: "Reversal and original are settled by two statements.",
    edits: [
      edit(
        ATTEMPT,
        "return this.#persist(row, ended, () => this.#rows.settle(line));",
        `const { reversed } = line;
        if (reversed?.change == null) return this.#persist(row, ended, () => this.#rows.settle(line));
        const first = this.#persist(row, ended, () => this.#rows.settle({ ...line, reversed: { ...reversed, change: null } }));
        return first.then(async (applied) => (await this.#persist(row, ended, () => this.#rows.settle(line)), applied));`,
      ),
      edit(
        STORE,
        "if (row.transaction.leaseUntil === null) return true;",
        "if (row.transaction.leaseUntil === null) { if (line.reversed) this.#settleReversed(line.key, line.token, line.reversed, now); return true; }",
      ),
    ],
  },
  {
    name: "not-found-final-at-once",
    shows: "often",
    mistake: "A refund's TRANSACTION_NOT_FOUND is final although a late copy of the bet can still arrive.",
    edits: [edit(SETTLE, "if (open && !quiet) return", "if (false) return")],
  },
  {
    name: "rollback-does-not-wait",
    shows: "seldom",
    mistake: "A rollback is sent before the quiet period of its win is over.",
    edits: [edit(DECIDE, 'if (row.action === "rollback" && !quiet) return answer(row);', "")],
  },
  {
    name: "refund-does-not-wait",
    shows: "often",
    mistake: "A refund is sent while its bet is in flight.",
    edits: [edit(DECIDE, "if (isInFlight(reversed)) return wait(reversed);", "")],
  },
  {
    name: "bet-sent-after-refund",
    shows: "often",
    mistake: "A bet is sent again although its refund has started.",
    edits: [
      edit(
        DECIDE,
        "if (row.reversedBy !== null && !isReleased(reversal, quietPeriodMs)) return decideReversed",
        'if (row.reversedBy !== null && row.status !== "pending" && !isReleased(reversal, quietPeriodMs)) return decideReversed',
      ),
    ],
  },
  {
    name: "win-freed-too-early",
    shows: "never",
    mistake:
      "A win is released as soon as its rollback was rejected, although a late copy of the rollback can still arrive.",
    edits: [
      edit(
        REVERSAL,
        "return releases ? quietInMs(reversal, quietPeriodMs) : undefined;",
        "return releases ? 0 * quietPeriodMs : undefined;",
      ),
    ],
  },
  {
    name: "mark-without-looking",
    shows: "seldom",
    mistake: "A reversal marks an original that has arrived meanwhile with another amount.",
    edits: [edit(STORE, "if (referenceMismatch(was, original.transaction) !== undefined) return false;", "")],
  },
  {
    name: "ghost-keeps-first-content",
    shows: "seldom",
    mistake:
      "A void original keeps the content of the reversal that created it, instead of the reversal that marked it.",
    edits: [
      edit(
        STORE,
        "{ ...(!isOfPlay(original.transaction) && unseenOriginal(contentOf(was))), createdAt: now, openedAt: now }",
        "{ createdAt: now, openedAt: now }",
      ),
    ],
  },
  {
    name: "ghost-keeps-its-time",
    shows: "often",
    mistake:
      "A void original keeps the time of its row and does not get the time of the mark, so it changes the sums of a past hour.",
    edits: [
      edit(
        STORE,
        "{ ...(!isOfPlay(original.transaction) && unseenOriginal(contentOf(was))), createdAt: now, openedAt: now }",
        "isOfPlay(original.transaction) ? {} : unseenOriginal(contentOf(was))",
      ),
    ],
  },
  {
    name: "zero-reversal-unchecked",
    shows: "often",
    mistake: "Every refund or rollback of 0 is a success, so its provider believes that the stake was returned.",
    edits: [edit("domain/transaction/zero-amount.ts", "(reversed && referenceRefusal(request, reversed)) ??", "")],
  },
  {
    name: "rejection-forgotten",
    shows: "never",
    mistake: "A rejected bet whose refund is later accepted gets TRANSACTION_REVERSED instead of its rejection.",
    edits: [edit(SETTLE, "{ rejected: reversed.error }", "{}")],
  },
  {
    name: "half-a-statement",
    shows: "seldom",
    mistake: "Only one of a reversal's two void rows was written, and the other row is never written.",
    edits: [
      edit(
        "app/transaction/transaction-pairs.ts",
        "if (pair.other !== undefined || !isReversal(existing.action)) return pair;",
        "return pair;",
      ),
    ],
  },
  {
    name: "quiet-by-process-clock",
    shows: "seldom",
    mistake: "The system clock decides whether a bet is in flight or in its quiet period.",
    edits: [
      edit(
        PAIRS,
        "return decideReversal(row, request, other, this.#policy.quietPeriodMs);",
        "return decideReversal(row, request, { ...other, readAt: this.#clock.now() }, this.#policy.quietPeriodMs);",
      ),
    ],
  },
  {
    name: "settled-without-looking",
    shows: "seldom",
    mistake: "A reversal's settle doesn't check whether its original's status has changed since it was judged.",
    edits: [edit(STORE, "original.transaction.status !== reversed.seen || ", "")],
  },
  {
    name: "win-held-for-ever",
    shows: "seldom",
    mistake: "A rejected rollback holds its win for ever.",
    edits: [
      edit(
        REVERSAL,
        'const releases = reversal?.action === "rollback" && ',
        "const releases = false && reversal !== undefined && ",
      ),
    ],
  },
  {
    name: "freed-win-not-due",
    shows: "seldom",
    mistake: "A rollback that fails does not make its win due. The check of held wins does this up to a minute later.",
    edits: [edit(SETTLE, "if (next === undefined || original", "if (next !== -1 || original")],
  },
];
