/**
 * The help. It is own code for the same reason as the parser (../arguments/parse.ts): commander's and yargs' help has
 * one list of flags, so the required flags, the examples, the environment and the exit codes would be own texts too.
 * Only the two columns would go, which are 35 lines.
 */
import { type Flag, flagName } from "../arguments/flag.ts";
import type { Command, Noun, Program } from "../command.ts";

export const INVOCATION = "npm run admin --";
export const SHELLS = ["bash", "zsh"] as const;
export type Shell = (typeof SHELLS)[number];

const WIDTH = 100;

/** The help for the program, for a noun or for a command. The length of `path` decides which. */
export function help(program: Program, [first, second]: readonly string[]): string {
  const noun = first === undefined ? undefined : program[first];
  if (first === undefined || noun === undefined) return programHelp(program);
  const command = second === undefined ? undefined : noun.verbs[second];
  if (second === undefined || command === undefined) return nounHelp(first, noun);
  return commandHelp(`${first} ${second}`, command);
}

/** A line that names the command with the help for the recognised noun and verb. */
export const helpHint = (path: readonly string[]): string => `Help: ${[INVOCATION, ...path, "--help"].join(" ")}`;

const programHelp = (program: Program): string =>
  sections(
    `${INVOCATION} <noun> <verb> [--flags]`,
    "Sets up and supports brands, merchants, providers, games, keys and transactions, through the service's admin API.",
    [
      "Nouns",
      columns(
        Object.entries(program).map(([name, { summary, verbs }]) => [
          name,
          `${summary}: ${Object.keys(verbs).join(", ")}`,
        ]),
      ),
    ],
    [
      "Everywhere",
      columns([
        ["--help", "Help of the program, of a noun or of a verb"],
        [
          "--json",
          "One line of JSON for machines, with names in snake_case. Run npm with -s, so that it prints nothing else",
        ],
        [
          `completion ${SHELLS.join("|")}`,
          `Completion for your shell, and the short name "admin": eval "$(npm run -s admin -- completion bash)"`,
        ],
      ]),
    ],
    [
      "Environment",
      columns([
        ["ADMIN_KEY", "An admin key. The first one is the service's own ADMIN_KEY. key create --role makes more keys"],
        ["ADMIN_URL", "The address of the service's INTERNAL_HTTP_PORT. The default is http://127.0.0.1:9092"],
      ]),
    ],
    [
      "Exit codes",
      columns([
        ["0", "done"],
        ["1", "refused, or the service can't be reached"],
        ["2", "the line is not a valid command: the service was not called"],
      ]),
    ],
    [
      "Examples",
      examples(
        Object.entries(program).flatMap(([name, { verbs }]) =>
          Object.entries(verbs)
            .slice(0, 1)
            .map(([verb, command]) => `${name} ${verb} ${command.examples[0]}`),
        ),
      ),
    ],
  );

const nounHelp = (name: string, { summary, verbs }: Noun): string =>
  sections(
    `${INVOCATION} ${name} <verb> [--flags]`,
    `${summary}.`,
    ["Verbs", columns(Object.entries(verbs).map(([verb, command]) => [verb, command.summary]))],
    ["Flags", columns(Object.entries(verbs).map(([verb, command]) => [verb, usage(command)]))],
    ["Examples", examples(Object.entries(verbs).map(([verb, command]) => `${name} ${verb} ${command.examples[0]}`))],
  );

function commandHelp(name: string, { summary, notes, flags, examples: lines }: Command): string {
  const all = Object.entries(flags);
  const rows = (needed: boolean): [string, string][] =>
    all.filter(([, flag]) => flag.required === needed).map(([key, flag]) => [written(key, flag), describe(flag)]);
  const [needed, optional] = [rows(true), rows(false)];
  return sections(
    `${INVOCATION} ${name}${all.length > 0 ? " [--flags]" : ""}`,
    `${summary}.${notes === undefined ? "" : ` ${notes}`}`,
    ...(needed.length > 0 ? [["Required", columns(needed)] as const] : []),
    ["Optional", columns([...optional, ["--json", "One line of JSON for machines"], ["--help", "This text"]])],
    ["Examples", examples(lines.map((line) => `${name} ${line}`))],
  );
}

/**
 * The description of a flag. If the flag's form does not show the possible values, the description ends with them or
 * with an example.
 */
export function describe({ help: text, choices, example, form }: Flag): string {
  if (choices.length > 0) return form === choices.join("|") ? text : `${text}. Values: ${choices.join(", ")}`;
  return form === "" ? text : `${text}. Example: ${example}`;
}

/** A flag's name with the placeholder of its value. */
export const written = (key: string, { form }: Flag): string => `${flagName(key)} ${form}`.trimEnd();

const usage = ({ flags }: Command): string =>
  Object.entries(flags)
    .map(([key, flag]) => (flag.required ? written(key, flag) : `[${written(key, flag)}]`))
    .join(" ") || "none";

const examples = (lines: readonly string[]): string =>
  lines.map((line) => `  ${INVOCATION} ${line.trimEnd()}\n`).join("");

const sections = (usageLine: string, about: string, ...rest: readonly (readonly [string, string])[]): string =>
  [
    `${usageLine}\n`,
    wrapped(about, WIDTH)
      .map((line) => `${line}\n`)
      .join(""),
    ...rest.map(([title, body]) => `${title}\n${body}`),
  ].join("\n");

/** Two columns: the names, and their wrapped descriptions. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const left = Math.min(30, Math.max(...rows.map(([name]) => name.length)));
  return rows
    .map(([name, what]) => {
      const lines = wrapped(what, WIDTH - left - 4);
      const indent = " ".repeat(left + 4);
      // A name that is too long for its column gets a separate line.
      const head = name.length > left ? `  ${name}\n${indent}` : `  ${name.padEnd(left)}  `;
      return `${head}${lines.join(`\n${indent}`)}\n`;
    })
    .join("");
}

function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}
