/**
 * Bugs in requests and answers: which requests are repeats, which answer a repeat gets, and whether it sends the wallet
 * call again.
 */
import { edit, type Mutant } from "./mutant.ts";

const REVERSAL = "domain/transaction/reversal.ts";
const DECIDE = "domain/transaction/decide.ts";
const SETTLE = "domain/transaction/settle.ts";
const ATTEMPT = "app/transaction/attempt.ts";

export const ANSWER_MUTANTS: readonly Mutant[] = [
  {
    name: "answers-from-own-reply",
    shows: "seldom",
    mistake: "A process whose settle came too late answers its caller with the wallet's reply.",
    edits: [edit(ATTEMPT, "if (!applied) {", "if (false) {")],
  },
  {
    name: "new-tx-id-per-resend",
    shows: "often",
    mistake: "Each attempt has a new id.",
    edits: [
      edit(
        ATTEMPT,
        "this.#wallet.send(target, row, row.attempts, step)",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source text
        "this.#wallet.send(target, row.attempts > 1 ? ({ ...row, txId: `${row.txId}-${row.attempts}` } as typeof row) : row, row.attempts, step)",
      ),
    ],
  },
  {
    name: "silence-is-failure",
    shows: "often",
    mistake: "A time-out counts as a rejection.",
    edits: [
      edit(
        SETTLE,
        'export function settleOriginal(row: Transaction, answered: WalletAnswer, now: DbTime, resend: ResendPolicy): Settlement { if (answered.kind === "silent") return stillPending(row, true, now, resend);',
        'export function settleOriginal(row: Transaction, answered: WalletAnswer, now: DbTime, resend: ResendPolicy): Settlement { if (answered.kind === "silent") return { change: settledAs({ status: "failed", error: "TIMEOUT" }, settledBy(row)), reversed: null, alerts: [] };',
      ),
    ],
  },
  {
    name: "amount-unchecked",
    shows: "often",
    mistake: "The same id with another amount counts as a repeat.",
    edits: [
      edit("domain/transaction/idempotency.ts", '["amount", (c: Content) => c.amountMinor],', ""),
      edit(REVERSAL, 'if (reversal.amountMinor !== reversed.amountMinor) return "amount";', ""),
    ],
  },
  {
    name: "rejected-bet-sent-again",
    shows: "often",
    mistake: "A rejected bet is sent to the wallet again when the provider repeats it.",
    edits: [edit(DECIDE, "request !== null && isCredit(row.action);", "request !== null;")],
  },
  {
    name: "pending-before-durable",
    shows: "often",
    mistake: "At the caller's deadline a credit gets PENDING although its row may never be written.",
    edits: [
      edit(
        "app/transaction/transact.ts",
        "return promised === undefined && (isCredit(content.action) || content.deliver === true) ?",
        "return false ?",
      ),
    ],
  },
  {
    name: "old-answer-shared",
    shows: "seldom",
    mistake: "A request that joins a run gets an answer that was read before the request came.",
    edits: [edit("app/transaction/progress.ts", "return this.#known > joined.looks;", "return true;")],
  },
  {
    name: "old-promise-shared",
    shows: "seldom",
    mistake: "At the caller's deadline a credit gets PENDING because of a read that was sent before the request came.",
    edits: [edit("app/transaction/progress.ts", "(joined.leased || pending.look > joined.looks)", "true")],
  },
  {
    name: "every-copy-asks-again",
    shows: "seldom",
    mistake: "A copy that waited for a call treats the call's rejection as an old one and sends the credit again.",
    edits: [
      edit(
        "app/transaction/drive.ts",
        'if (what === "call" && row.status === "failed" && this.#sawOpen) return true;',
        "",
      ),
      edit(
        "app/transaction/drive.ts",
        "return this.#waitedFor?.txId === row.txId && row.leaseUntil === null;",
        "return false;",
      ),
    ],
  },
  {
    name: "promise-without-taking",
    shows: "seldom",
    mistake: "A win without a permit gets PENDING although a rollback's mark was faster than its adoption.",
    edits: [edit("app/transaction/transaction-pairs.ts", "return adopted !== undefined;", "return adopted !== null;")],
  },
];
