import { useCallback, useMemo, useState } from "preact/hooks";

const MINUTE_MS = 60_000;
/** The service stores the sums of a minute within this time after its end. */
const STORED_AFTER_MS = 10_000;

/** Times that end now, in ms. The first is one whole minute, the newest whose figures are known. */
const SPAN_MS = {
  "1m": 60_000,
  "10m": 600_000,
  "1h": 3_600_000,
  "3h": 3 * 3_600_000,
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
  const range = useMemo(() => {
    const to = span === "1m" ? Math.floor((now - STORED_AFTER_MS) / MINUTE_MS) * MINUTE_MS : now;
    return { from: new Date(to - SPAN_MS[span]).toISOString(), to: new Date(to).toISOString() };
  }, [span, now]);
  return { span, range, again: useCallback(() => setNow(Date.now()), []) };
}
