import { constants, type ServerHttp2Stream } from "node:http2";

/** What requests that are not complete may hold together. */
const ARRIVING_MAX_BYTES = 32 * 1024 * 1024;
/** A request as small as this is let through even then: every one of a provider is. */
const SMALL_BYTES = 4 * 1024;
/** Of a message: a flag, and the length of what follows. */
const PREFIX_BYTES = 5;

type Stream = Pick<ServerHttp2Stream, "on" | "once" | "close">;

/**
 * Bounds what arriving requests hold. grpc-js (1.14.7) reads and unpacks each message as it comes, whether or not the method takes more than one:
 * 16 kB of empty messages become 3 000 objects, and 16 kB of compressed ones 10 MB.
 */
export class Requests {
  #arriving = 0;

  /** Before any other listener of `data`: a stream that it closes is read no further. */
  watch(stream: Stream, severalMessages: boolean): void {
    let prefix = Buffer.alloc(0);
    let bytes = 0;
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      this.#arriving += chunk.length;
      if (prefix.length < PREFIX_BYTES) prefix = Buffer.concat([prefix, chunk.subarray(0, PREFIX_BYTES - prefix.length)]);
      if (this.#arriving > ARRIVING_MAX_BYTES && bytes > SMALL_BYTES) stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      else if (!severalMessages && prefix.length === PREFIX_BYTES && bytes > PREFIX_BYTES + prefix.readUInt32BE(1))
        stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    });
    const over = () => {
      this.#arriving -= bytes;
      bytes = 0;
    };
    stream.once("end", over).once("close", over);
  }
}
