import { inFolder, type PlantedBug } from "./planted-bug.ts";

const inSoftswiss = inFolder("softswiss", "softswiss");

export const softswiss: readonly PlantedBug[] = [
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
];
