import test from "ava";
import { flagName } from "../../src/cli/arguments/flag.ts";
import { PROGRAM } from "../../src/cli/program.ts";
import { page } from "../docs/markdown.ts";

const START = "npm run admin -- ";
/** The commands of a page, as somebody would copy them. A command may be wrapped. */
const commandsOf = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)]
    .map(([, code = ""]) => code.replace(/\s+/g, " "))
    .filter((code) => code.startsWith(START))
    .map((code) => code.slice(START.length));

for (const path of ["docs/operations.md", "docs/runbooks.md"]) {
  test(`the commands of ${path} exist, and have their required options and no unknown ones`, (t) => {
    const commands = commandsOf(page(path).replace(/^```.*?^```$/gms, ""));
    t.true(commands.length >= 5);
    for (const line of commands) {
      const [noun = "", verb = "", ...words] = line.split(" ");
      const command = PROGRAM[noun]?.verbs[verb];
      if (command === undefined) {
        t.fail(`there is no command ${noun} ${verb}`);
        continue;
      }
      const given = words.filter((word) => word.startsWith("--"));
      const flags = Object.entries(command.flags).map(([key, flag]) => ({ name: flagName(key), ...flag }));
      for (const { name, required } of flags) if (required) t.true(given.includes(name), `${line} needs ${name}`);
      for (const name of given)
        t.true(
          flags.some((flag) => flag.name === name),
          `${line} has no ${name}`,
        );
    }
    // A command without its options would be refused at 3 a.m. The runbooks say what `transaction show` stands for.
    const short = page(path).match(/`(merchant|transaction|provider|key) [a-z-]+`/g) ?? [];
    t.deepEqual(
      short.filter((one) => one !== "`transaction show`"),
      [],
    );
  });
}
