/** `npm run admin -- <noun> <verb> [--flags]`: the command line of the admin API. */
import { readFileSync } from "node:fs";
import { PROGRAM } from "./cli/program.ts";
import { run, USAGE } from "./cli/run.ts";
import { readSecretVariables } from "./domain/access/secret-variables.ts";

const { stdout, stderr } = process;
const { env, faults } = readSecretVariables(process.env, ["ADMIN_KEY"], (path) => readFileSync(path, "utf8"));
// A reader may close the pipe early, as `| head` does. This is not an error.
stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
const terminal = {
  out: (text: string) => void stdout.write(text),
  err: (text: string) => void stderr.write(text),
  columns: stdout.isTTY ? stdout.columns : null,
  colour: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb",
};
if (faults.length > 0) {
  stderr.write(`${faults.join("\n")}\n`);
  process.exitCode = USAGE;
} else {
  // npm runs its scripts in the project's folder. So the working directory is that folder.
  process.exitCode = await run(PROGRAM, process.argv.slice(2), env, terminal, process.cwd());
}
