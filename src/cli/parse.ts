import type { Command, Noun, Program } from "./command.ts";
import { BadValue, type Flag, flagName } from "./flag.ts";
import { SHELLS, type Shell } from "./help.ts";
import { didYouMean } from "./nearest.ts";
import { UsageError } from "./usage-error.ts";

/** What a line asks for. */
export type Parsed =
  | {
      readonly kind: "run";
      readonly path: readonly [string, string];
      readonly command: Command;
      readonly given: Readonly<Record<string, unknown>>;
      readonly json: boolean;
    }
  /** Help of the program (empty path), of a noun or of a command. */
  | { readonly kind: "help"; readonly path: readonly string[] }
  /** All commands as a page of the documentation. */
  | { readonly kind: "reference" }
  | { readonly kind: "completion"; readonly shell: Shell };

export const isHelp = (word: string): boolean => word === "--help" || word === "-h";

/** @throws UsageError for the first thing that can't be understood. */
export function parse(program: Program, words: readonly string[]): Parsed {
  const [first, ...rest] = words.filter((word) => !isHelp(word));
  const help = words.some(isHelp);
  if (first === undefined) return { kind: "help", path: [] };
  if (first === "help") return rest[0] === "markdown" ? { kind: "reference" } : { kind: "help", path: known(program, rest) };
  if (first === "completion") return help ? { kind: "help", path: [] } : { kind: "completion", shell: shellOf(rest) };

  const noun = program[first];
  if (noun === undefined) throw new UsageError(unknown("noun", first, Object.keys(program)));
  const [second, ...flags] = rest;
  if (help && (second === undefined || second.startsWith("-"))) return { kind: "help", path: [first] };
  if (second === undefined) throw new UsageError(`Say what to do: ${first} ${Object.keys(noun.verbs).join(" | ")}.`, [first]);
  const command = noun.verbs[second];
  if (command === undefined) throw new UsageError(unknown(`verb of ${first}`, second, Object.keys(noun.verbs)), [first]);
  const path = [first, second] as const;
  if (help) return { kind: "help", path };
  return { kind: "run", path, command, ...readFlags(command, path, flags) };
}

function shellOf([word, ...more]: readonly string[]): Shell {
  const shell = SHELLS.find((one) => one === word);
  if (shell !== undefined && more.length === 0) return shell;
  throw new UsageError(`completion wants the name of a shell: completion ${SHELLS.join(" | ")}.`);
}

/** As much of the words as names a noun and a verb. */
function known(program: Program, words: readonly string[]): readonly string[] {
  const [first, second] = words;
  if (first === undefined) return [];
  const noun: Noun | undefined = program[first];
  if (noun === undefined) throw new UsageError(unknown("noun", first, Object.keys(program)));
  if (second === undefined) return [first];
  if (noun.verbs[second] === undefined) throw new UsageError(unknown(`verb of ${first}`, second, Object.keys(noun.verbs)), [first]);
  return [first, second];
}

const unknown = (what: string, typed: string, all: readonly string[]): string => {
  const guess = didYouMean(typed, all);
  return `"${typed}" is no ${what}.${guess === "" ? ` There are: ${all.join(", ")}.` : guess}`;
};

function readFlags(command: Command, path: readonly string[], words: readonly string[]): { given: Record<string, unknown>; json: boolean } {
  const byName = new Map(Object.entries(command.flags).map(([key, flag]) => [flagName(key), { key, flag }]));
  const given: Record<string, unknown> = {};
  const seen = new Set<string>();
  const fail = (message: string): never => {
    throw new UsageError(message, path);
  };
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const name = word.split("=", 1)[0] ?? "";
    if (!word.startsWith("--")) fail(stray(word, command));
    if (seen.has(name)) fail(`${name} is given twice: give it once${byName.get(name)?.flag.list === true ? ", with its items separated by commas" : ""}.`);
    seen.add(name);
    if (name === "--json") {
      if (word !== name) fail("--json takes no value.");
      continue;
    }
    const known = byName.get(name);
    if (known === undefined) return fail(`${path.join(" ")} has no flag ${name}.${didYouMean(name, [...byName.keys(), "--json"])}`);
    if (known.flag.form === "") {
      if (word !== name) fail(`${name} takes no value.`);
      given[known.key] = known.flag.read("");
      continue;
    }
    // What begins with two dashes is the next flag, unless it is tied to this one by an equals sign.
    const value = word.length > name.length ? word.slice(name.length + 1) : left[0]?.startsWith("--") ? undefined : left.shift();
    given[known.key] = readValue(name, known.flag, value, fail);
  }
  const missing = Object.entries(command.flags).filter(([key, flag]) => flag.required && !(key in given));
  if (missing.length > 0)
    fail(missing.map(([key, flag]) => `${flagName(key)} is missing: ${flag.help}, for example ${flagName(key)} ${flag.example}`).join("\n"));
  const wrong = command.check?.(given);
  if (wrong !== undefined) fail(wrong);
  return { given, json: seen.has("--json") };
}

function readValue(name: string, flag: Flag, value: string | undefined, fail: (message: string) => never): unknown {
  const example = `for example ${name} ${flag.example}`;
  if (value === undefined) return fail(`${name} wants a value, ${example}`);
  if (value.trim() === "") return fail(`${name} has an empty value (a variable that isn't set?): ${flag.help}, ${example}`);
  try {
    return flag.read(value);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    return fail(`${name} ${error.message}`);
  }
}

/** A word that belongs to no flag: most likely the value of the first one. */
function stray(word: string, { flags }: Command): string {
  const [key] = Object.keys(flags);
  const meant = key === undefined ? "" : ` Did you mean ${flagName(key)} ${word}?`;
  return `"${word}" belongs to no flag.${meant}`;
}
