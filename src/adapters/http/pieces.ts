import type { Readable } from "node:stream";

/** A body may come in this many pieces, and in one more for each {@link BYTES_PER_PIECE} of its bytes. */
const PIECES_FREE = 256;
const BYTES_PER_PIECE = 16;

/**
 * Whether a body came in too many pieces: chunks of HTTP/1.1, frames of HTTP/2 or segments of TCP. Node makes an object
 * of some 300 bytes for each piece. So a body of one-byte pieces would need 300 times its size, and much time.
 */
export const hasTooManyPieces = (pieces: number, bytes: number): boolean =>
  pieces > PIECES_FREE + bytes / BYTES_PER_PIECE;

/** How many pieces a body may have while nobody reads it. */
const UNREAD_PIECES_MAX = 64;

/**
 * Calls `tooMany` once when the body comes in too many pieces, and drops all further pieces. The count begins before
 * anything reads the stream, so that a body that waits is limited too. Then it may have fewer pieces, because they stay
 * in memory one by one.
 */
export function limitPieces(stream: Readable, tooMany: () => void): void {
  let [pieces, bytes, dropped] = [0, 0, false];
  const { push } = stream;
  stream.push = (chunk: Buffer | null, encoding) => {
    if (dropped) return false;
    if (chunk === null) return push.call(stream, chunk, encoding);
    pieces += 1;
    bytes += chunk.length;
    const isWaiting = stream.readableFlowing !== true && pieces > UNREAD_PIECES_MAX + bytes / 1_024;
    if (!isWaiting && !hasTooManyPieces(pieces, bytes)) return push.call(stream, chunk, encoding);
    dropped = true;
    tooMany();
    return false;
  };
}
