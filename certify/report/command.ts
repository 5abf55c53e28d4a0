/** The shared part of the commands: the report's forms, and the exit code. */
import { writeFileSync } from "node:fs";
import { Unreachable, UsageFault } from "./faults.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderJunit } from "./junit.ts";
import type { Report } from "./report.ts";
import { renderTerminal } from "./terminal.ts";
import { NOT_JUDGED, verdict } from "./verdict.ts";

export interface Forms {
  /** Write JSON instead of text to standard output. */
  readonly json: boolean;
  /** Warnings count as failures. */
  readonly strict: boolean;
  /** Paths of files. */
  readonly junit?: string;
  readonly html?: string;
}

/**
 * Makes the report and writes it in every requested form. Returns the exit code.
 *
 * @throws UsageFault
 */
export async function reported({ json, strict, junit, html }: Forms, make: () => Promise<Report>): Promise<number> {
  // The files are written once before the first call, so that a file that can't be written is reported at once.
  for (const file of [junit, html]) if (file !== undefined) write(file, "");
  const report = await make();
  const judged = verdict(report, strict);
  const print = (text: string): void => void process.stdout.write(text);
  if (json) print(renderJson(report, judged));
  else renderTerminal(report, judged, print);
  if (junit !== undefined) write(junit, renderJunit(report, judged));
  if (html !== undefined) write(html, renderHtml(report, judged));
  return judged.exitCode;
}

/** Runs a command and sets the exit code of the process. */
export async function runCommand(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (cause) {
    if (cause instanceof UsageFault) process.stderr.write(`${cause.message}\n\nHelp: --help\n`);
    else if (cause instanceof Unreachable) process.stderr.write(`Nothing was judged. ${cause.message}\n`);
    else console.error(cause);
    // Node's own exit code 1 would mean that a case failed.
    process.exitCode = NOT_JUDGED;
  }
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new UsageFault(`${file} can't be written: ${(cause as Error).message}`);
  }
}
