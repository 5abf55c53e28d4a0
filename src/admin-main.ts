/** `npm run admin -- <noun> <verb> [--flags]`: the command line of the admin API. */
import { PROGRAM } from "./cli/program.ts";
import { run } from "./cli/run.ts";

const { stdout, stderr, env } = process;
// A reader that stops early, such as `| head`, is no error.
stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
const terminal = {
  out: (text: string) => void stdout.write(text),
  err: (text: string) => void stderr.write(text),
  columns: stdout.isTTY ? stdout.columns : null,
  colour: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
};
// npm runs its scripts in the project's folder, which is the working directory here.
process.exitCode = await run(PROGRAM, process.argv.slice(2), env, terminal, process.cwd());
