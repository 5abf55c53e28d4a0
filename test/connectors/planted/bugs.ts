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
const inRedTiger = (name: string, quote: string, instead: string, file = "redtiger"): PlantedBug => ({
  name,
  file: `connectors/redtiger/${file}.ts`,
  quote,
  instead,
});
const inPgSoft = (name: string, quote: string, instead: string, file = "pgsoft"): PlantedBug => ({
  name,
  file: `connectors/pgsoft/${file}.ts`,
  quote,
  instead,
});
const inSpribe = (name: string, quote: string, instead: string, file = "spribe"): PlantedBug => ({
  name,
  file: `connectors/spribe/${file}.ts`,
  quote,
  instead,
});
const inSoftswiss = (name: string, quote: string, instead: string, file = "softswiss"): PlantedBug => ({
  name,
  file: `connectors/softswiss/${file}.ts`,
  quote,
  instead,
});

const inPragmatic = (name: string, quote: string, instead: string, file = "pragmatic"): PlantedBug => ({
  name,
  file: `connectors/pragmatic/${file}.ts`,
  quote,
  instead,
});
const inRounds = (name: string, quote: string, instead: string): PlantedBug => ({
  name,
  file: "connectors/frame/extras/rounds.ts",
  quote,
  instead,
});
const inBets = (name: string, quote: string, instead: string): PlantedBug => ({
  name,
  file: "connectors/frame/state/open-bets.ts",
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

/** The test files in test/connectors/ that must catch a connector's bugs, and a part of the titles of their tests. */
export const TESTS: Readonly<Record<string, { readonly files: readonly string[]; readonly title?: string }>> = {
  caleta: { files: ["hub88", "caleta-answers", "orders", "bad-input"], title: "aleta" },
  evolution: { files: ["evolution", "orders"] },
  frame: { files: ["frame/open-bets", "frame/wire", "orders"] },
};

/** By the name of the connector. Unless {@link TESTS} says otherwise, it is the name of the test file, too. */
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
  redtiger: [
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
  ],
  pgsoft: [
    inPgSoft("the secret is not checked", '!sameText(form.secret_key ?? "", PGSOFT_SECRET_KEY) ||', ""),
    inPgSoft("the operator is not checked", "|| !isOperator) throw", ") throw"),
    inPgSoft(
      "a spin has another id each time",
      'txId: derivedId("b~", key)',
      'txId: derivedId("b~", key + Math.random())',
    ),
    inPgSoft("the balance id names another spin", "PGSOFT_WHOLE_ID ? id :", "PGSOFT_WHOLE_ID || true ? id :"),
    inPgSoft("transfer_amount is not compared", "|| payout - stake !== transfer) throw", ") throw"),
    inPgSoft("a late call needs a session", "const session = isLate ?", "const session = false ?"),
    inPgSoft("a late call is not known by is_validate_bet", 'isTrue(fields, "is_validate_bet") ||', ""),
    inPgSoft(
      "the session of another player is accepted",
      "if (alias !== undefined && alias !== session.alias) throw",
      "if (false) throw",
    ),
    inPgSoft(
      "another currency is taken",
      "!== currency) throw new Refused(1034);\n    const [stake",
      '=== "") throw new Refused(1034);\n    const [stake',
    ),
    inPgSoft("a win needs no bet of its round", 'isTrue(fields, "is_parent_zero_stake") || !isCash(fields);', "true;"),
    inPgSoft("no spin ends its round", 'roundEnded: isTrue(fields, "is_end_round")', "roundEnded: false"),
    inPgSoft("an adjustment has a new id each time", 'derivedId("a~", id)', 'derivedId("a~", id + Math.random())'),
    inPgSoft(
      "a correction below 0 is paid",
      'const isDebit = signed.startsWith("-");\n    const amount = readAmount(isDebit ?',
      'const isDebit = false;\n    const amount = readAmount(signed.startsWith("-") ?',
    ),
    inPgSoft("a spin without an outcome is a success", "  pending: 1200,", "  pending: 0,", "codes"),
    inPgSoft("a spin after its reversal is a success", "  reversed: 3033,", "  reversed: 0,", "codes"),
    {
      name: "the win of a spin is not sent",
      file: "connectors/frame/desk.ts",
      quote: "win: { ...win.labels, txId: win.txId, amountMinor: win.amount.minor, settles: true }",
      instead: "win: { ...win.labels, txId: win.txId, amountMinor: 0n, settles: true }",
    },
  ],
  spribe: [
    ...FRAME,
    inSpribe("the signature is not checked", 'if (!sameText(header("x-spribe-client-signature"), right) ||', "if ("),
    inSpribe("the client is not checked", "|| !isClient) throw", ") throw"),
    inSpribe("the path is not signed", "`${time}${target}`", "`${time}`"),
    inSpribe("an amount is one of another scale", "const SHIFT = 3;", "const SHIFT = 4;"),
    inSpribe("a deposit does not name its bet", "...(betTxId !== undefined && { betTxId, settles: true })", ""),
    inSpribe("a deposit does not settle its bet", "{ betTxId, settles: true }", "{ betTxId, settles: false }"),
    inSpribe("a paid bet is given back", "unlessSettled: true, onlyBet: true", "unlessSettled: false, onlyBet: true"),
    inSpribe(
      "a rollback takes a deposit back",
      "unlessSettled: true, onlyBet: true",
      "unlessSettled: true, onlyBet: false",
    ),
    inSpribe("another amount is given back", "refTxId, amountMinor, unlessSettled", "refTxId, unlessSettled"),
    inSpribe(
      "a rollback of an unknown bet is told to be done",
      'if (found.verdict === "ok" && found.what !== "bet") throw',
      "if (false) throw",
    ),
    inSpribe(
      "the session of another player may bet",
      "if (session === undefined || session.alias !== fields",
      'if (session === undefined || "" === fields',
    ),
    inSpribe(
      "the session of another player settles",
      "if (player === undefined || player.alias !== userId) throw",
      "if (player === undefined) throw",
    ),
    inSpribe(
      "Spribe's token names the session of another player",
      "if ((await store.session(ownToken))?.alias !== session.alias) throw",
      "if (false) throw",
    ),
    inSpribe("a settlement needs a session", "session ?? (await store.player(userId))", "session"),
    inSpribe("a repeat is a new success", "found.replayed ? 409 : 200", "200"),
    inSpribe("a bet after its rollback is a success", "  reversed: 500,", "  reversed: 200,", "codes"),
    inSpribe("a bet without an outcome is a success", "  pending: 500,", "  pending: 200,", "codes"),
  ],
  softswiss: [
    inSoftswiss(
      "the signature is not checked",
      'if (!sameText(header("x-request-sign")',
      'if (false && !sameText(header("x-request-sign")',
    ),
    inSoftswiss(
      "an amount has the currency's own decimals always",
      'currency === "CLP" ? clp :',
      'currency === "CLP" && clp < 0 ? clp :',
      "settings",
    ),
    inSoftswiss(
      "several bets are not compared with the balance",
      "bets.length > 1 && (await",
      "bets.length > 99 && (await",
    ),
    inSoftswiss(
      "the balance counts for a repeat, too",
      "player, deadline)) return false;",
      "player, deadline)) await Promise.resolve();",
    ),
    inSoftswiss(
      "the bets before a refused one stay",
      'if (last.call === "bet" && code !== 0 && code !== 500)',
      "if (false)",
    ),
    inSoftswiss(
      "a refused bet does not stop the call",
      "for (const each of bets) if (isDone())",
      "for (const each of bets) if (each !== undefined)",
    ),
    inSoftswiss(
      "the second win of a call is forgotten",
      "!done.some((known) => known.txId === txId))",
      "!done.some((known) => known.txId === txId) && done.length === 0)",
    ),
    inSoftswiss(
      "the answer has the order of the calls",
      "actions.flatMap(({ txId }) => done.filter((each) => each.txId === txId))",
      "done",
    ),
    inSoftswiss("an id may come twice in a call", "ids.size < actions.length ||", ""),
    inSoftswiss(
      "no call ends its round",
      "const roundEnded = isFinished && action",
      "const roundEnded = false && isFinished && action",
    ),
    inSoftswiss(
      "a call without actions ends no round",
      "isFinished && roundId !== undefined\n",
      "false && roundId !== undefined\n",
    ),
    inSoftswiss(
      "a rollback reverses its own id",
      'refTxId: action.text("original_action_id", TX_ID_MAX) };',
      'refTxId: action.text("action_id", TX_ID_MAX) };',
    ),
    inSoftswiss("only the first action is rolled back", "if (CODES.rollback[found.verdict] !== 0) break;", "break;"),
    inSoftswiss("a rollback of an unknown action has a transaction", '(call === "rollback" ? "" : txId)', "txId"),
    inSoftswiss(
      "another currency is taken",
      'if (fields.text("currency", 8) !== player.currency) throw',
      "if (false) throw",
    ),
    inSoftswiss("a win that cannot be taken back is an error", "debt: 0, reversed: 0", "reversed: 0", "codes"),
    inSoftswiss("every finished call ends its round", "settings.SOFTSWISS_ROUND_ENDS && fields", "fields"),
    inSoftswiss("a bet without an outcome is a success", "  pending: 500,", "  pending: 0,", "codes"),
  ],
  caleta: [
    inHub(
      "the signature is looked for in another header",
      'header: "x-auth-signature"',
      'header: "x-hub88-signature"',
      "dialects",
    ),
    inHub("check does not end the old token", "await this.#parts.store.replaceToken(token);", ""),
    inHub(
      "an old token may be swapped again",
      'if (session.isReplaced) throw new Refused("RS_ERROR_INVALID_TOKEN");\n    const next',
      "const next",
    ),
    inHub(
      "an old token may bet",
      'if (session.isReplaced) throw new Refused("RS_ERROR_INVALID_TOKEN");\n    const result',
      "const result",
    ),
    inHub(
      "supplier_user is not read",
      'fields.optionalText("user") ?? fields.optionalText("supplier_user")',
      'fields.optionalText("user")',
    ),
    inHub("unclear bets are left to the provider", "endsUnclearBets: false", "endsUnclearBets: true", "dialects"),
    inHub(
      "a bet without an outcome is discarded",
      'pending: "RS_ERROR_TIMEOUT"',
      'pending: "RS_ERROR_TOKEN_EXPIRED"',
      "statuses",
    ),
    inHub(
      "a bet after its rollback is told to be done",
      'reversed: "RS_ERROR_TRANSACTION_ROLLED_BACK" },\n  win',
      'reversed: "RS_OK" },\n  win',
      "statuses",
    ),
    inHub(
      "a win of a rolled-back bet is told to be paid",
      '{ ...WIN, ...CALETA_CREDIT, reversed: "RS_ERROR_TRANSACTION_ROLLED_BACK" }',
      '{ ...WIN, ...CALETA_CREDIT, reversed: "RS_OK" }',
      "statuses",
    ),
    inHub(
      "a blocked player gets an error that is repeated",
      'blocked: "RS_ERROR_USER_DISABLED"',
      'blocked: "RS_ERROR_UNKNOWN"',
      "statuses",
    ),
    inDesk(
      "no own reversal is written before a bet",
      "await this.#store.bets.arm(txId",
      "if (false) await this.#store.bets.arm(txId",
    ),
    inDesk("a bet counts as taken although nobody heard it", "if (deadline.hasHungUp() || ", "if ("),
    inDesk(
      "a win that was not paid saves its bet",
      'const isPaid = found.verdict === "ok" ||',
      "const isPaid = true ||",
    ),
  ],
  pragmatic: [
    inPragmatic("the hash is not checked", "if (!sameText(form.hash", "if (false && !sameText(form.hash"),
    inPragmatic("empty parameters are hashed", 'name !== "hash" && value !== ""', 'name !== "hash"', "hash"),
    inPragmatic(
      "a refund has the id of its bet",
      'const txId = derivedId("refund:", refTxId);',
      "const txId = refTxId;",
    ),
    inPragmatic("a refund takes a win back", "unlessSettled: true, onlyBet: true };", "unlessSettled: true };"),
    inPragmatic("a bet is refunded after the result", "if (bet !== undefined && isTaken(bet) &&", "if (false &&"),
    inRounds(
      "a result without its bet is paid",
      "if (isFree || (await this.#hasFreeBet(player, roundId)))",
      "if (true)",
    ),
    inRounds(
      "a result does not name its bet",
      "await this.#desk.win({ ...win, betTxId: bet.txId, settles }, deadline)",
      "await this.#desk.win(win, deadline)",
    ),
    inPragmatic(
      "the prize of a result is not paid",
      "isPaid && prize !== undefined ?",
      "false && prize !== undefined ?",
    ),
    inPragmatic(
      "the prize has the id of its result",
      'isOwnTxId) : derivedId("promo:", txId)',
      "isOwnTxId) : txId",
      "request",
    ),
    inPragmatic(
      "a debit of an adjustment is paid",
      'const isDebit = text.startsWith("-");',
      "const isDebit = false;",
      "request",
    ),
    inPragmatic(
      "the token of another player bets",
      "if (session?.alias !== player.alias)",
      "if (session === undefined)",
    ),
    inPragmatic(
      "a bet without an outcome is final",
      "pending: 100,\n  funds: 1",
      "pending: 120,\n  funds: 1",
      "errors",
    ),
    inPragmatic("a free bet leaves no trace", 'if (found.verdict === "ok" && bet.amount.minor === 0n)', "if (false)"),
    inPragmatic(
      "the end of a round is not passed on",
      "await this.#parts.desk.endRound(player, roundOf(fields), gameOf(fields), deadline)",
      "await this.#parts.desk.balance(player, gameOf(fields), deadline)",
    ),
  ],
  frame: [
    ...FRAME,
    inBets(
      "a bet that was told to stand is reversed",
      "state IN ('armed', 'ending') AND due_at",
      "state IN ('armed', 'ending', 'taken') AND due_at",
    ),
    inBets(
      "a bet stands although a copy was told that nobody knows",
      "taken: \"state = 'armed'\"",
      "taken: \"state IN ('armed', 'ending')\"",
    ),
    inBets(
      "a copy without an outcome undoes the answer of the first",
      "ending: \"state IN ('armed', 'refused')\"",
      "ending: \"state IN ('armed', 'refused', 'taken')\"",
    ),
    inBets(
      "a bet may be tried again while it is reversed",
      "connector_tasks.state = 'ending' AND connector_tasks.attempts = 0",
      "connector_tasks.state = 'ending'",
    ),
    inBets("a refused bet that comes again is not reversed", "(connector_tasks.state = 'refused' OR ", "(1 = 0 OR "),
    inBets(
      "a bet stands although a copy was told that it took nothing",
      'if (state === "refused" && told === "taken") return',
      "if (false) return",
    ),
    inBets("two replicas reverse one bet", '"state = ? AND due_at = ? AND tx = ?"', "\"? <> '' AND ? > 0 AND tx = ?\""),
    inBets(
      "a bet that the provider has settled is reversed",
      "\"state IN ('armed', 'refused', 'ending') AND tx = ?\"",
      "\"state = 'armed' AND tx = ?\"",
    ),
    {
      name: "the own reversal of a bet takes a win back",
      file: "connectors/frame/finisher.ts",
      quote: "refTxId: id, onlyBet: true",
      instead: "refTxId: id, onlyBet: false",
    },
    inDesk(
      "a copy of a bet that stands is an error while the service is gone",
      "if (decision.balance !== undefined &&",
      "if (false &&",
    ),
  ],
};
