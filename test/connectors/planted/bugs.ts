/** Bugs that the tests of each connector must catch. Each quotes a piece of the code and says what stands there instead. */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  readonly quote: string;
  readonly instead: string;
}

const inDesk = (name: string, quote: string, instead: string): PlantedBug => ({
  name,
  file: "connectors/frame/desk.ts",
  quote,
  instead,
});
const inHub = (name: string, quote: string, instead: string, file = "hub88"): PlantedBug => ({
  name,
  file: `connectors/hub88/${file}.ts`,
  quote,
  instead,
});
const inEvolution = (name: string, quote: string, instead: string, file = "evolution"): PlantedBug => ({
  name,
  file: `connectors/evolution/${file}.ts`,
  quote,
  instead,
});

const inSlotegrator = (name: string, quote: string, instead: string, file = "slotegrator"): PlantedBug => ({
  name,
  file: `connectors/slotegrator/${file}.ts`,
  quote,
  instead,
});

/** Bugs of the frame, which the tests of every connector catch. */
const FRAME: readonly PlantedBug[] = [
  {
    name: "an amount's digits below the minor unit are dropped in silence",
    file: "connectors/frame/decimals.ts",
    quote: 'below === "" ? "0" :',
    instead: 'below !== "never" ? "0" :',
  },
  {
    name: "a key that comes twice is accepted",
    file: "connectors/frame/json.ts",
    quote: "if (name in object) throw",
    instead: "if (false) throw",
  },
];

/** By the name of the test file in test/connectors/. */
export const PLANTED: Readonly<Record<string, readonly PlantedBug[]>> = {
  hub88: [
    ...FRAME,
    inHub("the signature is not checked", "if (!rsaVerifies(request.body,", "if (false && !rsaVerifies(request.body,"),
    inHub(
      "the key of a bet is the request's id",
      'const txId = fields.text("transaction_uuid", TX_ID_MAX);\n  const roundId',
      'const txId = fields.text("request_uuid", TX_ID_MAX) + Math.random();\n  const roundId',
    ),
    inHub("an amount is one of another scale", "const SHIFT = 5;", "const SHIFT = 4;"),
    inHub("a win does not name its bet", "{ ...money, player, betTxId, labels }", "{ ...money, player, labels }"),
    inHub(
      "a rollback reverses its own id",
      "{ player, txId, refTxId, game: player.game }",
      "{ player, txId: refTxId, refTxId: txId, game: player.game }",
    ),
    inHub("the token of another user is accepted", "(user !== undefined && user !== session.alias)", "false"),
    inHub(
      "an old token may bet",
      'if (session.isReplaced) throw new Refused("RS_ERROR_INVALID_TOKEN");\n    const result',
      "const result",
    ),
    inHub(
      "a settlement needs the newest token",
      'await store.session(token ?? "") : await store.player(user)',
      'await store.session(token ?? "") : undefined',
    ),
    inHub(
      "a bet of another content is a repeat",
      'mismatch: "RS_ERROR_DUPLICATE_TRANSACTION"',
      'mismatch: "RS_OK"',
      "statuses",
    ),
    inHub(
      "a win of a rolled-back bet is told to be paid",
      'reversed: "RS_ERROR_TRANSACTION_DOES_NOT_EXIST"',
      'reversed: "RS_OK"',
      "statuses",
    ),
    inDesk("a bet of 0 leaves no trace", "isCut || amount.minor === 0n)", "isCut)"),
    inDesk(
      "no own reversal is written before a bet",
      "await this.#store.arm(txId",
      "if (false) await this.#store.arm(txId",
    ),
  ],
  evolution: [
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
  ],
  slotegrator: [
    inSlotegrator("the signature is not checked", "if (!verifies(", "if (false && !verifies("),
    inSlotegrator("the merchant id is not checked", "return isMerchant && isSigned;", "return isSigned;", "sign"),
    inSlotegrator("nested keys may be signed in one order only", "[false, true].some(", "[true].some(", "sign"),
    inSlotegrator("a key that comes twice is accepted", "if (old !== undefined) throw", "if (false) throw", "form"),
    inSlotegrator("a refund of a win takes the win back", "onlyBet: true, amountMinor", "amountMinor"),
    inSlotegrator(
      "a refund has its bet's round",
      "game: player.game, onlyBet: true",
      'game: player.game, roundId: fields.optionalText("round_id") ?? "none", onlyBet: true',
    ),
    inSlotegrator("another amount is refunded", "onlyBet: true, amountMinor }", "onlyBet: true }"),
    inSlotegrator("a list is reversed up to its first fault", "if (fault !== undefined) throw", "if (false) throw"),
    inSlotegrator(
      "a rollback's reversals have one id",
      'derivedId("rollback~", `${txId}~${item.txId}`)',
      'derivedId("rollback~", txId)',
    ),
    inSlotegrator(
      "the repeat of a rollback has the present balance",
      "if (found.wireId.endsWith(`:${own}`)) last = found;",
      "if (!found.replayed) last = { ...found, balance: (found.balance ?? 0n) + 1n };",
    ),
    inSlotegrator(
      "the repeat of a refunded bet is an error",
      "if (transaction !== undefined && transaction.reversedBy",
      "if (false && transaction?.reversedBy",
    ),
    inSlotegrator("a bet of 0 after its refund is an error", 'verdict === "reversed" && amount.minor === 0n', "false"),
    inSlotegrator(
      "a session of another player may bet",
      "if (session?.alias !== player.alias) throw",
      "if (session === undefined) throw",
    ),
    inSlotegrator("a balance has two decimals", "const PLACES = 4;", "const PLACES = 2;"),
    inSlotegrator("funds are an internal error", 'funds: "INSUFFICIENT_FUNDS"', 'funds: "INTERNAL_ERROR"', "answers"),
    inSlotegrator(
      "another currency is taken",
      'if (fields.text("currency", 8) !== player.currency) throw',
      "if (false) throw",
    ),
  ],
};
