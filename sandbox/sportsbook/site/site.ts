import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { keptBuild } from "../../../web-files/kept-build.ts";
import { PageFile } from "../../../web-files/page-file.ts";
import { publishedFiles } from "../../../web-renderer/build/published-files.ts";
import { themesCss } from "../themes-css.ts";
import { buildSite } from "./build-page.ts";
import type * as FirstScreens from "./first-screen.tsx";
import { type InlinePage, inlinePage } from "./inline.ts";

/** The folders that the build of the page reads. */
const SOURCES = ["sandbox/sportsbook", "sandbox/design", "look", "web-renderer", "web-files"];
/** The compression level of the page. The page is compressed again for each visitor, so compression must be quick. */
const PAGE_BROTLI_LEVEL = 5;
const FOR_EVER = { "Cache-Control": "public, max-age=31536000, immutable" };

/** The element of the page into which the JSON is written. The build leaves out quotation marks that are not needed. */
const OPENING = /<script type="?application\/json"? id="?opening"?>/;
const ROOT = /<html[^>]*>/;
const APP = /<div id="?app"?[^>]*><\/div>/;

interface Shown {
  /** What the script begins with, as the JSON of a {@link PageOpening}. */
  readonly opening: string;
  /** Absent: nothing is shown before the script runs. */
  readonly first?: FirstScreens.FirstScreen;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Site {
  /** Returns the page that begins like this. */
  readonly page: (shown: Shown) => PageFile;
  readonly firstScreen: typeof FirstScreens.firstScreen;
  /** The page's files and the browser library's, by path. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** The sources that the page's Content-Security-Policy must allow. */
  readonly sources: Pick<InlinePage, "script" | "styles">;
}

/**
 * Reads all files that the sportsbook serves. If the sources changed, builds the files first, which takes about 3 s.
 */
export async function readSite(): Promise<Site> {
  const [folder, library] = await Promise.all([
    keptBuild("sportsbook", SOURCES, (into) => buildSite(into, themesCss())),
    publishedFiles(),
  ]);
  // The page has its styles inline.
  const names = (await readdir(folder)).filter((name) => ![".css", ""].includes(extname(name)));
  const own = await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name));
      return [`/${name}`, new PageFile(extname(name).slice(1), content, FOR_EVER)] as const;
    }),
  );
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const { firstScreen }: typeof FirstScreens = await import(pathToFileURL(join(folder, "server/first-screen.js")).href);
  const { html, ...sources } = await inlinePage(await read("page/index.html"), read);
  return {
    firstScreen,
    page: ({ opening, first, headers }) =>
      new PageFile(
        "html",
        withFirstScreen(html, first)
          // In a script element only "<" has a special meaning, and in JSON this character occurs only in texts.
          .replace(OPENING, (element) => element + opening.replaceAll("<", "\\u003c")),
        // A page with Cross-Origin-Embedder-Policy frames only pages that have this header, too.
        { "Cache-Control": "no-store", "Cross-Origin-Embedder-Policy": "require-corp", ...headers },
        PAGE_BROTLI_LEVEL,
      ),
    files: new Map([...own, ...library]),
    sources,
  };
}

function withFirstScreen(html: string, first: FirstScreens.FirstScreen | undefined): string {
  if (first === undefined) return html;
  const { language, theme, layout, app } = first;
  return html
    .replace(ROOT, `<html lang="${language}" translate="no" data-theme="${theme}" data-layout="${layout}">`)
    .replace(APP, () => app);
}
