import { FRAME, inFolder, type PlantedBug } from "./planted-bug.ts";

const inEvolution = inFolder("evolution", "evolution");

export const evolution: readonly PlantedBug[] = [
  ...FRAME,
  inEvolution(
    "the authToken is not checked",
    "tokens.length !== 1 || !sameText",
    "tokens.length !== 1 || false && !sameText",
  ),
  inEvolution(
    "the key of a debit is the transaction's id alone",
    'txId: derivedId("d-", refId), roundId',
    'txId: derivedId("d-", refId + Math.random()), roundId',
  ),
  inEvolution("a credit does not settle its bet", "settles: true", "settles: false"),
  inEvolution(
    "a credit does not look at its bet",
    'const win = { player, txId: derivedId("c-", transactionId), roundId, currency, amount, ...bet };',
    'const win = { player, txId: derivedId("c-", transactionId), roundId, currency, amount };',
  ),
  inEvolution("a settled bet is given back", "...names, unlessSettled: true", "...names, unlessSettled: false"),
  inEvolution(
    "a cancel of an unknown bet is told to be done",
    'if (what === "unknown" || what === "nothing") return',
    "if (false) return",
  ),
  inEvolution("check does not end the old sid", "await this.#parts.store.replaceToken(sid);", ""),
  inEvolution(
    "an old sid is refused for a settlement",
    "if (session !== undefined && session.alias !== userId)",
    "if (session !== undefined && (session.isReplaced || session.alias !== userId))",
  ),
  inEvolution("an old sid may bet", "session.isReplaced || session.alias", "session.alias"),
  inEvolution(
    "the sid of another player settles",
    "if (session !== undefined && session.alias !== userId)",
    "if (false)",
  ),
  inEvolution("a promo payout has a new id each time", 'derivedId("p-", id)', 'derivedId("p-", id + Math.random())'),
  inEvolution(
    "a debit after its cancel is told to be done",
    'reversed: "FINAL_ERROR_ACTION_FAILED"',
    'reversed: "OK"',
    "statuses",
  ),
];
