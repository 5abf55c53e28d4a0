import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import test from "ava";
import { inTurn } from "../../../src/adapters/http/in-turn.ts";
import { exchange } from "../../../testbed/callers/raw-http.ts";
import { chunked, untilClosed } from "./pieces.ts";

const HEAD = "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n";

test("after a body had too many pieces, Node makes no object of the further pieces, and its parser reads the next caller's body whole", async (t) => {
  const pieces: number[] = [];
  const count = (request: IncomingMessage) => {
    const at = pieces.push(0) - 1;
    const { push } = request;
    request.push = (piece, encoding) => {
      pieces[at] = (pieces[at] ?? 0) + 1;
      return push.call(request, piece, encoding);
    };
  };
  const server = createServer(
    inTurn((request, response) => {
      count(request);
      let body = "";
      request.on("data", (piece: Buffer) => {
        body += piece.toString();
      });
      request.on("end", () => response.end(body));
    }),
  );
  t.teardown(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  const dust = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunked("a".repeat(65_536), 1)}`;
  await Promise.all(Array.from({ length: 5 }, () => untilClosed(port, dust)));
  t.is(pieces.length, 5);
  for (const count of pieces) t.true(count < 300, `${count} pieces`);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      exchange(port, `${HEAD}Connection: close\r\nContent-Length: 6\r\n\r\nbody${i + 10}`),
    ),
  );
  t.deepEqual(
    replies.map(({ body }) => body),
    Array.from({ length: 20 }, (_, i) => `body${i + 10}`),
  );
});
