/**
 * The part of HTTP/2 (RFC 9113) and HPACK (RFC 7541) that this load generator needs: it sends many small gRPC calls and
 * reads their results.
 */

export const FRAME = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7, windowUpdate: 8 } as const;
export const FLAG = { ack: 1, endStream: 1, endHeaders: 4 } as const;
export const SETTING = { headerTableSize: 1, maxConcurrentStreams: 3, initialWindowSize: 4 } as const;
export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const HEAD_BYTES = 9;
/** The first window of a connection in both directions. Updates and settings change it. */
export const FIRST_WINDOW = 65_535;
export const LARGEST_WINDOW = 2 ** 31 - 1;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  bytes.set(payload, HEAD_BYTES);
  return bytes;
}

export function settings(values: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(values.length * 6);
  values.forEach(([id, value], i) => {
    payload.writeUInt16BE(id, i * 6);
    payload.writeUInt32BE(value, i * 6 + 2);
  });
  return frame(FRAME.settings, 0, 0, payload);
}

export function windowUpdate(stream: number, by: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(by);
  return frame(FRAME.windowUpdate, 0, stream, payload);
}

/** Cuts a stream of bytes into frames. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  *read(chunk: Buffer): Generator<Frame> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (bytes.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + bytes.readUIntBE(0, 3);
      if (bytes.length < end) break;
      yield {
        type: bytes[3] ?? 0,
        flags: bytes[4] ?? 0,
        stream: bytes.readUInt32BE(5) & 0x7fffffff,
        payload: bytes.subarray(HEAD_BYTES, end),
      };
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
  }
}

/** Header fields as literals, without the dynamic table and without Huffman coding. */
export function headerBlock(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]));
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  const { length } = bytes;
  // RFC 7541, 5.1: a length of 127 or more continues in further bytes, with seven bits in each.
  const prefix = length < 127 ? [length] : [127, ...continued(length - 127)];
  return Buffer.concat([Buffer.from(prefix), bytes]);
}

const continued = (n: number): number[] => (n < 128 ? [n] : [(n & 127) | 128, ...continued(n >> 7)]);

/**
 * Code and bit length of capitals and the underscore (RFC 7541, Appendix B). The codes of B to Y, without X, are
 * consecutive.
 */
const CODES = new Map<string, readonly [code: number, bits: number]>([
  ["A", [0x21, 6]],
  ["_", [0x22, 6]],
  ...[..."BCDEFGHIJKLMNOPQRSTUVWY"].map((letter, i) => [letter, [0x5d + i, 7]] as const),
  ["X", [0xfc, 8]],
  ["Z", [0xfd, 8]],
]);

/** An error code in Huffman coding, with its length before it: the bytes by which a header block names the code. */
export function huffman(text: string): Buffer {
  let bits = "";
  for (const letter of text) {
    const [code, length] = CODES.get(letter) ?? [0, 0];
    if (length === 0) throw new Error(`no capital: ${letter}`);
    bits += code.toString(2).padStart(length, "0");
  }
  // The rest of the last byte is filled with ones.
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1");
  const bytes = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}
