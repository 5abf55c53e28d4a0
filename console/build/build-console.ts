import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundle } from "../../web-renderer/build/bundle.ts";

/** The packages that become part of the bundle. Their licences are published beside it. */
const BUNDLED = ["preact", "uplot"];

/**
 * Builds the console into an empty folder: `index.html` and `assets/`, whose files have the hash of their content as
 * their name. Each build of the same sources has the same bytes.
 */
export async function buildConsole(folder: string): Promise<void> {
  await bundle({
    context: join(import.meta.dirname, "../app"),
    entry: "./index.html",
    experiments: { css: true, html: true, outputModule: true },
    output: {
      path: folder,
      publicPath: "/console/",
      module: true,
      filename: "assets/[contenthash].js",
      chunkFilename: "assets/[contenthash].js",
      cssFilename: "assets/[contenthash].css",
      assetModuleFilename: "assets/[contenthash][ext]",
      htmlFilename: "index.html",
    },
  });
  const folderOfAssets = join(folder, "assets");
  await mkdir(folderOfAssets, { recursive: true });
  await writeFile(join(folderOfAssets, "licences.json"), `${JSON.stringify(await licences(), null, 2)}\n`);
}

/** The licence of each bundled package. Its text must go wherever the package goes. */
async function licences(): Promise<Record<string, string>> {
  const modules = join(import.meta.dirname, "../../node_modules");
  const texts = BUNDLED.map(async (name) => [name, await readFile(join(modules, name, "LICENSE"), "utf8")] as const);
  return Object.fromEntries(await Promise.all(texts));
}
