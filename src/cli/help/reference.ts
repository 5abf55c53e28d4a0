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
    `Every flag of every command, as \`${INVOCATION} <noun> <verb> --help\` shows them. How to use them together: [admin.md](admin.md). \`--json\` and \`--help\` go with every command. This page is printed by \`npm run -s admin -- help markdown\`.`,
    ...nouns,
  ].join("\n\n")}\n`;
}
