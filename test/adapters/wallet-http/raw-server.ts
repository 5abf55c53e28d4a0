import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";

/** A TCP server that records the bytes of each request and answers with the test's bytes. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** The requests so far, each as one text. */
  readonly requests: string[];
  /** The number of connections that were accepted. */
  readonly accepted: () => number;
  /** The number of connections that are open now. */
  readonly open: () => number;
  close(): Promise<void>;
}

/** @param respond - called once for each complete request (its Content-Length decides), with its number: 1, 2, 3 ... */
export async function startRawServer(
  respond: (socket: Socket, request: string, n: number) => void,
): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    eachRequest(socket, (request) => {
      requests.push(request);
      respond(socket, request, requests.length);
    });
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks/wallet?b=1`,
    port,
    requests,
    accepted: () => accepted,
    open: () => sockets.size,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Calls `received` with the text of each complete request on a connection. */
export function eachRequest(socket: Duplex, received: (request: string) => void): void {
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (head < 0 || text.length < head + 4 + length) return;
    const request = Buffer.from(text, "latin1").toString("utf8");
    text = "";
    received(request);
  });
}

const listen = (server: Server): Promise<void> => new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

/** A complete HTTP reply that keeps the connection open. */
export function reply(status: number, body: string | Buffer, headers = ""): Buffer {
  const bytes = Buffer.from(body as string);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-length: ${bytes.length}\r\n${headers}\r\n`),
    bytes,
  ]);
}
