import type { VNode } from "preact";
import { days } from "../../parts/format.ts";
import { useCall } from "../../service/use-call.ts";
import { words } from "../../shell/language.ts";
import { addressOf } from "../../shell/route.ts";
import type { OpenAlerts } from "../today/alerts.tsx";
import { differingAlerts, differingDays, isInReport } from "./differing-days.ts";
import type { Range } from "./ranges.ts";
import type { Subject } from "./subject.ts";

/** The most alerts that ListAlerts returns. */
const ALERTS_MAX = 200;

interface DifferingProps {
  readonly subject: Subject;
  readonly tz: string;
  /** The days of the report, and those that it is compared with. */
  readonly ranges: readonly Range[];
}

/** Warns if an open alert says that sums of these days differ from the transactions. */
export function DifferingSums({ subject, tz, ranges }: DifferingProps): VNode | null {
  const say = words.reports;
  const { reply, failure } = useCall<OpenAlerts>("admin.ConsoleService/ListAlerts", { limit: ALERTS_MAX });
  if (failure !== undefined)
    return (
      <p class="fault" role="alert">
        {words.alerts.failed}
      </p>
    );
  if (reply === undefined) return null;
  const warnings = differingAlerts(reply, subject).flatMap((alert) => {
    const differing = differingDays(alert);
    if (differing === undefined || !ranges.some((range) => isInReport(differing, range, tz))) return [];
    const text = say.differ(days(differing));
    return [alert.merchant === subject ? text : `${alert.merchant}: ${text}`];
  });
  if (warnings.length === 0) return null;
  return (
    <p class="effect" role="alert">
      {warnings.join(" ")} <a href={addressOf("today")}>{say.differLink}</a>
    </p>
  );
}
