import { once } from "node:events";
import { connect } from "node:net";

export interface RawReply {
  readonly status: number;
  /** By lower-case name; the last line counts. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends exactly these bytes on a connection of their own and reads the reply until the server closes. */
export async function exchange(port: number, bytes: string | Buffer): Promise<RawReply> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A server that has refused may close while the rest of the request is still on its way.
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
  return parseReply(Buffer.concat(chunks).toString("utf8"));
}

export function parseReply(text: string): RawReply {
  const [head = "", ...body] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]);
  return { status: Number(statusLine.split(" ")[1]), headers: Object.fromEntries(headers), body: body.join("\r\n\r\n") };
}
