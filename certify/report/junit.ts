/**
 * JUnit XML for continuous integration. A warning is a passed test with a note. A case that was not tried is skipped.
 * This is own code, because the certification has no dependencies, so that an operator can check what it runs.
 * junit-report-builder 5 would bring five packages (6 MB) and xmlbuilder2 4 seven (5 MB) for these few elements.
 */

import { escaped } from "./escaped.ts";
import { byCategory, type Report, type ReportedCase, type Status, shownExchanges } from "./report.ts";
import type { Verdict } from "./verdict.ts";

const SHOWN_MAX = 20;

/** Text of an element or attribute. Control characters are not allowed in XML. */
const xml = (text: string): string =>
  escaped(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd"));

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

export function renderJunit({ tool, at, ms, cases }: Report, { counts }: Verdict): string {
  const suites = byCategory(cases).map(([category, own]) => {
    const count = (status: Status): number => own.filter((one) => one.status === status).length;
    const time = seconds(own.reduce((sum, one) => sum + one.ms, 0));
    const head = `<testsuite name="${xml(category.title)}" tests="${own.length}" failures="${count("failed")}" skipped="${count("not_tried")}" time="${time}" timestamp="${at.toISOString()}">`;
    return `${head}\n${own.map(testCase).join("\n")}\n</testsuite>`;
  });
  const head = `<testsuites name="${tool}" tests="${cases.length}" failures="${counts.failed}" skipped="${counts.not_tried}" time="${seconds(ms)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join("\n")}\n</testsuites>\n`;
}

function testCase(one: ReportedCase): string {
  const { category, id, title, rules, status, finding, why, ms } = one;
  const head = `<testcase classname="${xml(category.id)}" name="${xml(`${id}: ${title}`)}" time="${seconds(ms)}"`;
  if (status === "not_tried") return `${head}><skipped message="${xml(why ?? "")}"/></testcase>`;
  if (finding === undefined) return `${head}/>`;
  const text = [
    ...rules.map(({ address }) => `rule: ${address}`),
    `expected: ${finding.expected}`,
    `received: ${finding.received}`,
    `fix: ${finding.fix}`,
    ...shownExchanges(one, SHOWN_MAX).shown.flatMap(({ sent, answer }) => [sent, `  ${answer}`]),
  ].join("\n");
  if (status === "warning") return `${head}><system-out>${xml(`WARNING\n${text}`)}</system-out></testcase>`;
  return `${head}><failure message="${xml(`expected ${finding.expected}; received ${finding.received}`)}">${xml(text)}</failure></testcase>`;
}
