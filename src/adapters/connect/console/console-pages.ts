import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { PageFile } from "../../../../web-files/page-file.ts";
import type { ConsoleBuilder } from "./console-builder.ts";

/** The address of the console's page. */
export const CONSOLE = "/console/";
const ASSETS = `${CONSOLE}assets/`;

const POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const HEADERS = {
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};
/** The name of an asset contains a hash of its content. */
const ASSET = { ...HEADERS, "Cache-Control": "public, max-age=31536000, immutable" };

/** A page without styles that stands in for the console. */
const standIn = (title: string, text: string, more = ""): string => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8">${more}<title>${title}</title></head>
  <body>
    <h1>${title}</h1>
    <p>${text}</p>
  </body>
</html>
`;

const BUILDING = standIn(
  "The console is being built",
  "This takes some seconds, once. Then this page shows the console by itself.",
  '<meta http-equiv="refresh" content="2">',
);

const NOT_BUILT = standIn(
  "The console is not built",
  "Run <code>npm run build:console</code> in the service's folder, then load this page again.",
);

/**
 * The headers of the page. The preview of a brand frames the sportsbook, and asks whether its address answers. So the
 * policy of the page names the sportsbook's origin, if there is a sportsbook.
 */
function pageHeaders(sportsbookUrl: string | null): Readonly<Record<string, string>> {
  const headers = { ...HEADERS, "Cache-Control": "no-cache" };
  if (sportsbookUrl === null) return headers;
  const { origin } = new URL(sportsbookUrl);
  return { ...headers, "Content-Security-Policy": `${POLICY}; frame-src ${origin}; connect-src 'self' ${origin}` };
}

/** One build of the console, in memory. */
interface Build {
  readonly folder: string;
  readonly index: PageFile;
  /** The files by name. */
  readonly assets: ReadonlyMap<string, PageFile>;
}

/**
 * Serves the built files of the console. The page is at /console/ and at every address below it that is not a file. The
 * files are at /console/assets/. A build is a folder with `index.html` and `assets/`, in the folder of builds. Each
 * request for the page searches for the present build, so a build that is created while the service runs is served too.
 */
export class ConsolePages {
  readonly #builds: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #notBuilt: PageFile;
  readonly #building: PageFile;
  readonly #builder: ConsoleBuilder;
  #build: Promise<Build | undefined> | undefined;
  #folder: string | undefined;

  /**
   * @param builds - the folder of builds, which need not exist.
   * @param sportsbookUrl - the sportsbook that the page may frame; null: it frames nothing.
   * @param builder - builds the console when its page is asked for and there is no build.
   */
  constructor(builds: string, sportsbookUrl: string | null, builder: ConsoleBuilder) {
    this.#builds = builds;
    this.#builder = builder;
    this.#headers = pageHeaders(sportsbookUrl);
    this.#notBuilt = new PageFile("html", NOT_BUILT, this.#headers);
    this.#building = new PageFile("html", BUILDING, this.#headers);
  }

  /**
   * Answers a GET or HEAD request for an address under /console/.
   *
   * @param path - the request's path.
   */
  async answer(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
      return;
    }
    const build = await this.#current();
    if (!path.startsWith(ASSETS)) return (build?.index ?? this.#withoutBuild()).answer(request, response);
    const asset = build?.assets.get(path.slice(ASSETS.length));
    if (asset === undefined) response.writeHead(404, HEADERS).end();
    else await asset.answer(request, response);
  }

  #withoutBuild(): PageFile {
    return this.#builder.start() ? this.#building : this.#notBuilt;
  }

  async #current(): Promise<Build | undefined> {
    const names = await readdir(this.#builds).catch(() => []);
    // A build that is not complete yet has a dot in its name.
    const folder = names.find((name) => !name.includes("."));
    if (folder !== this.#folder || this.#build === undefined) {
      this.#folder = folder;
      this.#build = folder === undefined ? Promise.resolve(undefined) : read(join(this.#builds, folder), this.#headers);
      // After a failure, the next request reads the build again.
      this.#build.catch(() => (this.#build = undefined));
    }
    return this.#build;
  }
}

async function read(folder: string, pageHeaders: Readonly<Record<string, string>>): Promise<Build> {
  const names = await readdir(join(folder, "assets"));
  const file = async (path: string, headers: Readonly<Record<string, string>>) =>
    new PageFile(extname(path).slice(1), await readFile(join(folder, path)), headers);
  const assets = await Promise.all(names.map(async (name) => [name, await file(join("assets", name), ASSET)] as const));
  return { folder, index: await file("index.html", pageHeaders), assets: new Map(assets) };
}
