import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type RequestHandler, Router } from "express";
import { PageFile } from "../../../../web-files/page-file.ts";
import { requestIdOf, sendReply } from "../replies/reply.ts";
import { DOWNLOADS, GUIDES, PROJECT } from "./guides.ts";
import type { SiteOptions } from "./site.ts";
import type { BuiltSite } from "./site-builder.ts";

/** Allows no sources from other hosts, and no inline scripts or styles. The only data: URL is the empty icon. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

const FONTS = ["fonts/outfit.woff2", "fonts/figtree.woff2"];
const LOOK = ["tokens.css", "light.css", "base.css", ...FONTS].map((name) => `look/${name}`);
const OWN = ["docs.css", "content.css", "browser/docs.js", "browser/search.js", "browser/sign.js", "browser/try.js"];

/** The pages' files: their path from the project's root, by their path under /docs/. */
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(OWN.map((path) => [path.replace("browser/", ""), `src/adapters/rest/reference/${path}`])),
  ...Object.fromEntries(LOOK.map((path) => [path, path])),
  ...DOWNLOADS,
};

const file = (path: string): PageFile =>
  new PageFile(extname(path).slice(1), readFileSync(new URL(path, PROJECT)), HEADERS);

const OPEN_API = "/openapi.json";

/** Builds the pages in a thread. Here they would keep bets waiting for half a second. */
function built(options: SiteOptions): Promise<BuiltSite> {
  return new Promise((resolve, reject) => {
    const builder = new Worker(new URL("site-builder.ts", import.meta.url), { workerData: options });
    builder.once("message", resolve).once("error", reject);
    builder.once("exit", () => reject(new Error("the pages of /docs were not built")));
  });
}

export interface ReferenceOptions {
  /** The API's address, without `/v1`. It is read at the first request, when the port is known. */
  readonly address: () => string;
  /** Whether the page can send calls. Then it has a field for a merchant's secret. */
  readonly tryOut: boolean;
}

/**
 * Serves `/openapi.json`, and `/docs` with the reference and the guides. Everything is kept in memory: 1.3 MB, and 0.6
 * MB more for the compressed copies. The pages are built at the first request for one of them.
 */
export function referencePages({ address, tryOut }: ReferenceOptions): Router {
  const router = Router({ strict: true });
  let making: Promise<ReadonlyMap<string, PageFile>> | undefined;
  const pages = (): Promise<ReadonlyMap<string, PageFile>> => {
    making ??= built({ address: address(), tryOut }).then(
      (site) =>
        new Map([
          ...[...site.pages].map(([name, html]) => [name, new PageFile("html", html, HEADERS)] as const),
          ["search.json", new PageFile("json", site.index, HEADERS)] as const,
          [OPEN_API, new PageFile("json", site.openApi, { ...HEADERS, "Access-Control-Allow-Origin": "*" })] as const,
        ]),
    );
    // After a failure, the next request builds the pages again.
    making.catch(() => (making = undefined));
    return making;
  };
  const answer =
    (name: string): RequestHandler =>
    async (request, response, next) => {
      const page = (await pages()).get(name);
      return page === undefined ? next() : page.answer(request, response);
    };
  router.get(OPEN_API, answer(OPEN_API));
  for (const [name, path] of Object.entries(FILES)) router.get(`/docs/${name}`, file(path).answer);

  const names = ["", "search.json", ...GUIDES.flatMap(({ page, sections = {} }) => [page, ...Object.values(sections)])];
  const addressOf = (name: string): string => (name === "" ? "/docs" : `/docs/${name}`);
  for (const name of names) router.get(addressOf(name), answer(name));

  const addresses = [...names.map(addressOf), ...Object.keys(FILES).map(addressOf)];
  router.all([OPEN_API, ...addresses], (_, response) => {
    sendReply(
      response,
      { refusal: { code: "METHOD_NOT_ALLOWED" }, headers: { Allow: "GET, HEAD" } },
      requestIdOf(response),
    );
  });
  return router;
}
