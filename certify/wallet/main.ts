#!/usr/bin/env node
/** `npm run certify:wallet`, and the package's command. */
import { reported, runCommand } from "../report/command.ts";
import { progress } from "../report/terminal.ts";
import { PASSED } from "../report/verdict.ts";
import { type Arguments, readArguments, USAGE } from "./arguments.ts";
import { CATEGORIES } from "./cases/list.ts";
import { Memory, memoryOf, NOTHING_KEPT } from "./cases/memory.ts";
import { certify } from "./certify.ts";
import { reportOf } from "./report.ts";

async function run(words: readonly string[]): Promise<number> {
  const args = readArguments(words, process.env);
  const write = (text: string): void => void process.stdout.write(text);
  if (args === "help") {
    write(USAGE);
    return PASSED;
  }
  if (args === "list") {
    for (const { id, cases } of [...CATEGORIES, memoryOf(new Memory(), 65_000, NOTHING_KEPT)])
      for (const one of cases) write(`${`${id}/${one.id}`.padEnd(40)} ${one.level ?? "must"}   ${one.title}\n`);
    write(`random${" ".repeat(35)} must   Random histories, as many as --histories says\n`);
    return PASSED;
  }
  return judge(args);
}

function judge(args: Arguments): Promise<number> {
  const { stderr } = process;
  const count = progress((text) => void stderr.write(text), stderr.isTTY === true);
  return reported(args, async () =>
    reportOf(
      await certify(args.plan, {
        onOutcome: ({ category, case: { id }, status }, done, all) => count(`${category.id}/${id}`, status, done, all),
        onWait: (ms) =>
          void stderr.write(`Waiting ${ms / 1_000} s before the first transactions come again (--pause 0: no wait)\n`),
      }),
    ),
  );
}

await runCommand(() => run(process.argv.slice(2)));
