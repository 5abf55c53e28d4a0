/** gRPC over plain HTTP/2 streams, which can break the protocol in ways that no client library can. */
import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ClientSessionOptions,
  connect,
  type SecureClientSessionOptions,
} from "node:http2";
import type { ExecutionContext } from "ava";

/** Opens a connection until the test ends, over TLS if `options` have a certificate authority. */
export function openSession(
  t: ExecutionContext,
  port: number,
  options: ClientSessionOptions | SecureClientSessionOptions = {},
): ClientHttp2Session {
  const session = connect(`${"ca" in options ? "https://localhost" : "http://127.0.0.1"}:${port}`, options).on(
    "error",
    () => {},
  );
  t.teardown(() => session.destroy());
  return session;
}

/** One length-prefixed gRPC message. */
export function frame(message: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** A stream, with the part of the reply that has arrived. */
export class RawStream {
  readonly stream: ClientHttp2Stream;
  /** Status and trailers; empty until they arrive. */
  readonly trailers: Record<string, unknown> = {};
  readonly closed: Promise<void>;
  /** The number of received bytes of messages. */
  received = 0;

  constructor(session: ClientHttp2Session, path: string, headers: Record<string, string> = {}) {
    this.stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    this.stream.on("error", () => {});
    for (const event of ["response", "trailers"] as const)
      this.stream.on(event, (fields) => Object.assign(this.trailers, fields));
    this.stream.on("data", (bytes: Buffer) => {
      this.received += bytes.length;
    });
    this.closed = new Promise((resolve) => this.stream.once("close", () => resolve()));
  }

  /** Sends the bytes and ends the request. Resolves with the status's number when the stream has ended. */
  async end(bytes: Uint8Array = frame()): Promise<number> {
    this.stream.end(bytes);
    await this.closed;
    return Number(this.trailers["grpc-status"]);
  }

  /** Resolves when the first message has come. */
  async answered(): Promise<void> {
    if (this.received === 0) await once(this.stream, "data");
  }
}
