/** Bugs in the code that drives slips. */
import { edit, type Mutant } from "./mutant.ts";

const BETSLIP = "domain/transaction/betslip.ts";
const SLIPS = "app/sportsbook/slips.ts";

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
    edits: [edit(SLIPS, "failed.refunding ? this.#leaseMs : null", "null")],
  },
  {
    name: "verdict-not-written",
    shows: "often",
    mistake: "Refunds begin before the slip's failure is durable.",
    edits: [
      edit(
        SLIPS,
        "return (await this.#record(lease, failed, failed.refunding ? this.#leaseMs : null)) ? failed : undefined;",
        "return failed;",
      ),
    ],
  },
  {
    name: "slip-without-fence",
    shows: "seldom",
    mistake: "Every process that has driven a slip may record its end.",
    edits: [
      edit(
        "adapters/memory/slip-store.ts",
        "if (stored?.leaseToken !== token) return false;",
        "if (stored === undefined) return false;",
      ),
      edit(
        "adapters/memory/slip-store.ts",
        "if (stored.dueAt === null) return leaseMs === null && stored.state.status === state.status;",
        "",
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
