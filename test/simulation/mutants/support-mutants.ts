/** Bugs in the commands of merchants and support: resends on request, and rows that are closed by hand. */
import { edit, type Mutant } from "./mutant.ts";

const CLOSING = "../testbed/memory/transaction-support.ts";
const SUPPORT = "domain/transaction/support.ts";

export const SUPPORT_MUTANTS: readonly Mutant[] = [
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
    mistake: "Support closes a row while a late copy of its last attempt can still arrive.",
    edits: [
      edit(SUPPORT, "isInFlight(row) || !isQuiet(row, quietPeriodMs)", "isInFlight(row)"),
      edit(SUPPORT, "isInFlight(other) || !isQuiet(other, quietPeriodMs)", "isInFlight(other)"),
    ],
  },
  {
    name: "closed-in-flight",
    shows: "seldom",
    mistake: "Support closes a row while its call is in flight.",
    edits: [
      edit(SUPPORT, "isInFlight(row) || !isQuiet(row, quietPeriodMs)", "false"),
      edit(CLOSING, "if (isInFlight(was) || ", "if ("),
    ],
  },
  {
    name: "closed-without-fence",
    shows: "seldom",
    mistake: "A closing doesn't check whether another attempt or a reversal has come since the row was read.",
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
];
