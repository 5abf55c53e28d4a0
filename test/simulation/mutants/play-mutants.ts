/** Bugs in Plays: the two rows, the statement that ends the bet, and who sends the win. */
import { edit, type Mutant } from "./mutant.ts";

const ATTEMPT = "app/transaction/attempt.ts";
const DECIDE = "domain/transaction/decide.ts";
const PAIRS = "app/transaction/transaction-pairs.ts";
const PLAY = "app/transaction/play.ts";
const SETTLEMENT = "domain/transaction/settlement.ts";
const STORE = "../testbed/memory/transaction-store.ts";

export const PLAY_MUTANTS: readonly Mutant[] = [
  {
    name: "play-ends-its-bet-alone",
    shows: "often",
    mistake: "The bet is settled like every bet, and its win is sent only if the process lives on.",
    edits: [edit(ATTEMPT, 'if (win !== undefined && reply.answer.kind === "accepted")', "if (false as boolean)")],
  },
  {
    name: "play-win-left-behind-by-a-take-over",
    shows: "often",
    mistake: "Only the first attempt of the bet knows of the win. An attempt that takes the bet over leaves it behind.",
    edits: [
      edit(
        PAIRS,
        "row.playWin === null ? undefined : await this.#waitingWin(row, row.playWin, request, span)",
        "undefined",
      ),
    ],
  },
  {
    name: "play-overlooks-the-refund",
    shows: "seldom",
    mistake: "The statement that makes the win pending does not look at the mark of a refund of the bet.",
    edits: [
      edit(
        STORE,
        'if (was.status !== "pending" || was.leaseUntil === null || was.reversedBy !== null) return false;',
        'if (was.status !== "pending" || was.leaseUntil === null) return false;',
      ),
    ],
  },
  {
    name: "play-overlooks-the-rollback",
    shows: "seldom",
    mistake: "The statement that makes the win pending does not look at the mark of its rollback.",
    edits: [
      edit(
        STORE,
        'if (named?.txId !== key.txId || status !== "void" || reversedBy !== null) return false;',
        'if (named?.txId !== key.txId || status !== "void") return false;',
      ),
    ],
  },
  {
    name: "play-win-keeps-no-lease",
    shows: "often",
    mistake: "The win gets the token of no attempt, so the worker and the Play may send it at the same time.",
    edits: [edit(STORE, "leaseUntil: now + win.leaseMs,", "leaseUntil: null, nextAt: now,")],
  },
  {
    name: "play-win-is-free-for-all",
    shows: "often",
    mistake: "A win that waits restricts its id no more than other void rows, so another content replaces it.",
    edits: [edit(DECIDE, "isOfPlay(row) ? firstDifference(row, request) : undefined", "undefined")],
  },
  {
    name: "play-win-of-a-failed-bet",
    shows: "often",
    mistake: "The win is paid whatever became of the bet.",
    edits: [
      edit(PLAY, 'if (betReply.status !== "success") return ok({ bet: betReply, win: null });', ""),
      edit(SETTLEMENT, 'if (bet.status === "pending") return { code: "BET_PENDING", field };', ""),
      edit(
        SETTLEMENT,
        'return bet.status === "failed" ? { code: "BET_NOT_FOUND", field } : undefined;',
        "return undefined;",
      ),
      edit(
        STORE,
        'if (status !== "success" || action !== "bet" || reversedBy !== null) return false;',
        'if (action !== "bet" || reversedBy !== null) return false;',
      ),
    ],
  },
  {
    name: "play-settles-nothing",
    shows: "often",
    mistake: "The win of a Play says that it settles its bet, and sets no mark.",
    edits: [edit(STORE, "settledBy: win.txId } });\n    this.rows.set(winKey", "} });\n    this.rows.set(winKey")],
  },
  {
    name: "play-sends-an-unpayable-bet",
    shows: "seldom",
    mistake: "A Play whose win was rolled back before takes the stake all the same, and says nothing of it.",
    edits: [
      edit(ATTEMPT, "if (refused !== undefined) return", "if (false as boolean) return"),
      edit(
        PLAY,
        "if (!FINAL.has(paid.refusal.code)) return paid;",
        "if (!FINAL.has(paid.refusal.code) || paid.refusal.code === 'TRANSACTION_REVERSED') return ok({ bet, win: null });",
      ),
    ],
  },
];
