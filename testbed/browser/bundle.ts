import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import webpack from "webpack";
import { builtRenderer } from "../../web-renderer/build/built-renderer.ts";
import type { Shown } from "./library-stage.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Builds an entry in `folder` with its imports and the npm package into one script, as a merchant's build does. */
export async function bundle(folder: string, entry: string): Promise<Shown> {
  const library = join(await builtRenderer(), "package");
  const { exports } = JSON.parse(await readFile(join(library, "package.json"), "utf8")) as {
    exports: Record<string, { default: string }>;
  };
  const compiler = webpack({
    mode: "development",
    devtool: false,
    context: folder,
    entry: `./${entry}`,
    experiments: { typescript: true },
    resolve: {
      // The package's exports, under the names that a merchant imports.
      alias: Object.fromEntries(
        Object.entries(exports).map(([part, file]) => [`${join("sb-renderer", part)}$`, join(library, file.default)]),
      ),
      modules: [join(ROOT, "node_modules")],
    },
    output: { path: join(folder, "bundles"), filename: `${entry}.js` },
  });
  if (compiler === null) throw new Error("webpack has no configuration");
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  if (stats?.hasErrors()) throw new Error(stats.toString());
  return {
    html: await readFile(join(folder, "bundles", `${entry}.js`), "utf8"),
    headers: { "content-type": "text/javascript; charset=utf-8" },
  };
}
