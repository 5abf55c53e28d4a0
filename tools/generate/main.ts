/**
 * `npm run generate`: writes everything that is generated out of contract/, of the metrics' definitions and of the API's
 * description. With `--check` it writes nothing, and exits with 1 if a file is stale.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { generatedFiles } from "./files.ts";

const current = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
};
const stale = [...generatedFiles()].filter(([path, text]) => current(path) !== text);
if (!process.argv.includes("--check"))
  for (const [path, text] of stale) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`${path} is written anew`);
  }
else if (stale.length > 0) {
  for (const [path] of stale) console.error(`${path} is stale: run npm run generate`);
  process.exitCode = 1;
}
