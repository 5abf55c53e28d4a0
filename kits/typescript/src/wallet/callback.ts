/** A callback's fields. */
import { parseJson } from "../client/json.ts";
import { type Currency, decimalsOf, toMinor } from "../money.ts";

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

/** No amount of the service has more digits before the point. */
const WHOLE_DIGITS_MAX = 10;
const EXPONENT_MAX = 40;
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
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    const value = parseJson(text, (digits) => new JsonNumber(digits));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A JSON number as it was written. A floating-point number would round it. */
class JsonNumber {
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  /** The number without an exponent; undefined: it is negative, or far from every amount. */
  plain(): string | undefined {
    const [, whole = "", fraction = "", power = "0"] =
      /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(this.#digits) ?? [];
    const exponent = Number(power);
    if (whole === "" || Math.abs(exponent) > EXPONENT_MAX) return undefined;
    const digits = `${"0".repeat(EXPONENT_MAX)}${whole}${fraction}${"0".repeat(EXPONENT_MAX)}`;
    const point = EXPONENT_MAX + whole.length + exponent;
    return `${digits.slice(0, point)}.${digits.slice(point)}`;
  }
}

function minorOf(amount: unknown, currency: Currency): bigint | undefined {
  const decimal = amount instanceof JsonNumber ? amount.plain() : undefined;
  if (decimal === undefined) return undefined;
  try {
    const minor = toMinor(decimal, currency);
    return minor > 0n && minor < 10n ** BigInt(WHOLE_DIGITS_MAX + decimalsOf(currency)) ? minor : undefined;
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}
