/** Bugs in the ends of rounds. */
import { edit, type Mutant } from "./mutant.ts";

const MOVE = "app/transaction/move-money.ts";
const PAIRS = "app/transaction/transaction-pairs.ts";
const SEQUENCER = "app/feed/sequencer.ts";
const CALLBACK = "adapters/wallet-http/callback.ts";
const STORE = "../testbed/memory/transaction-store.ts";
const ROUNDS = "../testbed/memory/round-store.ts";

export const ROUND_MUTANTS: readonly Mutant[] = [
  {
    name: "bet-after-the-end",
    shows: "often",
    mistake: "The statement that writes a bet does not look at the end of its round.",
    edits: [edit(STORE, "return unlessEnded === true && this.rounds", "return false && this.rounds")],
  },
  {
    name: "end-not-asked-for",
    shows: "often",
    mistake: "The condition of a bet is lost between the request and its line.",
    edits: [
      edit(
        PAIRS,
        "leaseMs: this.#leaseMs(), ...(request.unlessEnded && { unlessEnded: true }),",
        "leaseMs: this.#leaseMs(),",
      ),
    ],
  },
  {
    name: "end-after-the-answer",
    shows: "often",
    mistake: "A success is told before the round has ended. The numbering ends it a moment later.",
    edits: [edit(MOVE, 'if (result.value.status === "success") await this.#endRound(request, content);', "")],
  },
  {
    name: "end-dies-with-the-process",
    shows: "seldom",
    mistake: "The numbering does not end rounds, so an end is lost if its process dies, or if nobody waits for it.",
    edits: [edit(SEQUENCER, "ended: round.ended || seen?.ended === true", "ended: false")],
  },
  {
    name: "failed-bet-ends-its-round",
    shows: "often",
    mistake: "A bet or win ends its round although the wallet has not accepted it.",
    edits: [
      edit(
        MOVE,
        'if (result.value.status === "success") await this.#endRound(request, content);',
        "await this.#endRound(request, content);",
      ),
    ],
  },
  {
    name: "lost-round-stays-open",
    shows: "often",
    mistake: "A win of 0 that ends its round is answered, and the round stays open.",
    edits: [
      edit(
        MOVE,
        "await this.#endRound(request, content); return this.#zero(request, span);",
        "return this.#zero(request, span);",
      ),
    ],
  },
  {
    name: "known-bet-refused",
    shows: "often",
    mistake: "A repeat of a bet gets ROUND_ENDED because its round has ended since.",
    edits: [
      edit(STORE, "if (found !== undefined) return {", "if (found !== undefined && !this.#isOver(line)) return {"),
    ],
  },
  {
    name: "win-after-the-end-refused",
    shows: "often",
    mistake: "Wins are treated like bets, so a win is refused after the end of its round.",
    edits: [
      edit(MOVE, 'request.action === "bet" && request.kind !== "adjustment" && request.provider', "request.provider"),
    ],
  },
  {
    name: "last-end-counts",
    shows: "often",
    mistake: "A second end moves the time of the first.",
    edits: [edit(ROUNDS, "known?.endedAt ?? (ended ? now : null)", "ended ? now : (known?.endedAt ?? null)")],
  },
  {
    name: "callback-without-end",
    shows: "often",
    mistake: "The merchant's wallet is not told that the round ends.",
    edits: [edit(CALLBACK, "if (content.roundEnded === true)", "if (false)")],
  },
];
