/** The smallest room that is reserved when a second piece comes. */
const LEAST_BYTES = 1_024;

/**
 * Bytes that come in pieces, in one buffer. A list of the pieces would need up to 300 times the memory. The room grows
 * with the bytes that have come, so a caller that only announces many bytes holds no memory.
 */
export class GrowingBuffer {
  readonly #max: number;
  #room: Buffer = EMPTY;
  #size = 0;

  /** @param max - the number of bytes that may come at most. */
  constructor(max: number) {
    this.#max = max;
  }

  /** The bytes that have come, without a copy. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  /** The number of bytes that have come. */
  get size(): number {
    return this.#size;
  }

  /** false: these bytes would exceed the maximum, and were not added. */
  add(piece: Buffer): boolean {
    const size = this.#size + piece.length;
    if (size > this.#max) return false;
    // Most bodies come in one piece, which is kept without a copy.
    if (this.#size === 0) this.#room = piece;
    else {
      if (size > this.#room.length) {
        const room = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * size, LEAST_BYTES), this.#max));
        this.#room.copy(room, 0, 0, this.#size);
        this.#room = room;
      }
      piece.copy(this.#room, this.#size);
    }
    this.#size = size;
    return true;
  }
}

const EMPTY = Buffer.alloc(0);
