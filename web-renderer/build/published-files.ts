import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtRenderer } from "./built-renderer.ts";

/** A file of the library as a sportsbook serves it. */
export interface PublishedFile {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The library's files that a sportsbook serves beside its own pages, by path: `/sb-renderer.min.js`,
 * `/sb-renderer.integrity.json` and `/sb-renderer/{version}/sb-renderer.min.js`, which never changes. They allow every
 * origin (CORS), which Subresource Integrity needs. Builds first when the sources changed, which takes some 2 s.
 */
export async function publishedFiles(): Promise<ReadonlyMap<string, PublishedFile>> {
  const folder = await builtRenderer();
  const read = async (path: string, type: string, cache: string): Promise<[string, PublishedFile]> => {
    const headers = {
      "content-type": type,
      "cache-control": cache,
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    };
    return [`/${path}`, { bytes: await readFile(join(folder, path)), headers }];
  };
  const integrity = await read("sb-renderer.integrity.json", "application/json", "public, max-age=60");
  const { file, versioned } = JSON.parse(integrity[1].bytes.toString("utf8")) as {
    file: string;
    versioned: { url: string };
  };
  return new Map([
    integrity,
    await read(file, "text/javascript; charset=utf-8", "public, max-age=60"),
    await read(versioned.url, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
  ]);
}
