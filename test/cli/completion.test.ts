import { execFileSync } from "node:child_process";
import test from "ava";
import { flagName } from "../../src/cli/arguments/flag.ts";
import { PROGRAM } from "../../src/cli/program.ts";
import { typed } from "./typed.ts";

/** The completions that bash offers for the last word of a line. */
async function offered(...line: readonly string[]): Promise<string[]> {
  const { out } = await typed("completion bash");
  const ask = `COMP_WORDS=(admin "$@"); COMP_CWORD=$#; _admin; printf "%s\\n" "\${COMPREPLY[@]}"`;
  const replies = execFileSync("bash", ["--norc", "-c", `${out}\n${ask}`, "bash", ...line], { encoding: "utf8" });
  return replies.split("\n").filter((word) => word !== "");
}

test("bash completes nouns and verbs", async (t) => {
  t.deepEqual(await offered("me"), ["merchant"]);
  t.deepEqual(await offered(""), [...Object.keys(PROGRAM), "help", "completion"]);
  t.deepEqual(await offered("merchant", "r"), ["rotate-secret"]);
  t.deepEqual(await offered("help", "pro"), ["provider"]);
  t.deepEqual(await offered("completion", ""), ["bash", "zsh"]);
});

test("bash completes every flag of the first verb of each noun", async (t) => {
  for (const [noun, { verbs }] of Object.entries(PROGRAM)) {
    const [verb = "", command] = Object.entries(verbs)[0] ?? [];
    t.deepEqual(await offered(noun, verb, "--"), [
      ...Object.keys(command?.flags ?? {}).map(flagName),
      "--json",
      "--help",
    ]);
  }
});

test("bash completes values that have a fixed choice, items of a list and names of files, but no other values", async (t) => {
  t.deepEqual(await offered("merchant", "create", "--code", "shop", "--currency", "C"), ["COP", "CLP"]);
  t.deepEqual(await offered("merchant", "create", "--products", "slot,l"), ["slot,live"]);
  t.deepEqual(await offered("provider", "set", "--active", ""), ["true", "false"]);
  t.deepEqual(await offered("game", "import", "--file", "package.j"), ["package.json"]);
  t.deepEqual(await offered("merchant", "show", "--code", ""), []);
});

test("bash completes flags after a flag without a value", async (t) => {
  t.deepEqual(await offered("game", "import", "--dry-run", "--fo"), ["--format"]);
  t.deepEqual(await offered("merchant", "list", "--json", "--b"), ["--brand"]);
});

test("the scripts define the command admin, which runs npm in the project's folder", async (t) => {
  for (const shell of ["bash", "zsh"])
    t.true(
      (await typed(`completion ${shell}`)).out.startsWith(
        `admin() { npm --prefix '/somewhere' run -s admin -- "$@"; }\n`,
      ),
    );
});

test("zsh's script has every verb and flag", async (t) => {
  const { out } = await typed("completion zsh");
  for (const [noun, { verbs }] of Object.entries(PROGRAM)) {
    for (const [verb, { flags }] of Object.entries(verbs)) {
      const line = out.split("\n").find((one) => one.trim().startsWith(`'${noun} ${verb}')`)) ?? "";
      for (const key of Object.keys(flags))
        t.true(line.includes(`'${flagName(key)}[`), `${noun} ${verb} ${flagName(key)}`);
    }
  }
});
