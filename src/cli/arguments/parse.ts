/**
 * Parses the command line. This is own code, because no library that we tried (commander 14, yargs 18, and parseArgs of
 * node:util, which the other commands use) tells people as much about a mistake. commander names only the first missing
 * flag, takes `--brand` for the value of `--code --brand b`, accepts a flag twice and an empty value, and shows no help
 * if the line has a mistake. yargs also accepts the last two, and makes a list of a flag that is given twice. Neither
 * suggests a similar value. With each of them the checks and the texts below would stay, and only the loop over the
 * words would go: with parseArgs this file had eight lines more.
 */
import type { Command, Program } from "../command.ts";
import { SHELLS, type Shell } from "../help/help.ts";
import { BadValue, type Flag, flagName } from "./flag.ts";
import { didYouMean } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";

/** The result of parsing a command line. */
export type Parsed =
  | {
      readonly kind: "run";
      readonly command: Command;
      readonly given: Readonly<Record<string, unknown>>;
      readonly json: boolean;
    }
  /** Help for the program (empty path), a noun or a command. */
  | { readonly kind: "help"; readonly path: readonly string[] }
  /** The page of the documentation that describes all commands. */
  | { readonly kind: "reference" }
  | { readonly kind: "completion"; readonly shell: Shell };

const HELP = ["--help", "-h"];
const JSON_FLAG = "--json";

/**
 * Parses the words of a command line. `--help` and `--json` may be at any place.
 *
 * @throws UsageError for the first mistake
 */
export function parse(program: Program, words: readonly string[]): Parsed {
  const rest = words.filter((word) => !HELP.includes(word) && word !== JSON_FLAG);
  const help = rest.length === 0 || rest[0] === "help" || words.some((word) => HELP.includes(word));
  if (help && rest[1] === "markdown") return { kind: "reference" };
  if (!help && rest[0] === "completion") return { kind: "completion", shell: shellOf(rest.slice(1)) };
  const named = recognize(program, rest[0] === "help" ? rest.slice(1) : rest);
  if (help) return { kind: "help", path: named.path };

  const { path, noun, command, flags } = named;
  if (command === undefined)
    throw new UsageError(`Say what to do: ${path.join(" ")} ${Object.keys(noun?.verbs ?? {}).join(" | ")}.`, path);
  return { kind: "run", command, given: readFlags(command, path, flags), json: words.includes(JSON_FLAG) };
}

/** Reads the noun and the verb at the beginning. Either may be missing. */
function recognize(program: Program, [first, second, ...flags]: readonly string[]) {
  if (first === undefined || first === "completion") return { path: [], flags: [] };
  const noun = own(program, first) ?? unknown("noun", first, Object.keys(program), []);
  if (second === undefined || second.startsWith("-")) return { path: [first], noun, flags: [] };
  const command = own(noun.verbs, second) ?? unknown(`verb of ${first}`, second, Object.keys(noun.verbs), [first]);
  return { path: [first, second], noun, command, flags };
}

/** The entry with the typed name. Inherited names, such as `constructor`, have no entry. */
const own = <T>(all: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;

function unknown(what: string, typed: string, all: readonly string[], path: readonly string[]): never {
  const guess = didYouMean(typed, all);
  throw new UsageError(`"${typed}" is not a ${what}.${guess === "" ? ` There are: ${all.join(", ")}.` : guess}`, path);
}

function shellOf([word, ...more]: readonly string[]): Shell {
  const shell = SHELLS.find((one) => one === word);
  if (shell !== undefined && more.length === 0) return shell;
  throw new UsageError(`completion wants the name of a shell: completion ${SHELLS.join(" | ")}.`);
}

function readFlags(command: Command, path: readonly string[], words: readonly string[]): Record<string, unknown> {
  const byName = new Map(Object.entries(command.flags).map(([key, flag]) => [flagName(key), { key, flag }]));
  const given: Record<string, unknown> = {};
  const fail = (message: string): never => {
    throw new UsageError(message, path);
  };
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const name = word.split("=", 1)[0] ?? "";
    if (!word.startsWith("--")) return fail(stray(word, command));
    if (name === JSON_FLAG) return fail(`${name} takes no value.`);
    const known = byName.get(name);
    if (known === undefined)
      return fail(`${path.join(" ")} has no flag ${name}.${didYouMean(name, [...byName.keys(), JSON_FLAG])}`);
    const { key, flag } = known;
    if (Object.hasOwn(given, key))
      fail(`${name} is given twice: give it once${flag.list ? ", with its items separated by commas" : ""}.`);
    const tied = word.length > name.length ? word.slice(name.length + 1) : undefined;
    if (flag.form === "" && tied !== undefined) fail(`${name} takes no value.`);
    // If the next word begins with two dashes, it is the next flag. A value that begins with two dashes needs an equals
    // sign: `--flag=--value`.
    const value = flag.form === "" || tied !== undefined || left[0]?.startsWith("--") ? tied : left.shift();
    given[key] = flag.form === "" ? flag.read("") : readValue(name, flag, value, fail);
  }
  const missing = Object.entries(command.flags).filter(([key, flag]) => flag.required && !Object.hasOwn(given, key));
  if (missing.length > 0)
    fail(
      missing
        .map(([key, flag]) => `${flagName(key)} is missing: ${flag.help}. Example: ${flagName(key)} ${flag.example}`)
        .join("\n"),
    );
  const wrong = command.check?.(given);
  if (wrong !== undefined) fail(wrong);
  return given;
}

function readValue(name: string, flag: Flag, value: string | undefined, fail: (message: string) => never): unknown {
  const example = `Example: ${name} ${flag.example}`;
  if (value === undefined) return fail(`${name} needs a value. ${example}`);
  if (value.trim() === "")
    return fail(`${name} has an empty value. Is a variable of your shell not set? ${flag.help}. ${example}`);
  try {
    return flag.read(value);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    return fail(`${name} ${error.message}`);
  }
}

/** The message for a word that belongs to no flag. Most likely it is the value of the first flag. */
function stray(word: string, { flags }: Command): string {
  const [key] = Object.keys(flags);
  const meant = key === undefined ? "" : ` Did you mean ${flagName(key)} ${word}?`;
  return `"${word}" belongs to no flag.${meant}`;
}
