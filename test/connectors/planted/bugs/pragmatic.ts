import { inFolder, type PlantedBug } from "./planted-bug.ts";

const inPragmatic = inFolder("pragmatic", "pragmatic");
const inRounds = inFolder("frame/extras", "rounds");

export const pragmatic: readonly PlantedBug[] = [
  inPragmatic("the hash is not checked", "if (!sameText(form.hash", "if (false && !sameText(form.hash"),
  inPragmatic("empty parameters are hashed", 'name !== "hash" && value !== ""', 'name !== "hash"', "hash"),
  inPragmatic("a refund has the id of its bet", 'const txId = derivedId("refund:", refTxId);', "const txId = refTxId;"),
  inPragmatic("a refund takes a win back", "unlessSettled: true, onlyBet: true };", "unlessSettled: true };"),
  inPragmatic("a bet is refunded after the result", "if (bet !== undefined && isTaken(bet) &&", "if (false &&"),
  inRounds("a result without its bet is paid", "if (isFree || (await this.#hasFreeBet(player, roundId)))", "if (true)"),
  inRounds(
    "a result does not name its bet",
    "await this.#desk.win({ ...win, betTxId: bet.txId, settles }, deadline)",
    "await this.#desk.win(win, deadline)",
  ),
  inPragmatic("the prize of a result is not paid", "isPaid && prize !== undefined ?", "false && prize !== undefined ?"),
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
  inPragmatic("the token of another player bets", "if (session?.alias !== player.alias)", "if (session === undefined)"),
  inPragmatic("a bet without an outcome is final", "pending: 100,\n  funds: 1", "pending: 120,\n  funds: 1", "errors"),
  inPragmatic("a free bet leaves no trace", 'if (found.verdict === "ok" && bet.amount.minor === 0n)', "if (false)"),
  inPragmatic(
    "the end of a round is not passed on",
    "await this.#parts.desk.endRound(player, roundOf(fields), gameOf(fields), deadline)",
    "await this.#parts.desk.balance(player, gameOf(fields), deadline)",
  ),
];
