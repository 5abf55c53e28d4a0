import type { IncomingMessage } from "node:http";
import { GrowingBuffer } from "./growing-buffer.ts";

/** The longest body that a caller may send. */
const BODY_MAX_BYTES = 65_536;
/**
 * A longer body, or a body that nobody needs, is read and thrown away up to this size, because a caller reads the answer
 * only after it has sent its body.
 */
const DISCARD_MAX_BYTES = 1_048_576;
/** The memory that all incomplete bodies of a listener together may use. */
const ARRIVING_MAX_BYTES = 32 * 1024 * 1024;
/** A body up to this size is read even above that limit. Nearly every call of a merchant is that small. */
const SMALL_BYTES = 4 * 1024;

const EMPTY = Buffer.alloc(0);

/** Whether the request has a body, by its headers. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;

/**
 * Why a body was not read. `too_large`: it is over the limit, and its rest is discarded. `no_room`: too many bodies are
 * arriving at once, and its rest is discarded. `aborted`: the caller hung up, so that no answer is needed.
 */
export type Unread = "too_large" | "no_room" | "aborted";

/** Reads the bodies of one listener's requests. All bodies that are incomplete share a limit of memory. */
export class RawBodies {
  readonly #max: number;
  #arriving = 0;

  /** @param max - the longest body that a caller may send, in bytes. */
  constructor(max = BODY_MAX_BYTES) {
    this.#max = max;
  }

  /** Reads the bytes of the body as they were sent. */
  read(request: IncomingMessage): Promise<Buffer | Unread> {
    // Most requests announce no body. Waiting for its end would cost them another turn of the event loop.
    if (!hasBody(request)) return Promise.resolve(EMPTY);
    if (Number(request.headers["content-length"] ?? 0) > this.#max) {
      discardBody(request);
      return Promise.resolve("too_large");
    }
    return new Promise((resolve) => {
      const body = new GrowingBuffer(this.#max);
      let held = 0;
      const end = (result: Buffer | Unread): void => {
        this.#arriving -= held;
        held = 0;
        request.off("data", take);
        resolve(result);
      };
      const drop = (why: Unread): void => {
        end(why);
        discardBody(request, body.size);
      };
      const take = (piece: Buffer): void => {
        if (!body.add(piece)) return drop("too_large");
        held += piece.length;
        this.#arriving += piece.length;
        if (this.#arriving > ARRIVING_MAX_BYTES && held > SMALL_BYTES) drop("no_room");
      };
      request.on("data", take);
      request.on("end", () => end(body.bytes));
      request.on("error", () => end("aborted"));
      request.on("close", () => end("aborted"));
    });
  }
}

/**
 * Reads and throws away the body of a request, if it has one. The connection is closed if the body is too long. Without
 * this, Node would throw the body away after the answer, however long it is.
 *
 * @param read - the number of its bytes that were read before.
 */
export function discardBody(request: IncomingMessage, read = 0): void {
  if (!hasBody(request)) return;
  let size = read;
  request.on("data", (piece: Buffer) => {
    size += piece.length;
    if (size > DISCARD_MAX_BYTES) request.destroy();
  });
  request.on("error", () => {});
}
