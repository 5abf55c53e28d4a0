import { inFolder, type PlantedBug } from "./planted-bug.ts";

const inPgSoft = inFolder("pgsoft", "pgsoft");

export const pgsoft: readonly PlantedBug[] = [
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
];
