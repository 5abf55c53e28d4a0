import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { keptBuild } from "../../../web-files/kept-build.ts";
import { PageFile } from "../../../web-files/page-file.ts";
import { publishedFiles } from "../../../web-renderer/build/published-files.ts";
import { themesCss } from "../themes-css.ts";
import { buildPage } from "./build-page.ts";

/** What the build of the page reads. */
const SOURCES = ["sandbox/sportsbook", "sandbox/design", "look", "web-renderer", "web-files"];
/** The page is made anew for each visitor, who waits for it. */
const PAGE_BROTLI_LEVEL = 5;
const FOR_EVER = { "Cache-Control": "public, max-age=31536000, immutable" };

/** The element of the page that takes the JSON. The build leaves out quotation marks that are not needed. */
const OPENING = /<script type="?application\/json"? id="?opening"?>/;

interface Site {
  /** The page, with what it shows at first (the JSON of a {@link PageOpening}) and further headers. */
  readonly page: (opening: string, headers?: Readonly<Record<string, string>>) => PageFile;
  /** The page's files and the browser library's, by path. */
  readonly files: ReadonlyMap<string, PageFile>;
}

/** Reads everything that the sportsbook serves. Builds it first when the sources changed, which takes some 3 s. */
export async function readSite(): Promise<Site> {
  const [folder, library] = await Promise.all([
    keptBuild("sportsbook", SOURCES, (into) => buildPage(into, themesCss())),
    publishedFiles(),
  ]);
  const names = (await readdir(folder)).filter((name) => extname(name) !== "");
  const own = await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name));
      return [`/${name}`, new PageFile(extname(name).slice(1), content, FOR_EVER)] as const;
    }),
  );
  const html = await readFile(join(folder, "page/index.html"), "utf8");
  return {
    // In a script element nothing but "<" has a meaning, and in JSON it only stands in texts.
    page: (opening, headers) =>
      new PageFile(
        "html",
        html.replace(OPENING, (element) => element + opening.replaceAll("<", "\\u003c")),
        // A page with Cross-Origin-Embedder-Policy frames only pages that have it too.
        { "Cache-Control": "no-store", "Cross-Origin-Embedder-Policy": "require-corp", ...headers },
        PAGE_BROTLI_LEVEL,
      ),
    files: new Map([...own, ...library]),
  };
}
