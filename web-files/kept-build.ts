import { createHash } from "node:crypto";
import { access, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const READ = /\.(tsx?|json|md|html|css|svg|woff2)$/;

/** The builds of this process that have not ended, by folder. Callers at the same time share one build. */
const builds = new Map<string, Promise<void>>();

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
  const folder = join(ROOT, "dist", name, await hashOf([...sources, "package-lock.json"]));
  if (await isThere(folder)) return folder;
  const running = builds.get(folder) ?? buildInto(folder, build).finally(() => builds.delete(folder));
  builds.set(folder, running);
  await running;
  return folder;
}

async function buildInto(folder: string, build: (folder: string) => Promise<void>): Promise<void> {
  const all = dirname(folder);
  const unfinished = `${folder}.${process.pid}`;
  const older = await readdir(all).catch(() => []);
  try {
    await build(unfinished);
    await rename(unfinished, folder);
    await Promise.all(
      older.filter((name) => !name.includes(".")).map((name) => rm(join(all, name), { recursive: true, force: true })),
    );
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was first.
    if (!(await isThere(folder))) throw error;
  }
}

const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  );

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
