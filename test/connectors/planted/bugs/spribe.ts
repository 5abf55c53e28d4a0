import { FRAME, inFolder, type PlantedBug } from "./planted-bug.ts";

const inSpribe = inFolder("spribe", "spribe");

export const spribe: readonly PlantedBug[] = [
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
];
