/** A callback's fields. */
import { type Currency, toMinor } from "../money.ts";

export type Callback = BalanceQuery | Transaction;

interface BalanceQuery {
  readonly action: "balance";
  readonly playerId: string;
  readonly currency: string;
}

export interface Transaction {
  readonly action: "bet" | "win" | "refund" | "rollback";
  readonly playerId: string;
  readonly currency: string;
  readonly txId: string;
  readonly roundId: string;
  /** In minor units, above zero. */
  readonly amount: bigint;
  /** The bet or win that a refund or rollback reverses. */
  readonly refTxId: string | null;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isMove = (value: unknown): value is Transaction["action"] =>
  value === "bet" || value === "win" || value === "refund" || value === "rollback";

/** undefined: the body is not a callback of the service. Unknown fields are ignored. */
export function readCallback(body: Uint8Array, currency: Currency): Callback | undefined {
  const fields = parse(body);
  if (fields === undefined || !isText(fields.player_id) || !isText(fields.currency)) return undefined;
  const who = { playerId: fields.player_id, currency: fields.currency };
  const { action, tx_id: txId, round_id: roundId, ref_tx_id: ref } = fields;
  if (action === "balance") return { action, ...who };
  const isReversal = action === "refund" || action === "rollback";
  const amount = minorOf(fields.amount, currency);
  if (!isMove(action) || !isText(txId) || !isText(roundId) || amount === undefined) return undefined;
  if (isReversal && !isText(ref)) return undefined;
  return { action, ...who, txId, roundId, amount, refTxId: isReversal && isText(ref) ? ref : null };
}

function parse(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
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
