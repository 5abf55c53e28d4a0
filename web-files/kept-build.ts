import { createHash } from "node:crypto";
import { access, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const READ = /\.(ts|json|md|html|css|svg|woff2)$/;

/**
 * The folder with the build of the current sources: `dist/<name>/<hash of the sources>`. Builds only if there is none.
 * The folder is named by the hash, so that processes that start at the same time do not disturb each other.
 *
 * @param sources - everything that the build reads, as files and folders from the project's root. The lock file, which
 *   stands for the tools, is added.
 * @param build - builds into the folder, which does not exist yet.
 */
export async function keptBuild(
  name: string,
  sources: readonly string[],
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const builds = join(ROOT, "dist", name);
  const folder = join(builds, await hashOf([...sources, "package-lock.json"]));
  const isThere = () =>
    access(folder).then(
      () => true,
      () => false,
    );
  if (await isThere()) return folder;
  const unfinished = `${folder}.${process.pid}`;
  const older = await readdir(builds).catch(() => []);
  try {
    await build(unfinished);
    await rename(unfinished, folder);
    await Promise.all(
      older
        .filter((name) => !name.includes("."))
        .map((name) => rm(join(builds, name), { recursive: true, force: true })),
    );
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was first.
    if (!(await isThere())) throw error;
  }
  return folder;
}

async function hashOf(sources: readonly string[]): Promise<string> {
  const files = await Promise.all(sources.map(filesOf));
  const hash = createHash("sha256");
  for (const file of files.flat().sort()) {
    hash.update(`${file}\0`);
    hash.update(await readFile(join(ROOT, file)));
  }
  return hash.digest("hex").slice(0, 16);
}

async function filesOf(source: string): Promise<string[]> {
  if ((await stat(join(ROOT, source))).isFile()) return [source];
  const below = await readdir(join(ROOT, source), { recursive: true });
  return below.filter((file) => READ.test(file)).map((file) => join(source, file));
}
