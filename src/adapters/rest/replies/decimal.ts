import { type Currency, toDecimal } from "../../../domain/values/money.ts";

/** A number that JSON.stringify writes with exactly these digits. */
export interface Decimal {
  readonly rawJSON: string;
}

/** JSON.rawJSON is part of ES2026; TypeScript does not have its type yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): Decimal };

/**
 * An amount as the API shows it: the exact decimal in the major unit. It never becomes a double, so that nothing is
 * rounded.
 */
export const decimal = (minor: bigint, currency: Currency): Decimal => rawJSON(toDecimal(minor, currency));
