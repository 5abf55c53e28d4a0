/** Runs the command line in this process and returns what it prints. */
import { PROGRAM } from "../../src/cli/program.ts";
import { run } from "../../src/cli/run.ts";

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface TypedOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The width of a terminal; null: none. */
  readonly columns?: number | null;
  readonly colour?: boolean;
}

/** Splits a line into words as a shell does; single quotes hold a word together. */
export const words = (line: string): string[] =>
  [...line.matchAll(/(?:[^\s']+|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ""));

export async function typed(
  line: string | readonly string[],
  { env = {}, columns = null, colour = false }: TypedOptions = {},
): Promise<CommandResult> {
  let [out, err] = ["", ""];
  const terminal = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    columns,
    colour,
  };
  const code = await run(PROGRAM, typeof line === "string" ? words(line) : line, env, terminal, "/somewhere");
  return { code, out, err };
}
