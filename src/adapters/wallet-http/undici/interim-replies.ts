const [CR, LF, ZERO, ONE, TWO] = Buffer.from("\r\n012") as unknown as readonly [number, number, number, number, number];
/** The places of the status in `HTTP/1.1 100`. */
const [FIRST, SECOND, THIRD] = [9, 10, 11];

/**
 * Finds the interim replies (1xx) before a reply, and changes each 100 into 102 in the bytes that undici will read. A
 * client must be able to read an interim reply, even one that it did not expect (RFC 9110, 15.2). undici does this for
 * each of them except 100: it takes an unexpected 100 for a broken reply and destroys the connection. A client may
 * treat an unknown 1xx, and so 102, like 100. This class looks at only the first ten bytes of the final reply.
 */
export class InterimReplies {
  /** The number of bytes of the status line so far; undefined: the final reply has begun, or no reply is expected. */
  #at: number | undefined;
  #is10 = false;
  /** The number of bytes of the current line of an interim reply's head, without its end. */
  #line = 0;

  /** Call it before each request. */
  expect(): void {
    this.#at = 0;
  }

  /** Call it with the bytes of the socket, in their order. */
  read(bytes: Buffer): void {
    for (let i = 0; i < bytes.length && this.#at !== undefined; i++) {
      const byte = bytes[i] as number;
      if (this.#at > THIRD) this.#head(byte);
      // Servers may send an empty line before a reply.
      else if (this.#at > 0 || (byte !== CR && byte !== LF)) {
        if (this.#at === FIRST && byte !== ONE) {
          this.#at = undefined;
          return;
        }
        if (this.#at === SECOND) this.#is10 = byte === ZERO;
        if (this.#at === THIRD && this.#is10 && byte === ZERO) bytes[i] = TWO;
        this.#at += 1;
        this.#line = 1;
      }
    }
  }

  /** Reads on to the empty line that ends the head of an interim reply. Another reply follows it. */
  #head(byte: number): void {
    if (byte === LF) {
      if (this.#line === 0) this.#at = 0;
      this.#line = 0;
    } else if (byte !== CR) this.#line += 1;
  }
}
