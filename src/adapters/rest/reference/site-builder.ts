/** The program of a thread that builds the pages of /docs once, sends them, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import { openApiDocument } from "../openapi/document.ts";
import { buildSite, type SiteOptions } from "./site.ts";

/** The pages as texts. */
export interface BuiltSite {
  /** The API's description, as JSON. */
  readonly openApi: string;
  /** The HTML of each page, by its name under /docs/. */
  readonly pages: ReadonlyMap<string, string>;
  /** The search index, as JSON. */
  readonly index: string;
}

const options = workerData as SiteOptions;
const description = openApiDocument(options.address);
const { pages, index } = await buildSite(description, options);
parentPort?.postMessage({
  openApi: JSON.stringify(description),
  pages,
  index: JSON.stringify(index),
} satisfies BuiltSite);
