/** Bugs in refunds and rollbacks: marking the original, the quiet period, and settling both rows. */
import { edit, type Mutant } from "./mutant.ts";

const REVERSAL = "domain/transaction/reversal.ts";
const DECIDE = "domain/transaction/decide.ts";
const SETTLE = "domain/transaction/settle.ts";
const STORE = "adapters/memory/transaction-store.ts";
const ATTEMPT = "app/transaction/attempt.ts";
const PAIRS = "app/transaction/transaction-pairs.ts";

export const REVERSAL_MUTANTS: readonly Mutant[] = [
  {
    name: "guard-without-owner",
    shows: "often",
    mistake: "The original knows that it is reversed, not by whom: a second reversal starts as well.",
    edits: [
      edit(STORE, "|| original.transaction.reversedBy !== null) return false;", ") return false;"),
      edit(DECIDE, 'return { do: "follow", owner: reversed.reversedBy };', 'return { do: "mark", row };'),
      edit(STORE, "|| original.transaction.reversedBy !== key.txId) return false;", ") return false;"),
    ],
  },
  {
    name: "rollback-unguarded",
    shows: "often",
    mistake: "Only refunds mark their original; a rollback just starts.",
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
    mistake: "Whether the bet is quiet is asked when the wallet's answer is settled, not when the call began.",
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
        "return this.#persist(row, progress, () => this.#rows.settle(line));",
        `const { reversed } = line;
        if (reversed?.change == null) return this.#persist(row, progress, () => this.#rows.settle(line));
        const first = this.#persist(row, progress, () => this.#rows.settle({ ...line, reversed: { ...reversed, change: null } }));
        return first.then(async (applied) => (await this.#persist(row, progress, () => this.#rows.settle(line)), applied));`,
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
    mistake: "A refund's TRANSACTION_NOT_FOUND is believed while a late bet can still land.",
    edits: [edit(SETTLE, "if (open && !quiet) return", "if (false) return")],
  },
  {
    name: "rollback-does-not-wait",
    shows: "seldom",
    mistake: "A rollback is sent before its win's quiet period is over.",
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
    mistake: "A win is free as soon as its rollback was rejected, though a late copy of it can still land.",
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
    mistake: "A reversal marks an original that arrived meanwhile with another amount.",
    edits: [edit(STORE, "if (referenceMismatch(was, original.transaction) !== undefined) return false;", "")],
  },
  {
    name: "ghost-keeps-first-content",
    shows: "seldom",
    mistake: "A void original keeps the content of the reversal that made it, not of the one that marked it.",
    edits: [
      edit(
        STORE,
        'original.transaction.status === "void" ? { ...unseenOriginal(contentOf(was)), createdAt: now, openedAt: now } : {};',
        'original.transaction.status === "void" ? { createdAt: now, openedAt: now } : {};',
      ),
    ],
  },
  {
    name: "ghost-keeps-its-time",
    shows: "often",
    mistake: "A void original keeps the time of its row, not of the mark: it changes the sums of an hour that is over.",
    edits: [
      edit(
        STORE,
        "{ ...unseenOriginal(contentOf(was)), createdAt: now, openedAt: now }",
        "unseenOriginal(contentOf(was))",
      ),
    ],
  },
  {
    name: "zero-reversal-unchecked",
    shows: "often",
    mistake: "A refund or rollback of 0 is a success whatever it names, so its provider takes the stake for returned.",
    edits: [edit("domain/transaction/zero-amount.ts", "?? (reversed && referenceRefusal(request, reversed));", ";")],
  },
  {
    name: "rejection-forgotten",
    shows: "never",
    mistake:
      "A rejected bet whose refund was accepted after all answers TRANSACTION_REVERSED instead of its rejection.",
    edits: [edit(SETTLE, "{ rejected: reversed.error }", "{}")],
  },
  {
    name: "half-a-statement",
    shows: "seldom",
    mistake: "Of a reversal's two void rows only one was written, and nobody writes the other.",
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
    mistake: "Whether a bet is in flight, or quiet, is judged by the system clock.",
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
    mistake: "A reversal's settle doesn't ask whether its original is still as it was judged.",
    edits: [edit(STORE, "original.transaction.status !== reversed.seen || ", "")],
  },
  {
    name: "win-held-for-ever",
    shows: "seldom",
    mistake: "A rejected rollback goes on holding its win.",
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
    mistake: "A rollback that fails leaves its win to the look at held wins, up to a minute later.",
    edits: [edit(SETTLE, "if (next === undefined || original", "if (next !== -1 || original")],
  },
];
