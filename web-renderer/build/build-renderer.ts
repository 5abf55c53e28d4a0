import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import webpack from "webpack";
import { LIBRARY_VERSION } from "../version.ts";
import { bundle } from "./bundle.ts";

const SOURCE = join(import.meta.dirname, "..");
const FILE = "sb-renderer.min.js";

/**
 * Builds all published files into an empty folder. Builds of the same sources have the same bytes:
 * - `sb-renderer.min.js`, and once more under `sb-renderer/{version}/`: the script with the global SBRenderer;
 * - `sb-renderer.integrity.json`: {version, file, integrity, versioned: {url, integrity}}, addresses relative to it;
 * - `package/`: the npm package, ESM and typings.
 */
export async function buildRenderer(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all([buildScript(folder), buildPackage(join(folder, "package"))]);
  const script = await readFile(join(folder, FILE));
  const integrity = `sha384-${createHash("sha384").update(script).digest("base64")}`;
  const immutable = `sb-renderer/${LIBRARY_VERSION}`;
  await mkdir(join(folder, immutable), { recursive: true });
  await writeFile(join(folder, immutable, FILE), script);
  const published = {
    version: LIBRARY_VERSION,
    file: FILE,
    integrity,
    versioned: { url: `${immutable}/${FILE}`, integrity },
  };
  await writeFile(join(folder, "sb-renderer.integrity.json"), `${JSON.stringify(published, null, 2)}\n`);
}

const buildScript = (folder: string): Promise<void> =>
  bundle({
    context: SOURCE,
    entry: "./global.ts",
    output: { path: folder, filename: FILE },
    // No function of the library uses its own `this`, so the minimizer may turn all functions into arrow functions.
    optimization: { minimize: { javascript: { compress: { passes: 4, unsafe_arrows: true, unsafe_methods: true } } } },
    plugins: [
      new webpack.BannerPlugin({
        banner: `/*! SBRenderer ${LIBRARY_VERSION} | Apache-2.0 */`,
        raw: true,
        stage: webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT,
      }),
    ],
  });

async function buildPackage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const tsc = join(SOURCE, "../node_modules/.bin/tsc");
  await promisify(execFile)(tsc, ["-p", SOURCE, "--outDir", folder]);
  for (const file of ["package.json", "README.md"]) await copyFile(join(SOURCE, file), join(folder, file));
  await copyFile(join(SOURCE, "../LICENSE"), join(folder, "LICENSE"));
}
