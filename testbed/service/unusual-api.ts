/**
 * A merchant API behind a server that speaks HTTP in an unusual or broken way. It reads and writes bytes itself, because
 * no HTTP library sends such replies.
 */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { replyTo } from "./merchant-api-replies.ts";

/** The secret of the merchant whose calls are genuine. */
export const SECRET = "sk_shop";

interface Call {
  readonly method: string;
  /** As on the request line. */
  readonly target: string;
  /** By lower-case name. The values of a repeated header are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the signature covers exactly this target and this body. */
  readonly isGenuine: boolean;
  /** The number of the connection, from 0. */
  readonly connection: number;
}

/** Sends the reply to one call. */
export type Manner = (context: {
  readonly socket: Socket;
  /** The usual reply to this call. */
  readonly reply: Buffer;
  /** The JSON of the usual reply. */
  readonly json: string;
  /** The number of the call, from 0. */
  readonly n: number;
}) => void | Promise<void>;

/** An HTTP/1.1 message with a length. */
export const message = (status: number, body: string | Buffer, headers = ""): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n`,
    ),
    Buffer.from(body),
  ]);

/** Starts the server. It ends with the test. */
export async function startUnusualApi(t: { teardown(end: () => void): void }, manner: Manner) {
  const calls: Call[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    const connection = connections++;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    void serve(socket, connection).catch((cause: NodeJS.ErrnoException) => {
      if (!socket.destroyed && cause.code !== "ERR_STREAM_PREMATURE_CLOSE") throw cause;
    });
  });
  async function serve(socket: Socket, connection: number): Promise<void> {
    for await (const { method, target, headers, body } of requests(socket)) {
      const signed = [headers["x-timestamp"], headers["x-nonce"], method, target, body.toString()].join(".");
      const isGenuine = headers["x-signature"] === createHmac("sha256", SECRET).update(signed).digest("hex");
      const n = calls.push({ method, target, headers, isGenuine, connection }) - 1;
      const { status, json } = replyTo(method, target, body.toString());
      const text = JSON.stringify(json);
      await manner({ socket, reply: message(status, text), json: text, n });
    }
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

/** The requests of a connection. A body has a length, or it has chunks. */
async function* requests(socket: Socket) {
  let bytes = Buffer.alloc(0);
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const until = async (find: () => number): Promise<number> => {
    for (let at = find(); ; at = find()) {
      if (at >= 0) return at;
      const next = await chunks.next();
      if (next.done === true) return -1;
      bytes = Buffer.concat([bytes, next.value]);
    }
  };
  for (;;) {
    const end = await until(() => bytes.indexOf("\r\n\r\n"));
    if (end < 0) return;
    const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
    const [method = "", target = ""] = first.split(" ");
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(":")).toLowerCase();
      const value = line.slice(line.indexOf(":") + 1).trim();
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
    bytes = bytes.subarray(end + 4);
    let body = Buffer.alloc(0);
    if (headers["transfer-encoding"] === undefined) {
      const length = Number(headers["content-length"] ?? 0);
      if ((await until(() => (bytes.length >= length ? length : -1))) < 0) return;
      body = bytes.subarray(0, length);
      bytes = bytes.subarray(length);
    } else {
      for (let size = -1; size !== 0; ) {
        const line = await until(() => bytes.indexOf("\r\n"));
        if (line < 0) return;
        size = Number.parseInt(bytes.subarray(0, line).toString("latin1"), 16);
        if ((await until(() => (bytes.length >= line + size + 4 ? 0 : -1))) < 0) return;
        body = Buffer.concat([body, bytes.subarray(line + 2, line + 2 + size)]);
        bytes = bytes.subarray(line + size + 4);
      }
    }
    yield { method, target, headers, body };
  }
}
