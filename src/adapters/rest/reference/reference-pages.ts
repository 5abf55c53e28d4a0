import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Router } from "express";
import { openApiDocument } from "../openapi/document.ts";
import { requestIdOf, sendReply } from "../replies/reply.ts";
import { referencePage } from "./page.ts";
import { PageFile } from "./page-file.ts";

export interface ReferenceOptions {
  /** The API's address, without `/v1`. It is asked for at the first request, when the port is known. */
  readonly address: () => string;
  /** Whether the page can send calls. It then has a field for a merchant's secret. */
  readonly tryOut: boolean;
}

/** Allows no foreign sources and nothing inline. Swagger UI's pictures are data: URLs. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  "Content-Security-Policy": POLICY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-cache",
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The page's files, by their name under /docs/. */
const FILES: Readonly<Record<string, string>> = {
  "reference.css": here("reference.css"),
  "reference.js": here("browser/reference.js"),
  "accessible.js": here("browser/accessible.js"),
  "sign.js": here("browser/sign.js"),
  "swagger-ui-bundle.js": fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js")),
  "swagger-ui.css": fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui.css")),
  ...Object.fromEntries(
    ["tokens.css", "base.css", "fonts/outfit.woff2", "fonts/figtree.woff2"].map((name) => [
      `design/${name}`,
      here(`../../../../sandbox/design/${name}`),
    ]),
  ),
};

/**
 * Serves `/openapi.json`, and `/docs` with the reference page. All files are read once and kept in memory: 2 MB, and 1
 * MB more for their compressed copies.
 */
export function referencePages({ address, tryOut }: ReferenceOptions): Router {
  const router = Router({ strict: true });
  let document: PageFile | undefined;
  const page = new PageFile("html", referencePage({ tryOut }), HEADERS);
  router.get("/openapi.json", (request, response, next) => {
    document ??= new PageFile("json", JSON.stringify(openApiDocument(address())), {
      ...HEADERS,
      "Access-Control-Allow-Origin": "*",
    });
    return document.answer(request, response, next);
  });
  router.get("/docs", page.answer);
  for (const [name, file] of Object.entries(FILES)) {
    router.get(`/docs/${name}`, new PageFile(extname(file).slice(1), readFileSync(file), HEADERS).answer);
  }
  router.all(["/openapi.json", "/docs"], (_, response) => {
    sendReply(
      response,
      { refusal: { code: "METHOD_NOT_ALLOWED" }, headers: { Allow: "GET, HEAD" } },
      requestIdOf(response),
    );
  });
  return router;
}
