import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { LANGUAGE_HEADERS, languageFor, REQUEST_ID_HEADER, type Streamed } from "./reply.ts";

/**
 * Sends chunk after chunk as fast as the caller reads them. After a fault the connection is closed without a final
 * chunk, so that a part of a selection never looks complete. If the caller hangs up, no further chunk is read.
 *
 * @param failed - called with the fault that ended the stream, unless the caller hung up.
 */
export async function sendStream(
  response: ServerResponse,
  { contentType, chunks, headers }: Streamed,
  requestId: string,
  failed: (cause: unknown) => void,
) {
  const language = languageFor(response);
  response.writeHead(200, {
    ...LANGUAGE_HEADERS[language],
    "Content-Type": contentType,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    [REQUEST_ID_HEADER]: requestId,
    ...headers,
  });
  await pipeline(Readable.from(chunks(language)), response).catch((cause) => {
    // Both errors mean that the caller's connection has ended.
    if (cause?.code !== "ERR_STREAM_PREMATURE_CLOSE" && cause?.syscall === undefined) failed(cause);
  });
}
