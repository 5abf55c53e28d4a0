/** What a pass comes to. */
import type { Outcome, Pass, Status } from "./pass.ts";

export const PASSED = 0;
const FAILED = 1;
export const NOT_JUDGED = 2;

export interface Verdict {
  readonly counts: Readonly<Record<Status, number>>;
  /** Cases whose preparation the wallet did not let succeed. They are among the `not_tried`. */
  readonly unprepared: number;
  readonly exitCode: typeof PASSED | typeof FAILED;
  /** In one sentence. */
  readonly sentence: string;
}

/** `strict`: warnings count as failures. */
export function verdict({ outcomes }: Pick<Pass, "outcomes">, strict: boolean): Verdict {
  const count = (status: Status): number => outcomes.filter((outcome) => outcome.status === status).length;
  const counts = {
    passed: count("passed"),
    failed: count("failed"),
    warning: count("warning"),
    not_tried: count("not_tried"),
  };
  const unprepared = outcomes.filter((outcome) => outcome.unprepared).length;
  const isFailed = counts.failed > 0 || unprepared > 0 || counts.passed === 0 || (strict && counts.warning > 0);
  const parts = [
    `${counts.passed} passed`,
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    ...(counts.warning > 0 ? [`${counts.warning} ${counts.warning === 1 ? "warning" : "warnings"}`] : []),
    ...(counts.not_tried > 0
      ? [`${counts.not_tried} not tried${unprepared > 0 ? ` (${unprepared} could not be prepared)` : ""}`]
      : []),
  ];
  const sentence = `${isFailed ? "The wallet breaks rules" : "The wallet keeps the rules that were tried"}: ${parts.join(", ")}.`;
  return { counts, unprepared, exitCode: isFailed ? FAILED : PASSED, sentence };
}

/** The exchanges of a case that a report shows: those around the finding, first and last of the others. */
export function shownExchanges(
  { exchanges, finding }: Outcome,
  most: number,
): { readonly shown: Outcome["exchanges"]; readonly hidden: number } {
  if (exchanges.length <= most) return { shown: exchanges, hidden: 0 };
  const found = finding?.exchange;
  const at =
    found === undefined ? -1 : exchanges.findIndex(({ sent, reply }) => sent === found.sent && reply === found.reply);
  const head = exchanges.slice(0, Math.ceil(most / 2));
  const rest = exchanges.slice(head.length);
  const tail = rest.slice(-(most - head.length));
  const foundOne =
    at >= head.length && !tail.includes(exchanges[at] as (typeof exchanges)[number])
      ? [exchanges[at] as (typeof exchanges)[number]]
      : [];
  const shown = [...head, ...foundOne, ...tail];
  return { shown, hidden: exchanges.length - shown.length };
}
