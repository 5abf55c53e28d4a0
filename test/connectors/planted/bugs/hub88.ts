import { FRAME, inDesk, inFolder, type PlantedBug } from "./planted-bug.ts";

const inHub = inFolder("hub88", "hub88");

export const hub88: readonly PlantedBug[] = [
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
];
