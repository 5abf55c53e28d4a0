import { inDesk, inFolder, type PlantedBug } from "./planted-bug.ts";

const inHub = inFolder("hub88", "hub88");

export const caleta: readonly PlantedBug[] = [
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
  inDesk("a win that was not paid saves its bet", 'const isPaid = found.verdict === "ok" ||', "const isPaid = true ||"),
];
