import { once } from "node:events";
import { connect } from "node:net";

export interface RawReply {
  readonly status: number;
  /** By lower-case name. The last of several values counts. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends exactly these bytes on a new connection, and reads the reply until the server closes the connection. */
export async function exchange(port: number, bytes: string | Buffer): Promise<RawReply> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A server that has refused may close the connection before the whole request has arrived.
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
  return parseReply(joined(Buffer.concat(chunks)).toString("utf8"));
}

/** The reply with its body in one piece. A chunked body is joined. */
function joined(bytes: Buffer): Buffer {
  const begins = bytes.indexOf("\r\n\r\n") + 4;
  if (!/^transfer-encoding: chunked\r$/im.test(bytes.subarray(0, begins).toString("latin1"))) return bytes;
  const parts = [bytes.subarray(0, begins)];
  for (let at = begins; at < bytes.length; ) {
    const data = bytes.indexOf("\r\n", at) + 2;
    const size = Number.parseInt(bytes.subarray(at, data).toString("latin1"), 16);
    parts.push(bytes.subarray(data, data + size));
    at = data + size + 2;
  }
  return Buffer.concat(parts);
}

export function parseReply(text: string): RawReply {
  const [head = "", ...body] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: Object.fromEntries(headers),
    body: body.join("\r\n\r\n"),
  };
}
