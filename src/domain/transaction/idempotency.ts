/**
 * Compares the contents of two requests with the same id, and finds the first field that differs
 * (docs/specification/transactions.md#tx-mismatch).
 */
import { CARRIED, type CarriedField } from "../values/carried.ts";
import type { Content, TransactionRequest } from "./transaction.ts";

const carried = ({ name, property }: CarriedField) => [name, (c: Content) => c[property] ?? null] as const;

/** The fields in the order in which they are compared, by their names in the API. */
const FIELDS = [
  ["action", (c: Content) => c.action],
  ["amount", (c: Content) => c.amountMinor],
  ["currency", (c: Content) => c.currency],
  ["player_id", (c: Content) => c.playerId],
  ...CARRIED.map(carried),
  ["provider", (c: Content) => c.game.provider],
  ["game", (c: Content) => c.game.code],
  ["bet_tx_id", (c: Content) => c.bet?.txId],
  ["settles", (c: Content) => c.bet?.settles ?? false],
] as const;

/**
 * The first field in which a request differs from the content `a`, apart from tx_id; `undefined`: no field differs.
 * Labels are not compared. So the round of a win without a round, which is a label, is not compared either.
 */
export function firstDifference(a: Content, b: TransactionRequest): (typeof FIELDS)[number][0] | undefined {
  for (const [name, read] of FIELDS)
    if (read(a) !== read(b) && !(name === "round_id" && isSameRound(a, b))) return name;
  return undefined;
}

const isSameRound = (a: Content, { roundless }: TransactionRequest): boolean =>
  roundless === true && a.roundId === a.labels?.promoId;
