import { connect, type Socket } from "node:net";

/** Bytes as chunks of HTTP/1.1, each of `size` bytes, without the last chunk that ends the body. */
export function chunked(bytes: string, size: number): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.slice(at, at + size);
    text += `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  }
  return text;
}

/** Sends bytes, and resolves with what the server sent when the server has closed the connection. */
export function untilClosed(port: number, bytes: string, from = "127.0.0.1"): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  let text = "";
  socket.on("data", (part: Buffer) => {
    text += part.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(bytes);
  return new Promise((resolve) => socket.once("close", () => resolve(text)));
}

/** Opens a connection from this local address, and resolves with whether the server has left it open. */
export async function opened(port: number, from: string, bytes = ""): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from }).on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  if (bytes !== "") socket.write(bytes);
  return socket.resume();
}

/** Resolves when a connection has closed, also after an error. */
export const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
