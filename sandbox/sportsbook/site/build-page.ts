import { join } from "node:path";
import webpack from "webpack";
import { bundle } from "../../../web-renderer/build/bundle.ts";

/**
 * Builds into an empty folder the page, and `server/first-screen.js`, with which the server draws the page's first screen.
 *
 * @param themes - the stylesheet of the themes. It is generated, so there is no file of it.
 */
export async function buildSite(folder: string, themes: string): Promise<void> {
  await Promise.all([buildPage(folder, themes), buildFirstScreen(folder)]);
}

/** Node cannot read TSX, so the server's part of the views is built, too. */
const buildFirstScreen = (folder: string): Promise<void> =>
  bundle({
    target: "node",
    context: import.meta.dirname,
    entry: "./first-screen.tsx",
    experiments: { outputModule: true },
    output: { path: join(folder, "server"), filename: "first-screen.js", library: { type: "module" } },
    optimization: { minimize: false },
  });

/**
 * Builds the page into an empty folder: `page/index.html`, and the files that it names: one script, one stylesheet, the
 * fonts and the icon. Each of these has the hash of its content as its name.
 */
export const buildPage = (folder: string, themes: string): Promise<void> =>
  bundle({
    context: join(import.meta.dirname, "../page"),
    entry: "./index.html",
    experiments: { css: true, html: true, outputModule: true },
    output: {
      path: folder,
      publicPath: "/",
      module: true,
      filename: "[contenthash].js",
      cssFilename: "[contenthash].css",
      assetModuleFilename: "[contenthash][ext]",
      // In a folder the page names its script as `../<hash>.js`, which is the same file from `/` and from `/pt/`.
      htmlFilename: "page/index.html",
    },
    module: {
      rules: [{ test: /\.woff2$/, type: "asset/resource", loader: join(import.meta.dirname, "font-subset.ts") }],
    },
    plugins: [
      new webpack.experiments.schemes.VirtualUrlPlugin({ "themes.css": { type: ".css", source: () => themes } }),
    ],
  });
