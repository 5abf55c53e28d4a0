import type { OpenAlert, OpenAlerts } from "../today/alerts.tsx";
import { plusDays, type Range, todayIn } from "./ranges.ts";
import { currencyOf, type Subject } from "./subject.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The days (UTC) whose sums differ from the transactions, by a merchant's open alert `ggr_differs`. An alert that was
 * raised several times names only its last day. The first one is the day before the first occurrence: the sums of a day
 * are compared from three hours after its end.
 */
export function differingDays(alert: OpenAlert): Range | undefined {
  const [to = ""] = (alert.detail ?? "").split(" ");
  if (to === "") return undefined;
  const compared = new Date(Date.parse(alert.firstAt) - 3 * HOUR_MS).toISOString().slice(0, 10);
  const first = Number(alert.count) > 1 ? plusDays(compared, -1) : to;
  return { from: first < to ? first : to, to };
}

/** The open alerts `ggr_differs` of a merchant, or of all merchants of a currency: their details end with it. */
export function differingAlerts({ alerts = [] }: OpenAlerts, subject: Subject): OpenAlert[] {
  const currency = currencyOf(subject);
  return alerts.filter(
    ({ alert, merchant, detail = "" }) =>
      alert === "ggr_differs" && (currency === undefined ? merchant === subject : detail.endsWith(` ${currency}`)),
  );
}

/** Whether a moment of these UTC days is in the days of a report. */
export const isInReport = (days: Range, report: Range, tz: string): boolean =>
  todayIn(tz, Date.parse(days.from)) <= report.to && todayIn(tz, Date.parse(days.to) + DAY_MS - 1) >= report.from;
