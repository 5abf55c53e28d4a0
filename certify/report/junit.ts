/**
 * JUnit XML, as continuous integration reads it. A warning is a passed test with a note; what was not tried is skipped.
 */

import type { Outcome, Pass } from "../pass.ts";
import { ruleAddress } from "../rules.ts";
import { inWords } from "../trial.ts";
import { shownExchanges, type Verdict } from "../verdict.ts";
import { curl } from "../wallet/curl.ts";

const SHOWN_MAX = 20;

/** Text of an element or attribute. Control characters are no XML. */
const xml = (text: string): string =>
  text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

export function renderJunit(pass: Pass, { counts }: Verdict): string {
  const { outcomes, plan, ms } = pass;
  const suites = [...new Set(outcomes.map(({ category }) => category))].map((category) => {
    const own = outcomes.filter((outcome) => outcome.category === category);
    const count = (status: Outcome["status"]): number => own.filter((outcome) => outcome.status === status).length;
    const time = seconds(own.reduce((sum, outcome) => sum + outcome.ms, 0));
    const head = `<testsuite name="${xml(category.title)}" tests="${own.length}" failures="${count("failed")}" skipped="${count("not_tried")}" time="${time}" timestamp="${pass.at.toISOString()}">`;
    return `${head}\n${own.map((outcome) => testCase(outcome, plan.url)).join("\n")}\n</testsuite>`;
  });
  const head = `<testsuites name="certify-wallet" tests="${outcomes.length}" failures="${counts.failed}" skipped="${counts.not_tried}" time="${seconds(ms)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join("\n")}\n</testsuites>\n`;
}

function testCase(outcome: Outcome, url: URL): string {
  const { category, case: one, status, finding, why, ms } = outcome;
  const head = `<testcase classname="${xml(category.id)}" name="${xml(`${one.id}: ${one.title}`)}" time="${seconds(ms)}"`;
  if (status === "not_tried") return `${head}><skipped message="${xml(why ?? "")}"/></testcase>`;
  if (finding === undefined) return `${head}/>`;
  const text = [
    `rule: ${ruleAddress(one.rule)}`,
    `expected: ${finding.expected}`,
    `received: ${finding.received}`,
    `fix: ${one.fix}`,
    ...shownExchanges(outcome, SHOWN_MAX).shown.flatMap((exchange) => [curl(exchange, url), `  ${inWords(exchange)}`]),
  ].join("\n");
  if (status === "warning") return `${head}><system-out>${xml(`WARNING\n${text}`)}</system-out></testcase>`;
  return `${head}><failure message="${xml(`expected ${finding.expected}; received ${finding.received}`)}">${xml(text)}</failure></testcase>`;
}
