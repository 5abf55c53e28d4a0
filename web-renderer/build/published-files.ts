import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { PageFile } from "../../web-files/page-file.ts";
import { builtRenderer } from "./built-renderer.ts";

/**
 * The library's files that a sportsbook serves beside its own pages, by path: `/sb-renderer.min.js`,
 * `/sb-renderer.integrity.json` and `/sb-renderer/{version}/sb-renderer.min.js`, which never changes. They allow every
 * origin (CORS), which Subresource Integrity needs. If the sources changed, this function builds the files first, which
 * takes about 2 s.
 */
export async function publishedFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const folder = await builtRenderer();
  const read = async (path: string, cache: string): Promise<[string, PageFile]> => {
    const headers = {
      "Cache-Control": cache,
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    };
    return [`/${path}`, new PageFile(extname(path).slice(1), await readFile(join(folder, path)), headers)];
  };
  const integrity = await read("sb-renderer.integrity.json", "public, max-age=60");
  const { file, versioned } = JSON.parse(integrity[1].content.toString("utf8")) as {
    file: string;
    versioned: { url: string };
  };
  return new Map([
    integrity,
    await read(file, "public, max-age=60"),
    await read(versioned.url, "public, max-age=31536000, immutable"),
  ]);
}
