/** The result of a pass. */
import type { Report, Status } from "./report.ts";

export const PASSED = 0;
const FAILED = 1;
export const NOT_JUDGED = 2;

export interface Verdict {
  readonly counts: Readonly<Record<Status, number>>;
  /** The number of cases whose preparation failed. They also count as `not_tried`. */
  readonly unprepared: number;
  readonly exitCode: typeof PASSED | typeof FAILED | typeof NOT_JUDGED;
  /** The verdict as one sentence. */
  readonly sentence: string;
}

/** `strict`: warnings count as failures. */
export function verdict({ subject, cases }: Pick<Report, "subject" | "cases">, strict: boolean): Verdict {
  const count = (status: Status): number => cases.filter((one) => one.status === status).length;
  const counts = {
    passed: count("passed"),
    failed: count("failed"),
    warning: count("warning"),
    not_tried: count("not_tried"),
  };
  const unprepared = cases.filter((one) => one.unprepared).length;
  const isJudged = counts.not_tried < cases.length || unprepared > 0;
  if (!isJudged) {
    const reasons = [...new Set(cases.map(({ why }) => why))];
    const sentence = ["Nothing was judged.", ...reasons].join(" ");
    return { counts, unprepared, exitCode: NOT_JUDGED, sentence };
  }
  const isFailed = counts.failed > 0 || unprepared > 0 || counts.passed === 0 || (strict && counts.warning > 0);
  const parts = [
    `${counts.passed} passed`,
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(counts.warning > 0 ? [`${counts.warning} ${counts.warning === 1 ? "warning" : "warnings"}`] : []),
    ...(counts.not_tried > 0
      ? [`${counts.not_tried} not tried${unprepared > 0 ? ` (${unprepared} could not be prepared)` : ""}`]
      : []),
  ];
  const sentence = `The ${subject} ${isFailed ? "breaks rules" : "keeps the rules that were tried"}: ${parts.join(", ")}.`;
  return { counts, unprepared, exitCode: isFailed ? FAILED : PASSED, sentence };
}
