import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { stop } from "esbuild";
import webpack from "webpack";

const ROOT = join(import.meta.dirname, "../..");
/** In paths, webpack reserves `!` for loaders, `?` for queries, and brackets for placeholders such as `[name]`. */
const RESERVED = /[!?[\]]/;

/** Webpack strips the types of .ts files itself. It needs a loader for JSX. */
const TSX: webpack.RuleSetRule = {
  test: /\.tsx$/,
  loader: "esbuild-loader",
  options: { target: "es2022", tsconfigRaw: { compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact" } } },
  parser: { typescript: false },
};

/** Runs webpack for production. Throws an error that lists its errors and warnings. */
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

let running = 0;

async function run(configuration: webpack.Configuration): Promise<void> {
  const compiler = webpack({
    mode: "production",
    target: ["web", "es2022"],
    ...configuration,
    experiments: { typescript: true, ...configuration.experiments },
    module: { ...configuration.module, rules: [TSX, ...(configuration.module?.rules ?? [])] },
  });
  if (compiler === null) throw new Error("webpack has no configuration");
  running++;
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  // The loader's process would else stay as long as this process.
  if (--running === 0) await stop();
  if (stats === undefined || stats.hasErrors() || stats.hasWarnings())
    throw new Error(`${String(configuration.entry)} was not built:\n${stats?.toString()}`);
}
