import test from "ava";
import { flagName } from "../../src/cli/arguments/flag.ts";
import { parse } from "../../src/cli/arguments/parse.ts";
import { PROGRAM } from "../../src/cli/program.ts";
import { page } from "../docs/markdown.ts";
import { typed, words } from "./typed.ts";

const nouns = Object.entries(PROGRAM);
const commands = nouns.flatMap(([noun, { verbs }]) =>
  Object.entries(verbs).map(([verb, command]) => ({ path: `${noun} ${verb}`, noun, verb, command })),
);

test("the program has exactly the expected nouns and verbs", (t) => {
  const verbs = Object.fromEntries(
    nouns.map(([noun, described]) => [noun, Object.keys(described.verbs).sort().join(" ")]),
  );
  t.deepEqual(verbs, {
    brand: "create list set show",
    merchant: "cancel-rotation create disable enable finish-rotation list ping rotate-secret set show",
    provider: "add-source create list remove-source rotate-key set show",
    game: "import list set show",
    key: "create list revoke rotate-master show",
    transaction: "close-contradiction list resend resolve show",
    report: "ggr",
    audit: "list show",
  });
});

test("an empty line, --help and help print all nouns and verbs, the environment variables and the exit codes", async (t) => {
  const { code, out, err } = await typed("");
  t.is(code, 0);
  t.is(err, "");
  for (const [noun, { verbs }] of nouns)
    for (const word of [noun, ...Object.keys(verbs)]) t.true(out.includes(word), word);
  for (const word of ["ADMIN_KEY", "ADMIN_URL", "--json", "--help", "completion", "Exit codes"])
    t.true(out.includes(word), word);
  for (const line of ["--help", "-h", "help"]) t.is((await typed(line)).out, out, line);
});

for (const [noun, { verbs }] of nouns) {
  test(`${noun} --help prints every verb with its flags`, async (t) => {
    const { code, out } = await typed(`${noun} --help`);
    t.is(code, 0);
    t.is((await typed(`help ${noun}`)).out, out);
    const flat = out.replace(/\s+/g, " ");
    for (const [verb, { flags, summary }] of Object.entries(verbs)) {
      t.true(flat.includes(`${verb} ${summary}`), verb);
      for (const [key, { form }] of Object.entries(flags))
        t.true(flat.includes(`${flagName(key)} ${form}`.trimEnd()), `${verb} ${flagName(key)}`);
    }
  });
}

for (const { path, command } of commands) {
  test(`${path} --help prints every flag with its meaning, and examples that are valid command lines`, async (t) => {
    const { code, out } = await typed(`${path} --help`);
    t.is(code, 0);
    t.is((await typed(`help ${path}`)).out, out);
    const flat = out.replace(/\s+/g, " ");
    for (const [key, { help, form }] of Object.entries(command.flags))
      t.true(flat.includes([flagName(key), form, help].filter((part) => part !== "").join(" ")), flagName(key));
    for (const example of command.examples) {
      t.true(out.includes(`npm run admin -- ${path} ${example}`.trimEnd()), example);
      t.is(parse(PROGRAM, words(`${path} ${example}`)).kind, "run", example);
    }
  });
}

test("each flag's example is a value that the flag accepts", (t) => {
  for (const { path, command } of commands) {
    for (const [key, flag] of Object.entries(command.flags)) {
      if (flag.form === "") continue;
      t.notThrows(() => flag.read(words(flag.example).join(" ")), `${path} ${flagName(key)}`);
    }
  }
});

test("--help at any place in a line prints the help, and no command runs", async (t) => {
  const help = (await typed("merchant create --help")).out;
  t.is((await typed("merchant create --code a --brnad b --help")).out, help);
  t.is((await typed("--help merchant create")).out, help);
});

test("docs/admin-commands.md is generated from the commands (npm run -s admin -- help markdown)", async (t) => {
  t.is((await typed("help markdown")).out, page("docs/admin-commands.md"));
});
