/**
 * Bugs in claims, leases and take-overs: which process may call the wallet, and which process may record the result.
 */
import { edit, type Mutant } from "./mutant.ts";

const TRANSACTION = "domain/transaction/transaction.ts";
const STORE = "../testbed/memory/transaction-store.ts";
const ATTEMPT = "app/transaction/attempt.ts";
const PAIRS = "app/transaction/transaction-pairs.ts";
const CLOCK = "ports/clock.ts";
const ELAPSED = "return Math.max(this.monotonic() - monotonic, this.now() - system);";

export const CLAIM_MUTANTS: readonly Mutant[] = [
  {
    name: "every-duplicate-wins",
    shows: "often",
    mistake: "The claim treats a matched row as an inserted row (FOUND_ROWS), so every copy calls the wallet.",
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
    mistake: "The claim overwrites the row that a concurrent claim has just inserted.",
    edits: [
      edit(
        STORE,
        "if (found !== undefined) return { mine: found",
        "if (found !== undefined && found.transaction.updatedAt < this.now() - 100) return { mine: found",
      ),
    ],
  },
  {
    name: "claim-written-again",
    shows: "often",
    mistake:
      "A claim whose row has its own token is written again, so a late copy of the claim undoes what came after it.",
    edits: [
      edit(
        STORE,
        "if (found !== undefined) return { mine: found",
        "if (found !== undefined && found.transaction.leaseToken !== line.token) return { mine: found",
      ),
    ],
  },
  {
    name: "lease-ignored",
    shows: "often",
    mistake: "A repeat calls the wallet although a call is in flight.",
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
    mistake: "A take-over keeps the token of the previous attempt, so both attempts may record their result.",
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
    mistake: "The settle does not check the row's token.",
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
    name: "dead-attempt-forgotten",
    shows: "seldom",
    mistake:
      "A take-over ignores that the previous attempt died without an answer, so the quiet period starts too early.",
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
      "A reversal ends its original's dead lease but keeps that attempt's token, so a late settle of that attempt counts as applied.",
    edits: [
      edit(STORE, "leaseToken: was.leaseUntil === null ? was.leaseToken : token,", "leaseToken: was.leaseToken,"),
    ],
  },
  {
    name: "no-check-before-send",
    shows: "seldom",
    mistake: "A process that stood still between claim and call still sends the call.",
    edits: [edit(ATTEMPT, "CALL_BEGINS_WITHIN_MS = 5_000", "CALL_BEGINS_WITHIN_MS = 5_000_000")],
  },
  {
    name: "lease-by-process-clock",
    shows: "often",
    mistake: "The end of a take-over's lease comes from the replica's system clock, not from the database's clock.",
    edits: [
      edit(
        PAIRS,
        "seen: row, token: this.#random.token(), leaseMs: this.#leaseMs()",
        "seen: row, token: this.#random.token(), leaseMs: this.#leaseMs() + this.#clock.now() - row.readAt",
      ),
    ],
  },
  {
    name: "lateness-by-system-clock",
    shows: "seldom",
    mistake: "The system clock, which may step back, decides whether it is too late to begin a call.",
    edits: [
      edit(CLOCK, ELAPSED, "return this.now() - system;"),
      edit(ATTEMPT, "this.#clock.monotonic() - held.sentAt.monotonic", "this.#clock.now() - held.sentAt.system"),
    ],
  },
  {
    name: "suspended-time-forgotten",
    shows: "never",
    mistake:
      "The age of a lease is measured by the monotonic clock alone, which stands still while the machine is suspended.",
    edits: [edit(CLOCK, ELAPSED, "return this.monotonic() - monotonic;")],
  },
  {
    name: "taken-over-without-mark",
    shows: "seldom",
    mistake: "A take-over doesn't check whether a reversal has marked the row since it was read.",
    edits: [edit(STORE, "|| was.reversedBy !== seen.reversedBy) return undefined;", ") return undefined;")],
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
    name: "silence-without-time",
    shows: "often",
    mistake: "A settle does not write the time of an unanswered attempt, so there is no quiet period.",
    edits: [edit(STORE, "silentAt: silent ? now : row.transaction.silentAt,", "silentAt: row.transaction.silentAt,")],
  },
];
