/** `npm run certify:provider`. */
import { reported, runCommand } from "../report/command.ts";
import { progress } from "../report/terminal.ts";
import { PASSED } from "../report/verdict.ts";
import { type Arguments, readArguments, USAGE } from "./arguments.ts";
import { CATEGORIES } from "./cases/list.ts";
import { certify, nameOf } from "./certify.ts";
import { Guide } from "./drive/guide.ts";
import { Hook } from "./drive/hook.ts";
import { reportOf } from "./report.ts";

async function run(words: readonly string[]): Promise<number> {
  const args = readArguments(words, process.env);
  if (args === "help") process.stdout.write(USAGE);
  else if (args === "list")
    for (const { id, cases } of CATEGORIES)
      for (const one of cases)
        process.stdout.write(`${`${id}/${one.id}`.padEnd(32)} ${one.level.padEnd(6)} ${one.title}\n`);
  else return judge(args);
  return PASSED;
}

async function judge(args: Arguments): Promise<number> {
  const { plan, hook } = args;
  const { stderr, stdin } = process;
  const print = (text: string): void => void stderr.write(text);
  const driver =
    hook === undefined
      ? new Guide(print, stdin.isTTY ? stdin : undefined)
      : new Hook(hook.url, hook.atOnce, plan.waits.bet);
  const count = progress(print, hook !== undefined && stderr.isTTY === true);
  return reported(args, async () =>
    reportOf(
      await certify(plan, driver, (outcome, done, all) => count(nameOf(outcome), outcome.status, done, all)),
      hook === undefined ? "a person" : hook.url.origin + hook.url.pathname,
    ),
  );
}

await runCommand(() => run(process.argv.slice(2)));
