import type { IncomingMessage } from "node:http";

/** A body may come in this many pieces, and in one more for each {@link BYTES_PER_PIECE} of its bytes. */
const PIECES_FREE = 256;
const BYTES_PER_PIECE = 16;
/** A body that is too long is thrown away up to this size, because a caller reads the answer only after its body. */
const DISCARD_MAX_BYTES = 1_048_576;

/**
 * Reads a body into one buffer. A list of its pieces would need 300 times the memory if each piece has one byte.
 *
 * @param max - the most bytes that the body may have.
 * @returns undefined: the body is too long. The promise never resolves if the caller hangs up, or if the connection was
 *   closed because the body came in too many pieces.
 */
export function readBody(request: IncomingMessage, max: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    let room = Buffer.alloc(1_024);
    let [size, pieces] = [0, 0];
    const take = (piece: Buffer): void => {
      const before = size;
      size += piece.length;
      pieces += 1;
      if (size > DISCARD_MAX_BYTES || pieces > PIECES_FREE + size / BYTES_PER_PIECE) return void request.destroy();
      if (size > max) return resolve(undefined);
      if (size > room.length) room = Buffer.concat([room.subarray(0, before)], Math.min(2 * size, max));
      piece.copy(room, before);
    };
    request.on("data", take);
    request.once("end", () => resolve(room.subarray(0, size)));
    request.on("error", () => {});
  });
}
