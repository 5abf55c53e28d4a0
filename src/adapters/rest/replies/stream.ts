import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { REQUEST_ID_HEADER, type Streamed } from "./reply.ts";

/**
 * Sends chunk after chunk, at the caller's pace: one is asked for when there is room for it. A fault cuts the connection without a last
 * chunk, so that half of a selection never looks whole. A caller that hangs up ends the reading.
 *
 * @param failed - told of what cut it, unless that was the caller.
 */
export async function sendStream(response: ServerResponse, { contentType, chunks, headers }: Streamed, requestId: string, failed: (cause: unknown) => void) {
  response.writeHead(200, {
    "Content-Type": contentType,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    [REQUEST_ID_HEADER]: requestId,
    ...headers,
  });
  await pipeline(Readable.from(chunks), response).catch((cause) => {
    // Whose connection it was that broke: who went away needs no telling.
    if (cause?.code !== "ERR_STREAM_PREMATURE_CLOSE" && cause?.syscall === undefined) failed(cause);
  });
}
