/** The own server of a simulated upstream, which connectors call to open games. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readBody } from "../../http/body.ts";

/** A call of a connector, as it came. */
export interface Received {
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A call of an upstream to a connector, before it is sent. */
export interface UpstreamCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const BODY_BYTES_MAX = 65_536;

/** Starts a server on any free port of this machine. `answer` gives the JSON for a call; every answer has the status 200. */
export async function startFakeServer(
  answer: (call: Received) => string,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    void readBody(request, BODY_BYTES_MAX).then((bytes) => {
      const call = { path: request.url ?? "", headers: request.headers, body: bytes?.toString() ?? "" };
      response.writeHead(200, { "content-type": "application/json" }).end(answer(call));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
