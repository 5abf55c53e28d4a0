const KEY = "currency";

/** The currency that this browser showed last; null: none. */
export function keptCurrency(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Remembers the currency that the reader chose, or that has play. */
export function keepCurrency(currency: string): void {
  try {
    localStorage.setItem(KEY, currency);
  } catch {
    // The browser keeps nothing, so the choice ends with the page.
  }
}
