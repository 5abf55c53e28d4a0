import type { IncomingMessage } from "node:http";

/** The longest body anyone may send. */
const BODY_MAX_BYTES = 65_536;
/** So much of a body that is too long is read and thrown away, for a caller that still sends doesn't see the answer. */
const DISCARD_MAX_BYTES = 1_048_576;

const EMPTY = Buffer.alloc(0);

/**
 * The bytes of the body as they are received, before any parser.
 * `too_large`: it passed the limit; the rest is discarded. `aborted`: the caller went away, nobody is left to answer.
 */
export function readRawBody(request: IncomingMessage): Promise<Buffer | "too_large" | "aborted"> {
  // Most requests announce none: listening for it would cost them another turn of the event loop.
  if (request.headers["transfer-encoding"] === undefined && Number(request.headers["content-length"] ?? 0) === 0) return Promise.resolve(EMPTY);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (Number(request.headers["content-length"] ?? 0) > BODY_MAX_BYTES) resolve("too_large");
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_MAX_BYTES) chunks.push(chunk);
      else if (size <= DISCARD_MAX_BYTES) resolve("too_large");
      else request.destroy();
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", () => resolve("aborted"));
    request.on("close", () => resolve("aborted"));
  });
}
