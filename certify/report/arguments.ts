/** The options of both commands: the selected cases, and the forms of the report. */
import { readFileSync } from "node:fs";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import type { Forms } from "./command.ts";
import { UsageFault } from "./faults.ts";

export const COMMON_OPTIONS = {
  only: { type: "string", multiple: true },
  list: { type: "boolean" },
  json: { type: "boolean" },
  junit: { type: "string" },
  html: { type: "string" },
  strict: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** The help about the forms of the report and the exit code. */
export const COMMON_USAGE = `  --json                 one JSON object on standard output, progress on standard error
  --junit <file>         JUnit XML
  --html <file>          the certificate: one page without any other file
  --strict               warnings count as failures

Exit codes: 0 all that was tried passed, 1 something failed or could not be prepared, 2 nothing was judged (usage, no connection, an option that every case needs).
`;

/**
 * The values of the options.
 *
 * @throws UsageFault for an unknown option, or for an option without its value.
 */
export function parseWords<Options extends ParseArgsOptionsConfig>(words: readonly string[], options: Options) {
  try {
    return parseArgs<{ args: string[]; options: Options }>({ args: joined(words, options), options }).values;
  } catch (cause) {
    // Node's message repeats the argument, which may be a part of a secret with a space.
    const isStray = (cause as NodeJS.ErrnoException).code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL";
    throw new UsageFault(
      isStray
        ? "An argument stands alone, without an option before it. Put quotes around a value with spaces."
        : (cause as Error).message,
    );
  }
}

/**
 * Joins each option to its value, because parseArgs takes a value that begins with `-` for an option. A secret may begin
 * so. What follows is an option only if one has this name.
 */
function joined(words: readonly string[], options: ParseArgsOptionsConfig): string[] {
  const all: string[] = [];
  const isOption = (word: string): boolean =>
    word.startsWith("--") && (word.slice(2).split("=")[0] as string) in options;
  for (let i = 0; i < words.length; i += 1) {
    const [word = "", value] = [words[i], words[i + 1]];
    const takesValue = isOption(word) && options[word.slice(2)]?.type === "string";
    if (takesValue && value?.startsWith("-") && !isOption(value)) {
      all.push(`${word}=${value}`);
      i += 1;
    } else all.push(word);
  }
  return all;
}

/** Returns the value. If it is missing or empty, returns "" and adds `fault` to `faults`. */
export function needed(value: string | undefined, fault: string, faults: string[]): string {
  if (value === undefined || value === "") faults.push(fault);
  return value ?? "";
}

/**
 * A secret: the option's value, or else the variable `name`, or else the content of the file whose path the variable
 * `name_FILE` holds, without one newline at its end. If the secret is missing, empty or not readable, returns "" and
 * adds a fault to `faults`.
 *
 * @param missing - the fault of a secret that is in none of these places.
 */
export function neededSecret(
  option: string | undefined,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  missing: string,
  faults: string[],
): string {
  const [value = "", file = ""] = [env[name], env[`${name}_FILE`]];
  if (option !== undefined || file === "") return needed(option ?? value, missing, faults);
  if (value !== "") return needed("", `${name} and ${name}_FILE are both set: set only one of them`, faults);
  try {
    const content = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    return needed(content, `${name}_FILE names a file that is empty`, faults);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    // The path is not named, because the variable may hold the secret itself by mistake.
    return needed(
      "",
      `${name}_FILE names a file that cannot be read (${code}). It must hold the file's path, not its content`,
      faults,
    );
  }
}

interface Category {
  readonly id: string;
  readonly cases: readonly { readonly id: string }[];
}

/** Adds a fault for each name that is neither a category nor a case. */
export function checkOnly(only: readonly string[], categories: readonly Category[], faults: string[]): void {
  const names = new Set(categories.flatMap(({ id, cases }) => [id, ...cases.map((one) => `${id}/${one.id}`)]));
  for (const name of only)
    if (!names.has(name)) faults.push(`--only ${name}: there is no such category or case; --list prints them`);
}

/** The forms of the report. */
export const formsOf = (typed: {
  readonly json?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly junit?: string | undefined;
  readonly html?: string | undefined;
}): Forms => ({
  json: typed.json ?? false,
  strict: typed.strict ?? false,
  ...(typed.junit !== undefined && { junit: typed.junit }),
  ...(typed.html !== undefined && { html: typed.html }),
});
