import { type Currency, toDecimal } from "../../../domain/values/money.ts";

/** A number of exactly these digits: JSON.stringify puts them out as they are. */
export interface Decimal {
  readonly rawJSON: string;
}

/** Since ES2026; TypeScript doesn't know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): Decimal };

/** Money as the API shows it: the exact decimal in the major unit, never rounded on its way through a double. */
export const decimal = (minor: bigint, currency: Currency): Decimal => rawJSON(toDecimal(minor, currency));
