/** The certificate: one HTML page without scripts and without other files. */

import { CSS } from "./certificate-css.ts";
import { escaped as safe } from "./escaped.ts";
import {
  byCategory,
  type CitedRule,
  nameOf,
  type Report,
  type ReportedCase,
  type ShownExchange,
  type Status,
  shownExchanges,
} from "./report.ts";
import type { Verdict } from "./verdict.ts";

const SHOWN_OF_PASSED = 4;
const SHOWN_OF_OTHERS = 24;
const MARKS: Readonly<Record<Status, string>> = {
  passed: "Passed",
  failed: "Failed",
  warning: "Warning",
  not_tried: "Not tried",
};

/** Converts text with `code` marks to HTML. */
const rich = (text: string): string => safe(text).replace(/`([^`]+)`/g, "<code>$1</code>");
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export function renderHtml(report: Report, judged: Verdict): string {
  const { cases, subject, exchangesAre } = report;
  const isFailed = judged.exitCode !== 0;
  const title = `${capital(subject)} certificate: ${report.who}, ${report.at.toISOString().slice(0, 10)}`;
  const found = cases.filter(({ status }) => status === "failed" || status === "warning");
  const texts = (own: readonly ReportedCase[], isOpen: boolean): string =>
    own.map((one) => caseText(one, isOpen, exchangesAre)).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${safe(title)}</title>
<style>${CSS}</style>
</head>
<body>
<header class="verdict${isFailed ? " failed" : ""}">
<h1>${heading(report, judged)}</h1>
<p>${safe(judged.sentence)}</p>
</header>
<main>
<dl>${report.facts.map(([name, value]) => `<div><dt>${safe(name)}</dt><dd>${safe(value)}</dd></div>`).join("")}</dl>
<h2 id="summary">Summary</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="summary">${summaryTable(cases)}</div>
${found.length === 0 ? "" : `<h2>What was found</h2>\n${texts(found, true)}`}
${byCategory(cases)
  .map(([category, own]) => `<h2>${safe(category.title)}</h2>\n${texts(own, false)}`)
  .join("\n")}
<h2 id="rules">The rules</h2>
<p>In short. Each stands in full under its name in the page that is given with it.</p>
${rulesText(cases.flatMap(({ rules }) => rules))}
</main>
<footer><p>${rich(report.footnote)}</p></footer>
</body>
</html>
`;
}

/** A subject is certified only by a whole pass. A pass without a blocked player or a second merchant is not whole. */
function heading({ subject, isFullRun: isWhole, cases }: Report, { exitCode }: Verdict): string {
  if (exitCode !== 0) return `This ${subject} is not certified`;
  return isWhole && !cases.some(({ lacks }) => lacks)
    ? `This ${subject} is certified`
    : `This ${subject} passed what was tried`;
}

function summaryTable(cases: readonly ReportedCase[]): string {
  const statuses = Object.keys(MARKS) as Status[];
  const rows = byCategory(cases).map(([category, own]) => {
    const cells = statuses.map((status) => `<td>${own.filter((one) => one.status === status).length || "–"}</td>`);
    return `<tr><th scope="row">${safe(category.title)}</th>${cells.join("")}<td>${own.reduce((sum, { ms }) => sum + ms, 0).toFixed(0)} ms</td></tr>`;
  });
  return `<table><thead><tr><th scope="col">Category</th>${statuses.map((status) => `<th scope="col">${MARKS[status]}</th>`).join("")}<th scope="col">Time</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function caseText(one: ReportedCase, isOpen: boolean, exchangesAre: Report["exchangesAre"]): string {
  const { status, rules, finding, why, ms } = one;
  const { shown, hidden } = shownExchanges(one, finding === undefined ? SHOWN_OF_PASSED : SHOWN_OF_OTHERS);
  const rows: (readonly [string, string])[] = [
    ...rules.map(
      ({ id, text }) =>
        [
          "Rule",
          `<a href="#${id}">${id}</a>${one.level === "should" ? " (a recommendation)" : ""}: ${rich(text)}`,
        ] as const,
    ),
  ];
  if (finding !== undefined)
    rows.push(
      ["Expected", rich(finding.expected)],
      ["Received", safe(finding.received)],
      ["Fix", rich(finding.fix)],
      ...(finding.script === undefined
        ? []
        : [["Script, to play again with --replay", `<pre>${safe(JSON.stringify(finding.script))}</pre>`] as const]),
    );
  if (why !== undefined) rows.push(["Why it was not tried", safe(why)]);
  return `<details class="${status}"${isOpen ? " open" : ""}><summary><span class="mark">${MARKS[status]}</span><span class="what">${rich(one.title)}</span><span class="ms">${safe(nameOf(one))} · ${ms.toFixed(0)} ms</span></summary>
<div class="inside"><dl>${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl>
${shown.length === 0 ? "" : `<ol>${shown.map(exchangeText).join("")}</ol>`}${hidden === 0 ? "" : `<p>${hidden} more ${exchangesAre} of this case are not shown here.</p>`}</div></details>`;
}

const exchangeText = ({ sent, notes, answer, ms }: ShownExchange): string =>
  `<li>${notes.length === 0 ? "" : `(${safe(notes.join(", "))}) `}<pre>${safe(sent)}</pre>${safe(answer)}, after ${ms.toFixed(0)} ms</li>`;

function rulesText(cited: readonly CitedRule[]): string {
  const rules = [...new Map(cited.map((rule) => [rule.id, rule])).values()];
  return `<dl>${rules.map(({ id, address, text }) => `<div id="${id}"><dt><code>${safe(address)}</code></dt><dd>${rich(text)}</dd></div>`).join("")}</dl>`;
}
