/** Bugs in resends: which rows are sent again, when, and with how many permits. */
import { edit, type Mutant } from "./mutant.ts";

const SETTLE = "domain/transaction/settle.ts";
const STORE = "../testbed/memory/transaction-store.ts";
const ATTEMPT = "app/transaction/attempt.ts";

export const RESEND_MUTANTS: readonly Mutant[] = [
  {
    name: "no-crash-recovery",
    shows: "often",
    mistake: "The rows of a dead process never get a due time.",
    edits: [edit("app/feed/sequencer.ts", "return row.orphaned ?", "return false ?")],
  },
  {
    name: "no-backoff",
    shows: "often",
    mistake: "A silent credit is sent again with every scan.",
    edits: [
      edit(
        "domain/transaction/resend.ts",
        "return wholeMs(Math.min(Math.round(doubled * (1 + JITTER * fraction)), LONGEST_DELAY_MS));",
        "return wholeMs(Math.min(doubled, 1_000) * (1 + JITTER * fraction));",
      ),
    ],
  },
  {
    name: "backoff-begins-at-two",
    shows: "seldom",
    mistake: "The first resend comes after two seconds.",
    edits: [edit("domain/transaction/resend.ts", "Math.max(attempts, 1) - 1", "Math.max(attempts, 1)")],
  },
  {
    name: "resends-without-horizon",
    shows: "seldom",
    mistake: "A credit is sent again for ever.",
    edits: [
      edit(
        SETTLE,
        "const goesOn = now + delay < row.openedAt + resend.horizonMs;",
        "const goesOn = now + delay < row.openedAt + 1_000 * resend.horizonMs;",
      ),
    ],
  },
  {
    name: "due-without-mark",
    shows: "seldom",
    mistake: "The statement that makes a row due does not check whether a reversal has marked it since it was read.",
    edits: [
      edit(
        STORE,
        "|| was.reversedBy !== seen.reversedBy || isLeased(was, now)) return false;",
        "|| isLeased(was, now)) return false;",
      ),
    ],
  },
  {
    name: "dead-debit-sent-again",
    shows: "often",
    mistake: "A bet or rollback whose process died is sent again without a repeat.",
    edits: [
      edit(
        "app/feed/sequencer.ts",
        "isCredit(row.action) ? row.readAt : NEVER",
        "isCredit(row.action) || NEVER > 0 ? row.readAt : NEVER",
      ),
    ],
  },
  {
    name: "place-never-given-back",
    shows: "often",
    mistake: "An unanswered call keeps its permit.",
    edits: [
      edit(
        ATTEMPT,
        "permit.release(); return row.refTxId === null",
        'if (reply.answer.kind !== "silent") permit.release(); return row.refTxId === null',
      ),
    ],
  },
  {
    name: "fraction-is-stored",
    shows: "seldom",
    mistake: "A time keeps its fraction of a millisecond, which SQLite refuses, so the settle fails for ever.",
    edits: [edit("domain/values/whole-ms.ts", "Math.ceil(ms) as WholeMs", "ms as WholeMs")],
  },
  {
    name: "no-probe",
    shows: "seldom",
    mistake:
      "A merchant with an open breaker gets no resends, so the service never notices that its wallet works again.",
    edits: [edit("app/capacity/wallet-permits.ts", "(open ? 1 : ", "(open ? 0 : ")],
  },
];
