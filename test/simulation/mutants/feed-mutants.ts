/** Bugs in the change numbers and the sums of reports. */
import { edit, type Mutant } from "./mutant.ts";

const STORE = "../testbed/memory/transaction-store.ts";
const CHANGES = "../testbed/memory/change-store.ts";

export const FEED_MUTANTS: readonly Mutant[] = [
  {
    name: "sum-counted-twice",
    shows: "often",
    mistake: "A row may be numbered again, so two sequencers add the same success twice.",
    edits: [
      edit(CHANGES, "if (this.lastNumber(merchantId) !== seq) return undefined;", ""),
      edit(CHANGES, "at.row.feedSeq !== null ||", ""),
    ],
  },
  {
    name: "numbers-from-an-old-head",
    shows: "seldom",
    mistake: "Change numbers continue from the last number that was read, without a check that it is still the last.",
    edits: [edit(CHANGES, "if (this.lastNumber(merchantId) !== seq) return undefined;", "")],
  },
  {
    name: "change-keeps-its-number",
    shows: "often",
    mistake:
      "A settled row keeps the change number of its pending state, so the feed does not show its end and no sum counts it.",
    edits: [edit(STORE, 'feedSeq: state.status === "pending" ? row.feedSeq : null,', "feedSeq: row.feedSeq,")],
  },
  {
    name: "reversed-keeps-its-number",
    shows: "often",
    mistake: "The original that is settled with its reversal keeps its change number.",
    edits: [
      edit(STORE, "feedSeq: state.status === was.status ? original.feedSeq : null,", "feedSeq: original.feedSeq,"),
    ],
  },
  {
    name: "sum-of-a-lost-race",
    shows: "often",
    mistake: "A sequencer that lost the race for the numbers has added its sums.",
    edits: [
      edit(
        CHANGES,
        "if (rows.includes(undefined)) return false;",
        "if (rows.includes(undefined)) { for (const { merchantId, sums } of numberings) for (const sum of sums) this.#add(merchantId, sum); return false; }",
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
    mistake: "The report counts a pending transaction, and counts it again when it succeeds.",
    edits: [
      edit(
        "app/feed/sequencer.ts",
        'if (row.status !== "success") continue;',
        'if (row.status === "failed") continue;',
      ),
    ],
  },
];
