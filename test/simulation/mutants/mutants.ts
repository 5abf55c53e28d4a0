/**
 * Bugs to plant: what the simulation must notice. Each is an edit of a source file as it is loaded; the files stay as
 * they are.
 */

export interface Edit {
  /** Under src/. */
  readonly file: string;
  /** Found exactly once; white space counts as any white space. */
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  readonly name: string;
  /** The mistake, as somebody would make it. */
  readonly mistake: string;
  readonly edits: readonly Edit[];
  /** `often`: in more than one seed of 40. `seldom`: within 10 000 seeds. `never`: see docs/simulation.md. */
  readonly shows: "often" | "seldom" | "never";
}

const TRANSACTION = "domain/transaction/transaction.ts";
const REVERSAL = "domain/transaction/reversal.ts";
const DECIDE = "domain/transaction/decide.ts";
const SETTLE = "domain/transaction/settle.ts";
const STORE = "adapters/memory/transaction-store.ts";
const CHANGES = "adapters/memory/change-store.ts";
const CLOSING = "adapters/memory/transaction-support.ts";
const SUPPORT = "domain/transaction/support.ts";
const ATTEMPT = "app/transaction/attempt.ts";
const PAIRS = "app/transaction/transaction-pairs.ts";
const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });

export const MUTANTS: readonly Mutant[] = [
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
    name: "batch-mixed-by-tx-id",
    shows: "often",
    mistake: "A batch's new values are looked up by tx_id without the merchant.",
    edits: [
      edit(
        STORE,
        "return lines.map((line) => this.#settle(line));",
        "return lines.map((line) => this.#settle({ ...line, change: (lines.find((other) => other.key.txId === line.key.txId) ?? line).change }));",
      ),
    ],
  },
  {
    name: "every-duplicate-wins",
    shows: "often",
    mistake: "The claim takes a matched row for an inserted one (FOUND_ROWS), so every copy calls.",
    edits: [
      edit(
        STORE,
        "if (found !== undefined) return { mine: found.transaction.leaseToken === line.token,",
        'if (found !== undefined) return { mine: line.as !== "void",',
      ),
    ],
  },
  {
    name: "select-then-insert",
    shows: "often",
    mistake: "The claim overwrites the row that a concurrent one has just inserted.",
    edits: [
      edit(
        STORE,
        "if (found !== undefined) return { mine: found",
        "if (found !== undefined && found.transaction.updatedAt < this.now() - 100) return { mine: found",
      ),
    ],
  },
  {
    name: "lease-ignored",
    shows: "often",
    mistake: "A repeat calls although a call is in flight.",
    edits: [
      edit(TRANSACTION, "row.leaseUntil !== null && row.leaseUntil > row.readAt;", "false;"),
      edit(STORE, "row.leaseUntil !== null && row.leaseUntil > now;", "false;"),
    ],
  },
  {
    name: "lease-shorter-than-timeout",
    shows: "often",
    mistake: "The lease is shorter than the wallet's time-out.",
    edits: [edit(ATTEMPT, "LEASE_MARGIN_MS = 7_000", "LEASE_MARGIN_MS = -1_500")],
  },
  {
    name: "owner-only-take-over",
    shows: "seldom",
    mistake: "A take-over keeps the token of the attempt before it, so both may record their end.",
    edits: [
      edit(
        "app/transaction/transaction-pairs.ts",
        "key: row, seen: row, token: this.#random.token()",
        "key: row, seen: row, token: row.leaseToken",
      ),
    ],
  },
  {
    name: "settle-without-fence",
    shows: "often",
    mistake: "The settle writes whatever the row's token is.",
    edits: [
      edit(
        STORE,
        "if (row === undefined || row.transaction.leaseToken !== line.token) return false;",
        "if (row === undefined) return false;",
      ),
      edit(STORE, "if (row.transaction.leaseUntil === null) return true;", ""),
      edit(STORE, 'if (row.transaction.status !== "pending") return false;', ""),
    ],
  },
  {
    name: "answers-from-own-reply",
    shows: "seldom",
    mistake: "A process whose settle came too late answers its caller with the wallet's reply.",
    edits: [edit(ATTEMPT, "if (!applied) {", "if (false) {")],
  },
  {
    name: "new-tx-id-per-resend",
    shows: "often",
    mistake: "Each attempt goes out under an id of its own.",
    edits: [
      edit(
        ATTEMPT,
        "this.#wallet.send(target, row, row.attempts)",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
        "this.#wallet.send(target, row.attempts > 1 ? ({ ...row, txId: `${row.txId}-${row.attempts}` } as typeof row) : row, row.attempts)",
      ),
    ],
  },
  {
    name: "silence-is-failure",
    shows: "often",
    mistake: "A time-out is taken for a rejection.",
    edits: [
      edit(
        SETTLE,
        'export function settleOriginal(row: Transaction, answered: WalletAnswer, now: DbTime, resend: ResendPolicy): Settlement { if (answered.kind === "silent") return stillPending(row, true, now, resend);',
        'export function settleOriginal(row: Transaction, answered: WalletAnswer, now: DbTime, resend: ResendPolicy): Settlement { if (answered.kind === "silent") return { change: settledAs({ status: "failed", error: "TIMEOUT" }, settledBy(row)), reversed: null, alerts: [] };',
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
    name: "dead-attempt-forgotten",
    shows: "seldom",
    mistake: "A take-over forgets that the attempt before it died unanswered, so the quiet period starts too early.",
    edits: [
      edit(
        STORE,
        "leaseUntil: now + leaseMs, silentAt: lastUnansweredAt({ ...was, readAt: now }),",
        "leaseUntil: now + leaseMs, silentAt: was.silentAt,",
      ),
    ],
  },
  {
    name: "dead-lease-keeps-its-token",
    shows: "never",
    mistake:
      "A reversal gives back its original's dead lease under that attempt's own token: its late settle passes for applied.",
    edits: [
      edit(STORE, "leaseToken: was.leaseUntil === null ? was.leaseToken : token,", "leaseToken: was.leaseToken,"),
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
    name: "amount-unchecked",
    shows: "often",
    mistake: "The same id with another amount is taken for a repeat.",
    edits: [
      edit("domain/transaction/idempotency.ts", "amount: (c: Content) => c.amountMinor,", ""),
      edit(REVERSAL, 'if (reversal.amountMinor !== reversed.amountMinor) return "amount";', ""),
    ],
  },
  {
    name: "zero-reversal-unchecked",
    shows: "often",
    mistake: "A refund or rollback of 0 is a success whatever it names, so its provider takes the stake for returned.",
    edits: [edit("domain/transaction/zero-amount.ts", "?? (reversed && referenceRefusal(request, reversed));", ";")],
  },
  {
    name: "rejected-bet-sent-again",
    shows: "often",
    mistake: "A rejected bet is judged anew when the provider repeats it.",
    edits: [edit(DECIDE, "request !== null && isCredit(row.action);", "request !== null;")],
  },
  {
    name: "rejection-forgotten",
    shows: "never",
    mistake:
      "A rejected bet whose refund was accepted after all answers TRANSACTION_REVERSED instead of its rejection.",
    edits: [edit(SETTLE, "{ rejected: reversed.error }", "{}")],
  },
  {
    name: "no-crash-recovery",
    shows: "often",
    mistake: "Nobody gives the rows of a dead process their due time.",
    edits: [edit("app/feed/sequencer.ts", "return row.orphaned ?", "return false ?")],
  },
  {
    name: "pending-before-durable",
    shows: "often",
    mistake: "At its deadline a credit is promised although its row may never be written.",
    edits: [
      edit(
        "app/transaction/transact.ts",
        "return promised === undefined && isCredit(content.action) ?",
        "return false ?",
      ),
    ],
  },
  {
    name: "old-answer-shared",
    shows: "seldom",
    mistake: "A request that joins a run is told an answer that was read before the request came.",
    edits: [edit("app/transaction/progress.ts", "return this.#known > joined.looks;", "return true;")],
  },
  {
    name: "old-promise-shared",
    shows: "seldom",
    mistake: "At its deadline a credit is promised by a look at its row that was sent before the request came.",
    edits: [edit("app/transaction/progress.ts", "(joined.leased || pending.look > joined.looks)", "true")],
  },
  {
    name: "every-copy-asks-again",
    shows: "seldom",
    mistake: "A copy that waited for a call takes its rejection for an old one and sends the credit again.",
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
    name: "promise-without-taking",
    shows: "seldom",
    mistake: "A win without a place is told pending although a rollback's mark was faster than its adoption.",
    edits: [edit("app/transaction/transaction-pairs.ts", "return adopted !== undefined;", "return adopted !== null;")],
  },
  {
    name: "no-backoff",
    shows: "often",
    mistake: "A silent credit is sent again with every scan.",
    edits: [
      edit(
        "domain/transaction/resend.ts",
        "return Math.min(Math.round(doubled * (1 + JITTER * fraction)), LONGEST_DELAY_MS);",
        "return Math.min(doubled, 1_000) * (1 + JITTER * fraction);",
      ),
    ],
  },
  {
    name: "sum-counted-twice",
    shows: "often",
    mistake: "A row may be numbered again, so two sequencers add the same success twice.",
    edits: [
      edit("adapters/memory/change-store.ts", "if ((this.#heads.get(merchantId) ?? 0n) !== seq) return false;", ""),
      edit("adapters/memory/change-store.ts", "at.row.feedSeq !== null ||", ""),
    ],
  },
  {
    name: "no-check-before-send",
    shows: "seldom",
    mistake: "A process that stood still between claim and call sends all the same.",
    edits: [edit(ATTEMPT, "CALL_BEGINS_WITHIN_MS = 5_000", "CALL_BEGINS_WITHIN_MS = 5_000_000")],
  },
  {
    name: "lease-by-process-clock",
    shows: "often",
    mistake: "A take-over's lease ends by the system clock of who took it, not by the database's.",
    edits: [
      edit(
        PAIRS,
        "seen: row, token: this.#random.token(), leaseMs: this.#leaseMs()",
        "seen: row, token: this.#random.token(), leaseMs: this.#leaseMs() + this.#clock.now() - row.readAt",
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
    name: "lateness-by-system-clock",
    shows: "seldom",
    mistake: "Whether it is too late to begin a call is measured by the system clock, which may step back meanwhile.",
    edits: [
      edit(
        PAIRS,
        "const sentAt = this.#clock.monotonic(); const { mine",
        "const sentAt = this.#clock.now(); const { mine",
      ),
      edit(
        PAIRS,
        "const sentAt = this.#clock.monotonic(); const taken = await this.#rows.adopt",
        "const sentAt = this.#clock.now(); const taken = await this.#rows.adopt",
      ),
      edit(
        PAIRS,
        "const sentAt = this.#clock.monotonic(); const taken = await this.#rows.takeOver",
        "const sentAt = this.#clock.now(); const taken = await this.#rows.takeOver",
      ),
      edit(ATTEMPT, "this.#clock.monotonic() - sentAt", "this.#clock.now() - sentAt"),
      edit(ATTEMPT, "this.#clock.monotonic() - held.sentAt", "this.#clock.now() - held.sentAt"),
    ],
  },
  {
    name: "silence-without-time",
    shows: "often",
    mistake: "A settle doesn't write when its attempt fell silent, so nothing is waited for.",
    edits: [edit(STORE, "silentAt: silent ? now : row.transaction.silentAt,", "silentAt: row.transaction.silentAt,")],
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
  {
    name: "taken-over-without-mark",
    shows: "seldom",
    mistake: "A take-over doesn't ask whether a reversal has marked the row since it was read.",
    edits: [edit(STORE, "|| was.reversedBy !== seen.reversedBy) return undefined;", ") return undefined;")],
  },
  {
    name: "due-without-mark",
    shows: "seldom",
    mistake: "Who makes a row due doesn't ask whether a reversal has marked it since it was read.",
    edits: [edit(STORE, "|| was.reversedBy !== seen.reversedBy) return false;", ") return false;")],
  },
  {
    name: "resent-while-held",
    shows: "seldom",
    mistake: "A win is sent again on request although its rollback holds it.",
    edits: [
      edit(
        SUPPORT,
        "return row.reversedBy === null || isReleased(reversal, quietPeriodMs);",
        "return reversal === undefined || quietPeriodMs >= 0 || isReleased(reversal, 0);",
      ),
    ],
  },
  {
    name: "closed-before-quiet",
    shows: "seldom",
    mistake: "Support closes a row while a late copy of its last attempt can still land.",
    edits: [
      edit(SUPPORT, "isInFlight(row) || !isQuiet(row, quietPeriodMs)", "isInFlight(row)"),
      edit(SUPPORT, "isInFlight(other) || !isQuiet(other, quietPeriodMs)", "isInFlight(other)"),
    ],
  },
  {
    name: "closed-in-flight",
    shows: "seldom",
    mistake: "Support closes a row whose call is under way.",
    edits: [
      edit(SUPPORT, "isInFlight(row) || !isQuiet(row, quietPeriodMs)", "false"),
      edit(CLOSING, "if (isInFlight(was) || ", "if ("),
    ],
  },
  {
    name: "closed-without-fence",
    shows: "seldom",
    mistake: "A closing doesn't ask whether another attempt, or a reversal, has come since the row was read.",
    edits: [
      edit(
        CLOSING,
        "|| was.leaseToken !== seen.leaseToken || was.reversedBy !== seen.reversedBy) return false;",
        "|| (isInFlight(was) && seen === undefined)) return false;",
      ),
    ],
  },
  {
    name: "closed-alone",
    shows: "seldom",
    mistake: "A reversal is closed without the pending row that it reverses.",
    edits: [
      edit(
        SUPPORT,
        '...change, resolvedBy: "manual" }, reversed });',
        '...change, resolvedBy: "manual" }, reversed: reversed && null });',
      ),
    ],
  },
  {
    name: "numbers-from-an-old-head",
    shows: "seldom",
    mistake: "Numbers are given from the head that was read, whatever it is by now.",
    edits: [edit(CHANGES, "if ((this.#heads.get(merchantId) ?? 0n) !== seq) return false;", "")],
  },
  {
    name: "change-keeps-its-number",
    shows: "often",
    mistake: "A settled row keeps the number of its pending state, so no reader hears of its end and no sum counts it.",
    edits: [edit(STORE, 'feedSeq: state.status === "pending" ? row.feedSeq : null,', "feedSeq: row.feedSeq,")],
  },
  {
    name: "reversed-keeps-its-number",
    shows: "often",
    mistake: "The original that is settled with its reversal keeps its number.",
    edits: [
      edit(STORE, "feedSeq: state.status === was.status ? original.feedSeq : null,", "feedSeq: original.feedSeq,"),
    ],
  },
  {
    name: "sum-of-a-lost-race",
    shows: "often",
    mistake: "A sequencer that was too late to number has added its sums all the same.",
    edits: [
      edit(
        CHANGES,
        "!isNumberable(at.row, now))) return false;",
        "!isNumberable(at.row, now))) { for (const sum of sums) this.#add(merchantId, sum); return false; }",
      ),
    ],
  },
  {
    name: "report-by-end",
    shows: "often",
    mistake: "The report counts a transaction in the hour of its end, not of its creation.",
    edits: [edit(CHANGES, "createdAt: transaction.createdAt,", "createdAt: transaction.updatedAt,")],
  },
  {
    name: "report-counts-pending",
    shows: "often",
    mistake: "The report counts what is pending, and again when it succeeds.",
    edits: [
      edit(
        "app/feed/sequencer.ts",
        'if (row.status !== "success") continue;',
        'if (row.status === "failed") continue;',
      ),
    ],
  },
  {
    name: "dead-debit-sent-again",
    shows: "often",
    mistake: "A bet or rollback whose process died is sent again though nobody repeated it.",
    edits: [
      edit(
        "app/feed/sequencer.ts",
        "isCredit(row.action) ? row.readAt : NEVER",
        "isCredit(row.action) || NEVER > 0 ? row.readAt : NEVER",
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
    name: "place-never-given-back",
    shows: "often",
    mistake: "A call that fell silent keeps its place.",
    edits: [
      edit(
        ATTEMPT,
        ".finally(() => permit.release());",
        '.then((ended) => { if (ended.answer.kind !== "silent") permit.release(); return ended; });',
      ),
    ],
  },
  {
    name: "no-probe",
    shows: "seldom",
    mistake: "A merchant whose breaker is open gets no resends, so nothing ever finds out that its wallet is back.",
    edits: [edit("app/capacity/wallet-permits.ts", "(open ? 1 : ", "(open ? 0 : ")],
  },
];
