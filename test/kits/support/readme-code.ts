/** Checks the TypeScript code of a package's README with the types of the installed package. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT, run } from "../../../testbed/programs/toolchain.ts";

/** The blocks of code of this language in a package's README. */
export async function readmeCode(kit: string, language: string): Promise<string[]> {
  const text = await readFile(join(kit, "README.md"), "utf8");
  const blocks = text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^\\1\`\`\`$`, "gms"));
  return [...blocks].map(([, indent = "", code = ""]) => code.replaceAll(new RegExp(`^${indent}`, "gm"), ""));
}

/**
 * Checks the types of each block. Throws an error with the compiler's messages.
 *
 * @param app - the folder where the package is installed.
 * @param surroundings - declarations of the reader's own code that the blocks use.
 */
export async function checkReadme(kit: string, app: string, surroundings: string): Promise<number> {
  const blocks = await readmeCode(kit, "ts");
  const files = await Promise.all(
    blocks.map(async (block, i) => {
      const file = join(app, `readme-${i}.ts`);
      await writeFile(file, `${block}\nexport {};\n`);
      return file;
    }),
  );
  const globals = join(app, "surroundings.d.ts");
  await writeFile(globals, surroundings);
  const options = "--noEmit --strict --target esnext --module nodenext --skipLibCheck --types node --ignoreConfig";
  await run({
    program: join(ROOT, "node_modules/.bin/tsc"),
    args: [...options.split(" "), globals, ...files],
    cwd: app,
  });
  return blocks.length;
}
