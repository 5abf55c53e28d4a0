/** The rules that connect a reversal and the transaction that it names (docs/specification/reversals.md). */
import type { Refusal } from "../errors.ts";
import type { PlayerId, TxId } from "../values/identifiers.ts";
import type { WholeMs } from "../values/whole-ms.ts";
import {
  type Content,
  isOfPlay,
  isReversal,
  isSealed,
  lastUnansweredAt,
  quietInMs,
  type Transaction,
} from "./transaction.ts";

/** The wallet's code if it has not applied the transaction that a reversal names. */
export const NOT_FOUND = "TRANSACTION_NOT_FOUND";

/** The action that a reversal reverses. */
const reversedAction = (action: "refund" | "rollback"): "bet" | "win" => (action === "refund" ? "bet" : "win");

/**
 * The field in which a reversal contradicts the transaction that it names: its action, amount, currency or player. If
 * that row is void and a reversal has marked it, only its action is known, so only its action can be contradicted. If
 * it is void and without a mark, nothing can be contradicted. The content of a win that waits for its bet is known.
 */
export function referenceMismatch(reversal: Content, reversed: Transaction): string | undefined {
  if (!isReversal(reversal.action)) return undefined;
  const isUnseen = reversed.status === "void" && !isOfPlay(reversed);
  if (isUnseen && reversed.reversedBy === null && !isReversal(reversed.action)) return undefined;
  if (reversedAction(reversal.action) !== reversed.action) return "ref_tx_id";
  if (isUnseen) return undefined;
  if (reversal.amountMinor !== reversed.amountMinor) return "amount";
  if (reversal.currency !== reversed.currency) return "currency";
  return reversal.playerId === reversed.playerId ? undefined : "player_id";
}

/** The content of the row for an original that never came. It is computed from the original's reversal. */
export function unseenOriginal(reversal: Content): Content {
  if (!isReversal(reversal.action) || reversal.refTxId === null) throw new Error("a reversal names what it reverses");
  return { ...reversal, txId: reversal.refTxId, action: reversedAction(reversal.action), refTxId: null };
}

/** The refusal of a reversal whose reference was reversed before it came; `undefined`: it was not. */
export const sealedRefusal = (reversed: Transaction | undefined): Refusal | undefined =>
  reversed !== undefined && isSealed(reversed) ? { code: "TRANSACTION_REVERSED", field: "ref_tx_id" } : undefined;

/**
 * The milliseconds until a rollback releases its win (docs/specification/reversals.md#rev-win-released). A rollback
 * that failed with another code than TRANSACTION_NOT_FOUND holds its win until no late copy of the rollback can reach
 * the wallet. `undefined`: the reversal holds its original until the reversal ends, or for ever.
 */
export function releasedInMs(reversal: Transaction | undefined, quietPeriodMs: number): WholeMs | undefined {
  const releases = reversal?.action === "rollback" && reversal.status === "failed" && reversal.error !== NOT_FOUND;
  return releases ? quietInMs(reversal, quietPeriodMs) : undefined;
}

/** Whether a rollback no longer holds its win. */
export const isReleased = (reversal: Transaction | undefined, quietPeriodMs: number): boolean =>
  releasedInMs(reversal, quietPeriodMs) === 0;

/**
 * A request to reverse whatever was recorded under `refTxId` (docs/specification/reversals.md#rev-reverse). Fields that the
 * caller left out are null.
 */
export interface ReverseFields {
  readonly txId: TxId;
  readonly refTxId: TxId;
  readonly playerId: PlayerId;
  readonly kind: "bet" | "win" | null;
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
  readonly roundId: string | null;
}

export type Reverse =
  | { readonly do: "refuse"; readonly refusal: Refusal }
  /** Run the refund or rollback with this content. */
  | { readonly do: "run"; readonly content: Content }
  /** The wallet rejected the bet, and answered every attempt. No money can have moved. */
  | { readonly do: "nothing" }
  /** The id is unknown. Seal it, so that nothing is ever sent under it. */
  | { readonly do: "seal" }
  /** The id has been sealed before. */
  | { readonly do: "sealed" };

const mismatch = (field: string): Reverse => ({ do: "refuse", refusal: { code: "TRANSACTION_MISMATCH", field } });

/**
 * @param own - the row with the request's own id.
 * @param original - the row with the id that the request reverses.
 */
export function decideReverse(
  request: ReverseFields,
  own: Transaction | undefined,
  original: Transaction | undefined,
): Reverse {
  if (own !== undefined && own.status !== "void") {
    if (!isReversal(own.action)) return mismatch("action");
    if (own.refTxId !== request.refTxId) return mismatch("ref_tx_id");
    const field = contradiction(request, own);
    return field === undefined ? { do: "run", content: contentOf(own) } : mismatch(field);
  }
  if (original === undefined) return { do: "seal" };
  if (isSealed(original)) return { do: "sealed" };
  if (isReversal(original.action)) return mismatch("ref_tx_id");
  const isFree = original.status === "void" && original.reversedBy === null;
  const field = isFree && !isOfPlay(original) ? undefined : contradiction(request, original);
  if (field !== undefined) return mismatch(field);
  if (isFree) return { do: "seal" };
  const rejected = original.action === "bet" && original.status === "failed";
  if (rejected && lastUnansweredAt(original) === null) return { do: "nothing" };
  return {
    do: "run",
    content: {
      ...contentOf(original),
      txId: request.txId,
      action: original.action === "bet" ? "refund" : "rollback",
      refTxId: original.txId,
    },
  };
}

/** The first field that the request gives, and that a row of the original or of its reversal contradicts. */
function contradiction(request: ReverseFields, row: Transaction): string | undefined {
  const kind = row.action === "bet" || row.action === "refund" ? "bet" : "win";
  if (request.kind !== null && request.kind !== kind) return "kind";
  if (request.amountMinor !== null && request.amountMinor !== row.amountMinor) return "amount";
  if (request.currency !== null && request.currency !== row.currency) return "currency";
  if (request.playerId !== row.playerId) return "player_id";
  return request.roundId !== null && request.roundId !== row.roundId ? "round_id" : undefined;
}

function contentOf(row: Transaction): Content {
  const { merchantId, txId, action, playerId, roundId, amountMinor, currency, game, refTxId } = row;
  return { merchantId, txId, action, playerId, roundId, amountMinor, currency, game, refTxId };
}
