/**
 * `npm run release [-- --out <folder>]`: writes the files of a release of the last commit, and prints their SHA-256
 * hashes. The exit code is 1 if the project cannot be released, 2 if the arguments are wrong.
 */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { NotReleasable, releaseOf, writeRelease } from "./release.ts";

const ROOT = join(import.meta.dirname, "../..");

try {
  const { values } = parseArgs({ options: { out: { type: "string" } } });
  const release = await releaseOf(ROOT);
  const folder = resolve(values.out ?? join(ROOT, "dist/release", release.version));
  await writeRelease(ROOT, release, folder);
  process.stdout.write(await readFile(join(folder, "SHA256SUMS"), "utf8"));
  console.log(`\nRelease ${release.version} is in ${folder}. Its notes are RELEASE-NOTES.md.`);
} catch (error) {
  const isUsage = (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS") === true;
  if (!isUsage && !(error instanceof NotReleasable)) throw error;
  console.error(`release: ${(error as Error).message}`);
  process.exit(isUsage ? 2 : 1);
}
