/** A provider's clients in other languages, made with the commands and files of docs/provider-clients.md. */
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import test from "ava";
import { type Command, isInstalled, ROOT, run } from "../../testbed/programs/toolchain.ts";
import { startWorld } from "../../testbed/stage/world.ts";
import { checkout } from "../docs/markdown.ts";

interface Client {
  readonly language: string;
  /** The folder of the page's files. */
  readonly folder: string;
  readonly programs: readonly string[];
  /** The platform for which the page's commands are written. */
  readonly platform?: string;
  /** Compiles the generated code, if the language needs this. */
  readonly compile?: Command;
  readonly start: Command;
}

const CLIENTS: readonly Client[] = [
  {
    language: "Go",
    folder: "go",
    programs: ["go"],
    compile: { program: "go", args: ["build", "-o", "first-bet", "."] },
    start: { program: "./first-bet" },
  },
  {
    language: "Java",
    folder: "java",
    programs: ["java", "mvn"],
    // The page gives the names of its programs for this platform.
    platform: "linux-x64",
    compile: { program: "mvn", args: ["-q", "compile"] },
    start: { program: "mvn", args: ["-q", "exec:java"] },
  },
  {
    language: "Python",
    folder: "python",
    programs: ["python3"],
    start: { program: ".venv/bin/python", args: ["first_bet.py"] },
  },
];

for (const { language, folder, programs, platform, compile, start } of CLIENTS) {
  const here = `${process.platform}-${process.arch}`;
  if (!programs.every(isInstalled) || (platform ?? here) !== here) {
    test.skip(`skipped, no ${language}`, (t) => t.pass());
    continue;
  }
  test.serial(
    `a ${language} client, generated as docs/provider-clients.md describes, places one bet and reads refusals`,
    async (t) => {
      t.timeout(900_000);
      const cwd = join(checkout(t, "docs/provider-clients.md"), folder);
      cpSync(join(ROOT, "proto/aggregator/provider"), join(cwd, "proto/aggregator/provider"), { recursive: true });
      // buf is among the project's packages.
      await run({ program: "sh", args: ["-e", "generate.sh"], cwd, env: { PATH: process.env.PATH ?? "" } });
      for (const copy of ["gen/google", "gen/com"]) t.false(existsSync(join(cwd, copy)), `${copy} was generated`);
      if (compile !== undefined) await run({ ...compile, cwd });

      const world = await startWorld(t);
      const env = {
        ADDRESS: `127.0.0.1:${world.first.ports.grpc}`,
        PLAINTEXT: "1",
        KEY: world.apiKey,
        SESSION: await world.session(),
      };
      // On a busy machine the service may refuse a call. Then the call is repeated, as the page's rules require.
      const printed = async (more: object = {}): Promise<string> => {
        for (let tries = 1; ; tries++) {
          // Maven prints colour codes.
          const text = stripVTControlCharacters(await run({ ...start, cwd, env: { ...env, ...more } })).trim();
          if (text !== "refused: OVERLOADED" || tries === 20) return text;
          await sleep(250);
        }
      };
      t.regex(await printed({ KEY: "wrong" }), /^refused: INVALID_API_KEY$/);
      t.regex(await printed({ SESSION: "unknown" }), /^refused: SESSION_NOT_FOUND$/);
      const reply = await printed();
      t.regex(reply, /^TRANSACTION_STATUS_SUCCESS 9750 ACME:(go|java|python)-1$/);
      t.is(await printed(), reply, "a repeat gets the recorded answer");
      t.is(world.callbacks.length, 1, "the wallet was called once");
    },
  );
}
