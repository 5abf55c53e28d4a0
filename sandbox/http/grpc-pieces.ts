import { subscribe } from "node:diagnostics_channel";
import { constants, type ServerHttp2Stream } from "node:http2";

/** A request may come in this many DATA frames, and in one more for each {@link BYTES_PER_PIECE} of its bytes. */
const PIECES_FREE = 256;
const BYTES_PER_PIECE = 16;

/** Resets gRPC requests that come in too many DATA frames. grpc-js (1.14.7) keeps each frame of an incomplete message. */
export function limitGrpcPieces(): void {
  subscribe("http2.server.stream.created", (message) => {
    const { stream } = message as { readonly stream: ServerHttp2Stream };
    const { push } = stream;
    let [pieces, bytes] = [0, 0];
    stream.push = (chunk: Buffer | null, encoding) => {
      if (chunk === null) return push.call(stream, chunk, encoding);
      pieces += 1;
      bytes += chunk.length;
      if (pieces <= PIECES_FREE + bytes / BYTES_PER_PIECE) return push.call(stream, chunk, encoding);
      stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return false;
    };
  });
}
