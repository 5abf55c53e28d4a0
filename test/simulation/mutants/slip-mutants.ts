/** Bugs in the code that drives slips. */
import { edit, type Mutant } from "./mutant.ts";

const BETSLIP = "domain/transaction/betslip.ts";
const SLIPS = "app/sportsbook/slips.ts";
const STORE = "../testbed/memory/slip-store.ts";

export const SLIP_MUTANTS: readonly Mutant[] = [
  {
    name: "silence-goes-on",
    shows: "often",
    mistake: "A bet without an answer counts as debited.",
    edits: [
      edit(
        BETSLIP,
        'if (answer.status === "success") return undefined;',
        'if (answer.status !== "failed") return undefined;',
      ),
    ],
  },
  {
    name: "silent-bet-forgotten",
    shows: "often",
    mistake: "Only the bets before the silent one are refunded.",
    edits: [edit(BETSLIP, 'why.kind === "silent" ? at + 1 : at', "at")],
  },
  {
    name: "nobody-takes-up",
    shows: "often",
    mistake: "A slip whose process died waits until its caller sends it again.",
    edits: [edit("app/sportsbook/slip-worker.ts", "await this.#slips.takeUp(key)", "await Promise.resolve(key)")],
  },
  {
    name: "over-before-its-refunds",
    shows: "often",
    mistake: "A failed slip counts as over after its verdict, before its refunds are durable.",
    edits: [
      edit(BETSLIP, 'verdict.status === "accepted" || !verdict.refunding;', 'verdict.status !== "accepted" || true;'),
    ],
  },
  {
    name: "verdict-not-written",
    shows: "often",
    mistake: "Refunds begin before the slip's failure is durable.",
    edits: [
      edit(SLIPS, "return this.#record(lease, failedAt(slip.bets, at, why));", "return failedAt(slip.bets, at, why);"),
    ],
  },
  {
    name: "slip-without-fence",
    shows: "seldom",
    mistake: "Every process that has driven a slip may record its end.",
    edits: [
      edit(
        STORE,
        'if (stored?.leaseToken !== token) return false; if (stored.state.status !== "running") return isSameVerdict(stored.state, verdict);',
        "if (stored === undefined) return false;",
      ),
    ],
  },
  {
    name: "renewal-writes-the-status",
    shows: "seldom",
    mistake: "The renewal of a lease also writes that the slip runs, so a late copy of it revives a failed slip.",
    edits: [
      edit(
        STORE,
        'if (stored?.leaseToken !== token || stored.state.status !== "running") return false;',
        "if (stored?.leaseToken !== token) return false;",
      ),
      edit(
        STORE,
        "this.#slips.set(keyOf(key), { ...stored, dueAt: this.#now() + leaseMs }); return true;",
        'this.#slips.set(keyOf(key), { ...stored, state: { status: "running" }, dueAt: this.#now() + leaseMs }); return true;',
      ),
      edit(SLIPS, "return isRefunded ?", "return false ?"),
    ],
  },
  {
    name: "taken-by-a-late-copy",
    shows: "never",
    mistake: "A late copy of a take-over gives the lease back to a process that has lost it.",
    edits: [
      edit(
        STORE,
        "if (stored?.leaseToken !== seen.leaseToken || stored.dueAt",
        "if (stored === undefined || stored.dueAt",
      ),
    ],
  },
  {
    name: "refusal-proves-nothing-was-sent",
    shows: "never",
    mistake:
      "A process that took the slip over treats OVERLOADED as proof that nothing was sent, although the previous process may only have stood still.",
    edits: [
      edit(BETSLIP, 'return code === "OVERLOADED" && !sole', 'return code === "OVERLOADED" && sole === undefined'),
    ],
  },
  {
    name: "debited-bet-asked-again",
    shows: "seldom",
    mistake:
      "A slip that was taken over fails at a debited bet that the sportsbook has refunded, while the previous process may send the next bet.",
    edits: [edit(SLIPS, 'return known.status === "success" || stale ? ok(known)', "return stale ? ok(known)")],
  },
];
