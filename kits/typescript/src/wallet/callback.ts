/** A callback's fields. */
import { type Currency, toMinor } from "../money.ts";

export type Callback = BalanceQuery | Transaction;

export interface BalanceQuery {
  readonly action: "balance";
  readonly playerId: string;
  readonly currency: string;
}

export interface Transaction {
  readonly action: "bet" | "win" | "refund" | "rollback";
  readonly playerId: string;
  readonly currency: string;
  readonly txId: string;
  /** In minor units, above zero; 0 when `currency` is not the merchant's, because such a callback moves no money. */
  readonly amount: bigint;
  /** The bet or win that a refund or rollback reverses. */
  readonly refTxId: string | null;
}

const PLAYER_ID_MAX_BYTES = 512;
const TX_ID_MAX_BYTES = 128;

/**
 * Half of a surrogate pair has no bytes, so two such ids could not be distinguished. Some databases cannot store U+0000.
 */
const isId = (value: unknown, maxBytes: number): value is string =>
  typeof value === "string" &&
  value !== "" &&
  value.isWellFormed() &&
  !value.includes("\0") &&
  Buffer.byteLength(value) <= maxBytes;
const isTxId = (value: unknown): value is string => isId(value, TX_ID_MAX_BYTES);
const isMove = (value: unknown): value is Transaction["action"] =>
  value === "bet" || value === "win" || value === "refund" || value === "rollback";

/**
 * undefined: the body is not a callback of the service. Unknown fields are ignored.
 *
 * @param merchantCurrency - the currency in which amounts are read.
 */
export function readCallback(body: Uint8Array, merchantCurrency: Currency): Callback | undefined {
  const { action, player_id: playerId, currency, tx_id: txId, ref_tx_id: ref, amount: sent } = parse(body) ?? {};
  if (!isId(playerId, PLAYER_ID_MAX_BYTES) || typeof currency !== "string" || currency === "") return undefined;
  if (action === "balance") return { action, playerId, currency };
  const amount = currency === merchantCurrency ? minorOf(sent, merchantCurrency) : 0n;
  if (!isMove(action) || !isTxId(txId) || amount === undefined) return undefined;
  const move = { action, playerId, currency, txId, amount };
  if (action === "bet" || action === "win") return { ...move, refTxId: null };
  return isTxId(ref) ? { ...move, refTxId: ref } : undefined;
}

function parse(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Amounts have at most twelve digits, so the shortest text of the JSON number is the decimal that was sent. */
function minorOf(amount: unknown, currency: Currency): bigint | undefined {
  if (typeof amount !== "number" || amount <= 0) return undefined;
  try {
    return toMinor(String(amount), currency);
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}
