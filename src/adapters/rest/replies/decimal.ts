import { type Currency, toDecimal } from "../../../domain/values/money.ts";

/** A number for which JSON.stringify writes exactly these digits. */
export interface Decimal {
  readonly rawJSON: string;
}

/** JSON.rawJSON is part of ES2026; TypeScript does not have its type yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): Decimal };

/**
 * An amount in the API's form: the exact decimal in the major unit. It is never converted to a double, so nothing is
 * rounded.
 */
export const decimal = (minor: bigint, currency: Currency): Decimal => rawJSON(toDecimal(minor, currency));
