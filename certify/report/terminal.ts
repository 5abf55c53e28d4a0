/** For people at a terminal: a line per category, then what was found, each with what to do. */

import type { Outcome, Pass } from "../pass.ts";
import { ScriptedFinding } from "../random/histories.ts";
import { RULES, ruleAddress } from "../rules.ts";
import { inWords } from "../trial.ts";
import { shownExchanges, type Verdict } from "../verdict.ts";
import { curl, howSent } from "../wallet/curl.ts";

type Write = (text: string) => void;

/** Exchanges of a failed case that are shown; the JSON and HTML reports have more. */
const SHOWN_MAX = 4;

/** A line that counts, on a terminal that can overwrite it. */
export function progress(write: Write, isTerminal: boolean): (outcome: Outcome, done: number, all: number) => void {
  let failed = 0;
  return ({ status, category, case: { id } }, done, all) => {
    if (status === "failed") failed += 1;
    if (isTerminal)
      write(
        `\r\u001b[2K${done}/${all}${failed > 0 ? `, ${failed} failed` : ""}  ${category.id}/${id}${done === all ? "\r\u001b[2K" : ""}`,
      );
    else if (done % 25 === 0 || done === all) write(`${done}/${all}${failed > 0 ? `, ${failed} failed` : ""}\n`);
  };
}

export function renderTerminal(pass: Pass, { sentence }: Verdict, write: Write): void {
  const { plan, version, outcomes, calls, ms } = pass;
  write(`certify-wallet ${version}: ${plan.url.href}, merchant ${plan.merchant.code}, ${plan.merchant.currency}\n\n`);
  for (const category of new Set(outcomes.map((outcome) => outcome.category))) {
    const own = outcomes.filter((outcome) => outcome.category === category);
    const passed = own.filter(({ status }) => status === "passed").length;
    const others = (["failed", "warning", "not_tried"] as const).flatMap((status) => {
      const count = own.filter((outcome) => outcome.status === status).length;
      return count === 0 ? [] : [`${count} ${status === "not_tried" ? "not tried" : status}`];
    });
    write(
      `  ${category.title.padEnd(30)} ${String(passed).padStart(3)} of ${String(own.length).padStart(3)}${others.length === 0 ? "" : `   ${others.join(", ")}`}\n`,
    );
  }
  for (const outcome of outcomes) if (outcome.status === "failed") write(found(outcome, plan.url));
  for (const outcome of outcomes) if (outcome.status === "warning") write(found(outcome, plan.url));
  const untried = outcomes.filter(({ status }) => status === "not_tried");
  if (untried.length > 0) write("\nNot tried\n");
  for (const why of new Set(untried.map((outcome) => outcome.why ?? ""))) {
    const own = untried.filter((outcome) => outcome.why === why).map(nameOf);
    write(`  ${why}\n    ${own.slice(0, 8).join(", ")}${own.length > 8 ? ` and ${own.length - 8} more` : ""}\n`);
  }
  write(
    `\n${sentence}\n${calls} callbacks in ${(ms / 1_000).toFixed(1)} s. Ids of this pass begin with ${pass.run}; random seed ${plan.seed}.\n`,
  );
}

const nameOf = ({ category, case: { id } }: Outcome): string => `${category.id}/${id}`;

function found(outcome: Outcome, url: URL): string {
  const { status, finding, case: one } = outcome;
  if (finding === undefined) return "";
  const { shown, hidden } = shownExchanges(outcome, SHOWN_MAX);
  const lines = [
    `\n${status === "failed" ? "FAILED " : "WARNING"} ${nameOf(outcome)}: ${one.title}`,
    `  rule      ${RULES[one.rule].text}`,
    `            ${ruleAddress(one.rule)}`,
    `  expected  ${finding.expected}`,
    `  received  ${finding.received}`,
    `  fix       ${one.fix}`,
    ...(finding instanceof ScriptedFinding
      ? [
          `  script    ${JSON.stringify(finding.script)}`,
          "            Save this line in a file and play it again: --replay <file>",
        ]
      : []),
    `  sent${hidden > 0 ? ` (${hidden} not shown)` : ""}`,
    ...shown.flatMap((exchange) => {
      const how = howSent(exchange);
      return [
        `    ${curl(exchange, url)}`,
        `      ${how === undefined ? "" : `(${how}) `}${inWords(exchange)} (${exchange.reply.ms.toFixed(0)} ms)`,
      ];
    }),
  ];
  return `${lines.join("\n")}\n`;
}
