/** Bugs in the labels of bets and wins: what freezes them, what sends them, and what refuses because of them. */
import { edit, type Mutant } from "./mutant.ts";

const STORE = "../testbed/memory/transaction-store.ts";

export const LABEL_MUTANTS: readonly Mutant[] = [
  {
    name: "labels-are-content",
    shows: "often",
    mistake: "A repeat with another kind is refused as if it were another transaction.",
    edits: [
      edit(
        "domain/transaction/idempotency.ts",
        '["settles", (c: Content) => c.bet?.settles ?? false],',
        '["settles", (c: Content) => c.bet?.settles ?? false], ["kind", (c: Content) => c.labels?.kind ?? null],',
      ),
    ],
  },
  {
    name: "newest-labels-sent",
    shows: "often",
    mistake: "A repeat sends its own labels to the wallet instead of those of the row.",
    edits: [
      edit(
        "app/transaction/drive.ts",
        ": pairs.takeOver(decision, this.#content, permit, span);",
        ": pairs.takeOver(decision, this.#content, permit, span).then((held) => held && { ...held, row: { ...held.row, labels: this.#request.labels } });",
      ),
    ],
  },
  {
    name: "void-row-with-labels",
    shows: "often",
    mistake: "The void row of a win that names its bet has labels before it is a transaction.",
    edits: [
      edit(
        "ports/transactions/transaction-store.ts",
        'content.labels !== undefined && as !== "void" &&',
        "content.labels !== undefined &&",
      ),
    ],
  },
  {
    name: "adoption-without-labels",
    shows: "often",
    mistake: "A win that names its bet becomes a transaction without its labels.",
    edits: [
      edit(
        STORE,
        "inserted(row.id, line, claimedPlay(line, now));",
        "inserted(row.id, line, claimedPlay({ ...line, content: { ...line.content, labels: undefined } }, now));",
      ),
    ],
  },
  {
    name: "take-over-without-labels",
    shows: "often",
    mistake: "The statement that takes a row over for a resend loses its labels.",
    edits: [edit(STORE, "attempts: was.attempts + 1,", "attempts: was.attempts + 1, labels: undefined,")],
  },
  {
    name: "callback-without-promotion",
    shows: "often",
    mistake: "The callback has the kind and not the promotion.",
    edits: [edit("adapters/wallet-http/callback.ts", "if (content.labels?.promoId != null)", "if (false)")],
  },
  {
    name: "label-refuses-win",
    shows: "often",
    mistake: "An unknown kind refuses a win, although its money is owed.",
    edits: [edit("domain/transaction/request-faults.ts", 'if (action === "bet") faults.push(', "faults.push(")],
  },
];
