import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import webpack from "webpack";

const ROOT = join(import.meta.dirname, "../..");
/** In paths, webpack reserves `!` for loaders, `?` for queries, and brackets for placeholders such as `[name]`. */
const RESERVED = /[!?[\]]/;

/** Runs webpack for production. It strips the types itself. Throws an error that lists its errors and warnings. */
export async function bundle(configuration: webpack.Configuration): Promise<void> {
  if (!RESERVED.test(ROOT)) return run(configuration);
  const sign = RESERVED.exec(tmpdir())?.[0];
  if (sign !== undefined)
    throw new Error(
      `The pages cannot be built: the folders ${ROOT} and ${tmpdir()} both have a character in their names that webpack reserves (${sign}). Rename one of them, or set TMPDIR to another folder.`,
    );
  // Webpack sees the project through a link whose path has no such character.
  const folder = await mkdtemp(join(tmpdir(), "build-"));
  const link = join(folder, "root");
  try {
    await symlink(ROOT, link, "junction");
    await run({ ...through(link, configuration), resolve: { symlinks: false }, resolveLoader: { symlinks: false } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The configuration with the link's path in place of the project's. */
function through<T>(link: string, value: T): T {
  if (typeof value === "string") return (value.startsWith(ROOT) ? link + value.slice(ROOT.length) : value) as T;
  if (Array.isArray(value)) return value.map((item) => through(link, item)) as T;
  if (value === null || value === undefined || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, through(link, item)])) as T;
}

async function run(configuration: webpack.Configuration): Promise<void> {
  const compiler = webpack({
    mode: "production",
    target: ["web", "es2022"],
    ...configuration,
    experiments: { typescript: true, ...configuration.experiments },
  });
  if (compiler === null) throw new Error("webpack has no configuration");
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  if (stats === undefined || stats.hasErrors() || stats.hasWarnings())
    throw new Error(`${String(configuration.entry)} was not built:\n${stats?.toString()}`);
}
