#!/usr/bin/env node
/** `npm run certify:wallet`, and the package's command. */
import { writeFileSync } from "node:fs";
import { renderHtml } from "../report/html.ts";
import { renderJson } from "../report/json.ts";
import { renderJunit } from "../report/junit.ts";
import { progress, renderTerminal } from "../report/terminal.ts";
import { NOT_JUDGED, PASSED, verdict } from "../report/verdict.ts";
import { type Asked, readArguments, USAGE, UsageFault } from "./arguments.ts";
import { CATEGORIES } from "./cases/list.ts";
import { certify, Unreachable } from "./certify.ts";
import { reportOf } from "./report.ts";

async function run(words: readonly string[]): Promise<number> {
  const asked = readArguments(words, process.env);
  const write = (text: string): void => void process.stdout.write(text);
  if (asked === "help") {
    write(USAGE);
    return PASSED;
  }
  if (asked === "list") {
    for (const { id, cases } of CATEGORIES)
      for (const one of cases) write(`${`${id}/${one.id}`.padEnd(40)} ${one.level ?? "must"}   ${one.title}\n`);
    write(`random${" ".repeat(35)} must   Random histories, as many as --histories says\n`);
    return PASSED;
  }
  return judge(asked, write);
}

async function judge({ plan, json, strict, junit, html }: Asked, write: (text: string) => void): Promise<number> {
  // Reports that can't be written are known before the wallet is called.
  for (const file of [junit, html]) if (file !== undefined) writeReport(file, "");
  const { stderr } = process;
  const count = progress((text) => void stderr.write(text), stderr.isTTY === true);
  const report = reportOf(
    await certify(plan, ({ category, case: { id }, status }, done, all) =>
      count(`${category.id}/${id}`, status, done, all),
    ),
  );
  const judged = verdict(report, strict);
  if (json) write(renderJson(report, judged));
  else renderTerminal(report, judged, write);
  if (junit !== undefined) writeReport(junit, renderJunit(report, judged));
  if (html !== undefined) writeReport(html, renderHtml(report, judged));
  return judged.exitCode;
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new UsageFault(`${file} can't be written: ${(cause as Error).message}`);
  }
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (cause) {
  if (cause instanceof UsageFault) process.stderr.write(`${cause.message}\n\nHelp: --help\n`);
  else if (cause instanceof Unreachable) process.stderr.write(`Nothing was judged. ${cause.message}\n`);
  else console.error(cause);
  // Not Node's own 1: that would say that the wallet failed.
  process.exitCode = NOT_JUDGED;
}
