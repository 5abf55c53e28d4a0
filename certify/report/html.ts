/** The certificate: one HTML page that needs no other file, and no script. */

import type { Outcome, Pass } from "../pass.ts";
import { ScriptedFinding } from "../random/histories.ts";
import { RULES, type RuleId, ruleAddress } from "../rules.ts";
import { inWords } from "../trial.ts";
import { shownExchanges, type Verdict } from "../verdict.ts";
import { curl, howSent } from "../wallet/curl.ts";
import { CSS } from "./certificate-css.ts";

const SHOWN_OF_PASSED = 4;
const SHOWN_OF_OTHERS = 24;
const MARKS: Readonly<Record<Outcome["status"], string>> = {
  passed: "Passed",
  failed: "Failed",
  warning: "Warning",
  not_tried: "Not tried",
};

const safe = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
/** Text with `code` marks. */
const rich = (text: string): string => safe(text).replace(/`([^`]+)`/g, "<code>$1</code>");

export function renderHtml(pass: Pass, judged: Verdict): string {
  const { plan, outcomes } = pass;
  const isFailed = judged.exitCode !== 0;
  const title = `Wallet certificate: ${plan.merchant.code}, ${pass.at.toISOString().slice(0, 10)}`;
  const categories = [...new Set(outcomes.map(({ category }) => category))];
  const found = outcomes.filter(({ status }) => status === "failed" || status === "warning");
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
<h1>${heading(pass, judged)}</h1>
<p>${safe(judged.sentence)}</p>
</header>
<main>
${facts(pass)}
<h2 id="summary">Summary</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="summary">${summaryTable(outcomes)}</div>
${found.length === 0 ? "" : `<h2>What was found</h2>\n${found.map((outcome) => caseText(outcome, plan.url, true)).join("\n")}`}
${categories
  .map(
    (category) =>
      `<h2>${safe(category.title)}</h2>\n${outcomes
        .filter((outcome) => outcome.category === category)
        .map((outcome) => caseText(outcome, plan.url, false))
        .join("\n")}`,
  )
  .join("\n")}
<h2 id="rules">The rules</h2>
<p>In the words of the specification. Each stands under its name in the page that is given with it.</p>
${rulesText(new Set(outcomes.map((outcome) => outcome.case.rule)))}
</main>
<footer><p>To run a line of this page, set <code>SECRET</code> (and <code>OTHER_SECRET</code>) to the merchant's secret. A transaction that was applied keeps its answer: for a first arrival
write another id in the place of <code>${safe(pass.run)}</code>.</p></footer>
</body>
</html>
`;
}

/** A wallet is certified when nothing was left out: a pass without a blocked player or a second merchant is none. */
function heading({ plan, outcomes }: Pass, { exitCode }: Verdict): string {
  if (exitCode !== 0) return "This wallet is not certified";
  const isWhole = plan.only === undefined && plan.replay === undefined && !outcomes.some(({ lacks }) => lacks);
  return isWhole ? "This wallet is certified" : "This wallet passed what was tried";
}

function facts({ plan, at, ms, calls, version, run, outcomes }: Pass): string {
  const answered = outcomes
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ reply, delivery }) => reply.status !== null && delivery.pieces === undefined);
  const slowest = answered.reduce((most, { reply }) => Math.max(most, reply.ms), 0);
  const rows: [string, string][] = [
    ["Wallet", plan.url.href],
    ["Merchant", `${plan.merchant.code}, ${plan.merchant.currency}`],
    ["Players", [...plan.players, ...(plan.blocked === undefined ? [] : [`${plan.blocked} (blocked)`])].join(", ")],
    [
      "Other merchant",
      plan.other === undefined ? "none was given" : `${plan.other.merchant.code}, ${plan.other.merchant.currency}`,
    ],
    ["Date", at.toISOString()],
    ["Version of the cases", version],
    ["Cases", String(outcomes.length)],
    ["Callbacks", `${calls} in ${(ms / 1_000).toFixed(1)} s, the slowest reply after ${slowest.toFixed(0)} ms`],
    ["Random seed", String(plan.seed)],
    ["Ids of this pass begin with", run],
  ];
  return `<dl>${rows.map(([name, value]) => `<div><dt>${safe(name)}</dt><dd>${safe(value)}</dd></div>`).join("")}</dl>`;
}

function summaryTable(outcomes: readonly Outcome[]): string {
  const statuses = Object.keys(MARKS) as Outcome["status"][];
  const rows = [...new Set(outcomes.map(({ category }) => category))].map((category) => {
    const own = outcomes.filter((outcome) => outcome.category === category);
    const cells = statuses.map(
      (status) => `<td>${own.filter((outcome) => outcome.status === status).length || "–"}</td>`,
    );
    return `<tr><th scope="row">${safe(category.title)}</th>${cells.join("")}<td>${own.reduce((sum, { ms }) => sum + ms, 0).toFixed(0)} ms</td></tr>`;
  });
  return `<table><thead><tr><th scope="col">Category</th>${statuses.map((status) => `<th scope="col">${MARKS[status]}</th>`).join("")}<th scope="col">Time</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function caseText(outcome: Outcome, url: URL, isOpen: boolean): string {
  const { status, category, case: one, finding, why, ms } = outcome;
  const { shown, hidden } = shownExchanges(outcome, finding === undefined ? SHOWN_OF_PASSED : SHOWN_OF_OTHERS);
  const rows: [string, string][] = [
    [
      "Rule",
      `<a href="#${one.rule}">${one.rule}</a>${one.level === "should" ? " (a recommendation)" : ""}: ${rich(RULES[one.rule].text)}`,
    ],
    ...(finding === undefined
      ? []
      : ([
          ["Expected", rich(finding.expected)],
          ["Received", safe(finding.received)],
          ["Fix", rich(one.fix)],
        ] as [string, string][])),
    ...(finding instanceof ScriptedFinding
      ? ([["Script, to play again with --replay", `<pre>${safe(JSON.stringify(finding.script))}</pre>`]] as [
          string,
          string,
        ][])
      : []),
    ...(why === undefined ? [] : ([["Why it was not tried", safe(why)]] as [string, string][])),
  ];
  const exchanges = shown.map((exchange) => {
    const how = howSent(exchange);
    const notes = [...(exchange.isPreparation ? ["preparation"] : []), ...(how === undefined ? [] : [how])];
    return `<li>${notes.length === 0 ? "" : `(${safe(notes.join(", "))}) `}<pre>${safe(curl(exchange, url))}</pre>${safe(inWords(exchange))}, after ${exchange.reply.ms.toFixed(0)} ms</li>`;
  });
  return `<details class="${status}"${isOpen ? " open" : ""}><summary><span class="mark">${MARKS[status]}</span><span class="what">${rich(one.title)}</span><span class="ms">${safe(`${category.id}/${one.id}`)} · ${ms.toFixed(0)} ms</span></summary>
<div class="inside"><dl>${rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl>
${exchanges.length === 0 ? "" : `<ol>${exchanges.join("")}</ol>`}${hidden === 0 ? "" : `<p>${hidden} more callbacks of this case are not shown here.</p>`}</div></details>`;
}

function rulesText(used: ReadonlySet<RuleId>): string {
  const ids = (Object.keys(RULES) as RuleId[]).filter((id) => used.has(id));
  return `<dl>${ids.map((id) => `<div id="${id}"><dt><code>${safe(ruleAddress(id))}</code></dt><dd>${rich(RULES[id].text)}</dd></div>`).join("")}</dl>`;
}
