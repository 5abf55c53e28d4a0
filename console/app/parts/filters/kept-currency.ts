import { keep, kept } from "../../shell/kept.ts";

const KEY = "currency";

/** The currency that this browser showed last; null: none. */
export const keptCurrency = (): string | null => kept(KEY);

/** Remembers the currency that the reader chose, or that has play. */
export function keepCurrency(currency: string): void {
  keep(KEY, currency);
}
