import type { Program } from "../command.ts";
import { describe, INVOCATION, written } from "./help.ts";

/** The text of docs/admin-commands.md. */
export function reference(program: Program): string {
  const nouns = Object.entries(program).flatMap(([noun, { summary, verbs }]) => [
    `## ${noun}`,
    `${summary}.`,
    ...Object.entries(verbs).flatMap(([verb, { summary: does, notes, flags, examples }]) => [
      `### ${noun} ${verb}`,
      `${does}.${notes === undefined ? "" : ` ${notes}`}`,
      ...(Object.keys(flags).length === 0
        ? []
        : [
            [
              "| flag | | |",
              "|---|---|---|",
              ...Object.entries(flags).map(
                ([key, flag]) =>
                  `| \`${written(key, flag).replaceAll("|", "\\|")}\` | ${flag.required ? "required" : ""} | ${describe(flag)} |`,
              ),
            ].join("\n"),
          ]),
      ["```sh", ...examples.map((line) => `${INVOCATION} ${noun} ${verb} ${line}`.trimEnd()), "```"].join("\n"),
    ]),
  ]);
  return `${[
    "# Commands of the administration",
    `This page has every flag of every command, as \`${INVOCATION} <noun> <verb> --help\` shows it. [admin.md](admin.md) explains how to use the commands. Every command also has \`--json\` and \`--help\`. \`npm run -s admin -- help markdown\` prints this page.`,
    ...nouns,
  ].join("\n\n")}\n`;
}
