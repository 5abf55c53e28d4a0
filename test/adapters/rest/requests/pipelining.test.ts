/** A connection that sends many requests at once, and in some tests reads no answer. */

import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { WAITING_MAX } from "../../../../src/adapters/http/in-turn.ts";
import { SUCCESS_TEXTS } from "../../../../src/adapters/rest/replies/success-texts.ts";
import { route } from "../../../../src/adapters/rest/route.ts";
import { ok } from "../../../../src/domain/errors.ts";
import { signedRequest, startRest } from "../../../../testbed/callers/rest-server.ts";
import { steady } from "../../../../testbed/in-process/steady.ts";
import { closed } from "../../http/pieces.ts";

const get = (path: string, ...lines: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, "Host: x", ...lines, "", ""].join("\r\n");
const signed = (target: string): string => signedRequest({ target, headers: { Connection: null } }).toString("latin1");

/** A connection that reads nothing until it is resumed. */
async function connectPaused(t: ExecutionContext, port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => {});
  t.teardown(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Reads until this many answers have begun or the server closes the connection. It does not end the connection. */
async function answers(socket: Socket, count: number): Promise<readonly string[]> {
  let text = "";
  const begun = () => text.split("HTTP/1.1 ").slice(1);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += (chunk as Buffer).toString("latin1");
    if (begun().length >= count) break;
  }
  return begun();
}

/** The number of this process' open files with such a name. */
const openFiles = (name: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(name);
    } catch {
      return false;
    }
  }).length;

/** A route whose calls run until the test releases them. It records the largest number of concurrent calls. */
function heldRoute(path: string) {
  const counted = { running: 0, most: 0, done: 0 };
  const release = Promise.withResolvers<void>();
  const held = route({
    method: "GET",
    path,
    query: {},
    answer: async () => {
      counted.most = Math.max(counted.most, ++counted.running);
      await release.promise;
      counted.running--;
      return ok({ message: SUCCESS_TEXTS.merchant, data: { n: ++counted.done } });
    },
  });
  return { held, counted, release: () => release.resolve() };
}

test.serial("a pipelined request for a page opens no file before its turn", async (t) => {
  const { port } = await startRest(t);
  const socket = await connectPaused(t, port);
  socket.write(get("/docs/docs.css").repeat(WAITING_MAX));
  for (let i = 0; i < 5; i++) {
    await sleep(100);
    t.is(openFiles("docs.css"), 0);
  }
});

test.serial("replies that the caller does not read take at most a quarter of their size as memory", async (t) => {
  const { port } = await startRest(t);
  const page = await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).text();
  const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const before = used();
  for (let i = 0; i < 20; i++) (await connectPaused(t, port)).write(get("/openapi.json").repeat(WAITING_MAX));
  await sleep(500);
  const unread = 20 * WAITING_MAX * page.length;
  t.true(used() - before < unread / 4, `${used() - before} bytes more, for ${unread} bytes that nobody read`);
});

test("pipelined calls run one after the other and are answered in their order", async (t) => {
  const { held, counted, release } = heldRoute("/v1/held");
  const rest = await startRest(t, { moreRoutes: [held] });
  const socket = await connectPaused(t, rest.port);
  socket.write(Array.from({ length: 30 }, () => signed("/v1/held")).join(""));
  while (counted.running === 0) await sleep(10);
  t.is(await steady(() => counted.running), 1);
  release();
  const replies = await answers(socket, 30);
  t.is(counted.most, 1);
  t.deepEqual(
    replies.map((reply) => Number(/"n":(\d+)/.exec(reply)?.[1])),
    Array.from({ length: 30 }, (_, i) => i + 1),
  );
});

test("a pipelined request whose body is incomplete at its turn is read to its end", async (t) => {
  const rest = await startRest(t);
  const socket = await connectPaused(t, rest.port);
  const post = signedRequest({
    method: "POST",
    target: "/v1/game/launch",
    body: '{"player_id":"ana"}',
    headers: { Connection: null },
  }).toString("latin1");
  socket.write(signed("/v1/merchant") + signed("/v1/merchant") + post.slice(0, -10));
  await sleep(200);
  socket.write(post.slice(-10) + signed("/v1/merchant"));
  const replies = await answers(socket, 4);
  t.deepEqual(
    replies.map((reply) => reply.slice(0, 3)),
    ["200", "200", "422", "200"],
  );
});

test("a connection is not read while one of its requests waits", async (t) => {
  const { held, release } = heldRoute("/v1/held");
  const rest = await startRest(t, { moreRoutes: [held] });
  const socket = await connectPaused(t, rest.port);
  socket.write(signed("/v1/held") + get("/health/live"));
  await sleep(200);
  let cut = false;
  socket.once("close", () => {
    cut = true;
  });
  // More requests than may wait. If they were read, the connection would be cut.
  for (let i = 0; i < 4; i++) {
    socket.write(get("/health/live").repeat(WAITING_MAX / 2));
    await sleep(50);
  }
  t.false(cut);
  release();
  t.true((await answers(socket, 2))[1]?.startsWith("200"), "and it goes on when nothing waits any more");
});

test("a caller that pipelines the largest allowed number of calls several times gets all answers", async (t) => {
  const rest = await startRest(t);
  const socket = await connectPaused(t, rest.port);
  for (let round = 0; round < 3; round++) {
    socket.write(Array.from({ length: WAITING_MAX }, () => signed("/v1/merchant")).join(""));
    const replies = await answers(socket, WAITING_MAX);
    t.deepEqual(new Set(replies.map((reply) => reply.slice(0, 3))), new Set(["200"]));
    t.is(replies.length, WAITING_MAX);
  }
});

for (const [what, request] of Object.entries({
  "for a page": get("/docs/docs.css"),
  "for the description": get("/openapi.json"),
  "without a signature": get("/v1/merchant"),
  "for an unknown path": get("/nowhere"),
  "without a Host": "GET / HTTP/1.1\r\n\r\n",
  "with an unknown Expect": get("/health/live", "Expect: miracles"),
})) {
  test(`a connection on which too many pipelined requests ${what} wait is closed`, async (t) => {
    const { port } = await startRest(t);
    const socket = await connectPaused(t, port);
    const cut = closed(socket);
    socket.write(request.repeat(Math.floor(65_000 / request.length)));
    socket.resume();
    await cut;
    t.is((await fetch(`http://127.0.0.1:${port}/health/live`)).status, 200);
  });
}
