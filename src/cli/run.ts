import { createApi } from "./api.ts";
import type { Program } from "./command.ts";
import { completion } from "./completion.ts";
import { adminUrl, connect, type Environment } from "./connection.ts";
import { failureText } from "./failure.ts";
import { help, helpHint } from "./help.ts";
import { InputError } from "./input-file.ts";
import { parse } from "./parse.ts";
import { reference } from "./reference.ts";
import { render } from "./render.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/** The exit codes that scripts rely on. */
const DONE = 0;
const REFUSED = 1;
const USAGE = 2;

/**
 * One line of the command line, from its words to its exit code.
 *
 * @param root - the folder of package.json
 */
export async function run(program: Program, words: readonly string[], env: Environment, terminal: Terminal, root: string): Promise<number> {
  try {
    const parsed = parse(program, words);
    if (parsed.kind === "run") {
      const { command, given, json } = parsed;
      const transport = connect(env);
      try {
        return render(terminal, await command.run(createApi(transport), given), json) ? DONE : REFUSED;
      } catch (cause) {
        if (cause instanceof InputError) terminal.err(`${cause.message}\n`);
        else terminal.err(`${failureText(cause, adminUrl(env), command.flags)}\n`);
        return REFUSED;
      }
    }
    terminal.out(
      parsed.kind === "help" ? help(program, parsed.path) : parsed.kind === "reference" ? reference(program) : completion(parsed.shell, program, root),
    );
    return DONE;
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause;
    terminal.err(`${cause.message}\n${helpHint(cause.path)}\n`);
    return USAGE;
  }
}
