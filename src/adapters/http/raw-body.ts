import type { IncomingMessage } from "node:http";

/** The longest body that a caller may send. */
const BODY_MAX_BYTES = 65_536;
/**
 * A longer body is read and thrown away up to this size, because a caller reads the answer only after it has sent its
 * body.
 */
const DISCARD_MAX_BYTES = 1_048_576;

const EMPTY = Buffer.alloc(0);

/**
 * Reads the bytes of the body as they were sent. `too_large`: the body is over the limit, and its rest is discarded.
 * `aborted`: the caller hung up, so that no answer is needed.
 */
export function readRawBody(request: IncomingMessage): Promise<Buffer | "too_large" | "aborted"> {
  // Most requests announce no body. Waiting for its end would cost them another turn of the event loop.
  if (request.headers["transfer-encoding"] === undefined && Number(request.headers["content-length"] ?? 0) === 0)
    return Promise.resolve(EMPTY);
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
