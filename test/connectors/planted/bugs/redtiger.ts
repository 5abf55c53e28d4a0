import { FRAME, inFolder, type PlantedBug } from "./planted-bug.ts";

const inRedTiger = inFolder("redtiger", "redtiger");

export const redtiger: readonly PlantedBug[] = [
  ...FRAME,
  inRedTiger("the key is not checked", "if (!sameText(header", "if (false && !sameText(header"),
  inRedTiger(
    "an old token may stake",
    "if (session === undefined || session.isReplaced) throw",
    "if (session === undefined) throw",
  ),
  inRedTiger(
    "the token for settlements may stake",
    "const session = isRecon ? undefined : await store.session(token);",
    'const session = isRecon ? await store.player(userId ?? "") : await store.session(token);',
  ),
  inRedTiger("auth does not end the old token", "await store.replaceToken(token);", ""),
  inRedTiger(
    "the token of another user is accepted",
    "(userId !== undefined && userId !== player.alias)",
    "(userId === undefined && userId !== player.alias)",
  ),
  inRedTiger(
    "another currency is taken",
    "!== player.currency) throw new Refused(305)",
    '=== "" ) throw new Refused(305)',
  ),
  inRedTiger(
    "a stake has a new id each time",
    "      txId,\n      roundId: round.id ?? txId,",
    "      txId: txId + Math.random().toString(36).slice(2),\n      roundId: round.id ?? txId,",
  ),
  inRedTiger(
    "a payout needs no stake",
    "await this.#rounds.settle(win, isPromo, deadline)",
    "await this.#rounds.settle(win, true, deadline)",
  ),
  inRedTiger(
    "no payout ends its round",
    'roundEnded: round.ends,\n    };\n    this.#tellPromo(transaction, "payoutPromo"',
    'roundEnded: false,\n    };\n    this.#tellPromo(transaction, "payoutPromo"',
  ),
  inRedTiger(
    "a refund of a paid stake gives it back",
    "unlessSettled: true, onlyBet: true",
    "unlessSettled: false, onlyBet: true",
  ),
  inRedTiger(
    "a refund takes a payout back",
    "unlessSettled: true, onlyBet: true",
    "unlessSettled: true, onlyBet: false",
  ),
  inRedTiger(
    "a refund of an unknown stake is told to be done",
    'if (found.verdict === "ok" && found.what !== "bet") throw',
    "if (false) throw",
  ),
  inRedTiger(
    "the answer to a refund has the amount of the request",
    ")?.amountMinor ?? 0n",
    ")?.amountMinor ? 4700n : 0n",
  ),
  inRedTiger("a free stake leaves no trace", "await this.#rounds.noteFreeBet(session, bet.roundId);", ";"),
  inRedTiger("a stake in an ended round is a generic error", "ended: 200", "ended: 201", "codes"),
  inRedTiger("the repeat of a stake with another amount is a success", "mismatch: 401", "mismatch: 0", "codes"),
  inRedTiger("a stake without an outcome is a success", "  pending: 500,", "  pending: 0,", "codes"),
];
