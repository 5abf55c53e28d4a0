import { createHash } from "node:crypto";
import { access, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildRenderer } from "./build-renderer.ts";

const SOURCE = join(import.meta.dirname, "..");
const BUILDS = join(SOURCE, "../dist/renderer");

/**
 * The folder with the build of the current sources; {@link buildRenderer} says what is in it. Builds them if there is
 * no build. The folder is named by the hash of the sources, so that processes that start at the same time do not
 * disturb each other.
 */
export async function builtRenderer(): Promise<string> {
  const folder = join(BUILDS, await hashOfSources());
  const isThere = () =>
    access(folder).then(
      () => true,
      () => false,
    );
  if (await isThere()) return folder;
  const unfinished = `${folder}.${process.pid}`;
  const older = await readdir(BUILDS).catch(() => []);
  try {
    await buildRenderer(unfinished);
    await rename(unfinished, folder);
    await Promise.all(
      older
        .filter((name) => !name.includes("."))
        .map((name) => rm(join(BUILDS, name), { recursive: true, force: true })),
    );
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was first.
    if (!(await isThere())) throw error;
  }
  return folder;
}

/** The hash of everything that the build reads. The lock file stands for the tools. */
async function hashOfSources(): Promise<string> {
  const own = (await readdir(SOURCE, { recursive: true })).filter((file) => /\.(ts|json|md)$/.test(file));
  const hash = createHash("sha256");
  for (const file of [...own.sort(), "../tsconfig.json", "../package-lock.json"]) {
    hash.update(`${file}\0`);
    hash.update(await readFile(join(SOURCE, file)));
  }
  return hash.digest("hex").slice(0, 16);
}
