import { InputError } from "./arguments/input-file.ts";
import { parse } from "./arguments/parse.ts";
import { UsageError } from "./arguments/usage-error.ts";
import type { Program } from "./command.ts";
import { completion } from "./help/completion.ts";
import { help, helpHint } from "./help/help.ts";
import { reference } from "./help/reference.ts";
import { render } from "./output/render.ts";
import type { Terminal } from "./output/terminal.ts";
import { visibleSentence } from "./output/visible.ts";
import { createApi } from "./service/api.ts";
import { adminUrl, connect, type Environment } from "./service/connection.ts";
import { failureText } from "./service/failure.ts";

/** The exit codes, on which scripts rely. */
const DONE = 0;
const REFUSED = 1;
export const USAGE = 2;

/**
 * Runs one command line, and returns its exit code.
 *
 * @param root - the folder of package.json
 */
export async function run(
  program: Program,
  words: readonly string[],
  env: Environment,
  terminal: Terminal,
  root: string,
): Promise<number> {
  try {
    const parsed = parse(program, words);
    if (parsed.kind === "run") {
      const { command, given, json } = parsed;
      const transport = connect(env);
      try {
        return render(terminal, await command.run(createApi(transport), given), json) ? DONE : REFUSED;
      } catch (cause) {
        if (cause instanceof InputError) terminal.err(`${visibleSentence(cause.message)}\n`);
        else terminal.err(`${visibleSentence(failureText(cause, adminUrl(env), command.flags))}\n`);
        return REFUSED;
      }
    }
    terminal.out(
      parsed.kind === "help"
        ? help(program, parsed.path)
        : parsed.kind === "reference"
          ? reference(program)
          : completion(parsed.shell, program, root),
    );
    return DONE;
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause;
    terminal.err(`${cause.message}\n${helpHint(cause.path)}\n`);
    return USAGE;
  }
}
