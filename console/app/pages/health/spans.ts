import { useCallback, useMemo, useState } from "preact/hooks";

/** Times that end now, in ms. */
const SPAN_MS = {
  "10m": 600_000,
  "1h": 3_600_000,
  "6h": 6 * 3_600_000,
  "24h": 86_400_000,
  "7d": 7 * 86_400_000,
} as const;

export type Span = keyof typeof SPAN_MS;
export const SPANS = Object.keys(SPAN_MS) as Span[];
export const isSpan = (text: string | undefined): text is Span => SPANS.some((span) => span === text);

interface ChosenSpan {
  readonly span: Span;
  /** For the request. It stays the same until {@link again}. */
  readonly range: { readonly from: string; readonly to: string };
  /** Ends the span now. */
  readonly again: () => void;
}

/** The span of the address, an hour by default. */
export function useSpan(text: string | undefined): ChosenSpan {
  const span: Span = isSpan(text) ? text : "1h";
  const [now, setNow] = useState(() => Date.now());
  const range = useMemo(
    () => ({ from: new Date(now - SPAN_MS[span]).toISOString(), to: new Date(now).toISOString() }),
    [span, now],
  );
  return { span, range, again: useCallback(() => setNow(Date.now()), []) };
}
