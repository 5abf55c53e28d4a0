/** For programs: the whole pass as one JSON object. */

import { type Report, type ReportedCase, shownExchanges } from "./report.ts";
import type { Verdict } from "./verdict.ts";

const SHOWN_MAX = 60;

export function renderJson(report: Report, { counts, unprepared, exitCode, sentence }: Verdict): string {
  const { version, at, ms, json, cases } = report;
  const all = {
    version,
    at: at.toISOString(),
    ...json,
    duration_ms: Math.round(ms),
    counts: { ...counts, unprepared },
    exit_code: exitCode,
    verdict: sentence,
    cases: cases.map(caseOf),
  };
  return `${JSON.stringify(all, null, 1)}\n`;
}

function caseOf(one: ReportedCase) {
  const { category, id, title, level, rules, status, ms, why, finding } = one;
  const { shown, hidden } = shownExchanges(one, SHOWN_MAX);
  return {
    category: category.id,
    id,
    title,
    level,
    rule: rules[0]?.address,
    rules: rules.map(({ address }) => address),
    status,
    duration_ms: Math.round(ms),
    ...(why !== undefined && { why }),
    ...finding,
    exchanges: shown.map(({ json }) => json),
    exchanges_hidden: hidden,
  };
}
