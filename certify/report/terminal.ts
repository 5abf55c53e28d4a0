/** For people at a terminal: one line for each category, then each finding with its fix. */

import { byCategory, nameOf, type Report, type ReportedCase, type Status, shownExchanges } from "./report.ts";
import type { Verdict } from "./verdict.ts";

type Write = (text: string) => void;

/** The maximum number of exchanges that are shown for a failed case. The JSON and HTML reports have more. */
const SHOWN_MAX = 4;

/**
 * Writes a line with the progress. On a terminal the next progress line replaces it. `name`: the name of the case that
 * ended.
 */
export function progress(
  write: Write,
  isTerminal: boolean,
): (name: string, status: Status, done: number, all: number) => void {
  let failed = 0;
  return (name, status, done, all) => {
    if (status === "failed") failed += 1;
    const counted = `${done}/${all}${failed > 0 ? `, ${failed} failed` : ""}`;
    if (isTerminal) write(`\r\u001b[2K${counted}  ${name}${done === all ? "\r\u001b[2K" : ""}`);
    else if (done % 25 === 0 || done === all) write(`${counted}\n`);
  };
}

export function renderTerminal(report: Report, { sentence }: Verdict, write: Write): void {
  const { tool, version, who, cases, totals } = report;
  write(`${tool} ${version}: ${who}\n\n`);
  for (const [category, own] of byCategory(cases)) {
    const passed = own.filter(({ status }) => status === "passed").length;
    const others = (["failed", "warning", "not_tried"] as const).flatMap((status) => {
      const count = own.filter((one) => one.status === status).length;
      return count === 0 ? [] : [`${count} ${status === "not_tried" ? "not tried" : status}`];
    });
    write(
      `  ${category.title.padEnd(30)} ${String(passed).padStart(3)} of ${String(own.length).padStart(3)}${others.length === 0 ? "" : `   ${others.join(", ")}`}\n`,
    );
  }
  for (const one of cases) if (one.status === "failed") write(found(one));
  for (const one of cases) if (one.status === "warning") write(found(one));
  const untried = cases.filter(({ status }) => status === "not_tried");
  if (untried.length > 0) write("\nNot tried\n");
  for (const why of new Set(untried.map((one) => one.why ?? ""))) {
    const own = untried.filter((one) => one.why === why).map(nameOf);
    write(`  ${why}\n    ${own.slice(0, 8).join(", ")}${own.length > 8 ? ` and ${own.length - 8} more` : ""}\n`);
  }
  write(`\n${sentence}\n${totals}\n`);
}

/** Writes out what could control the terminal or turn the text's direction: a report quotes what the other side sent. */
const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu,
    (sign) => `[U+${(sign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}]`,
  );

function found(one: ReportedCase): string {
  const { status, finding, rules } = one;
  if (finding === undefined) return "";
  const { shown, hidden } = shownExchanges(one, SHOWN_MAX);
  const lines = [
    `${status === "failed" ? "FAILED " : "WARNING"} ${nameOf(one)}: ${one.title}`,
    ...rules.flatMap(({ text, address }) => [`  rule      ${text}`, `            ${address}`]),
    `  expected  ${finding.expected}`,
    `  received  ${finding.received}`,
    `  fix       ${finding.fix}`,
    ...(finding.script === undefined
      ? []
      : [
          `  script    ${JSON.stringify(finding.script)}`,
          "            Save this line in a file and play it again: --replay <file>",
        ]),
    `  sent${hidden > 0 ? ` (${hidden} not shown)` : ""}`,
    ...shown.flatMap(({ sent, notes, answer, ms }) => [
      `    ${sent}`,
      `      ${notes.length === 0 ? "" : `(${notes.join(", ")}) `}${answer} (${ms.toFixed(0)} ms)`,
    ]),
  ];
  return `\n${lines.map(visible).join("\n")}\n`;
}
