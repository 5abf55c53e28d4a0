import { once } from "node:events";
import { connect, type Socket } from "node:net";
import test from "ava";
import { parseReply } from "../../../../testbed/callers/raw-http.ts";
import { errorOf, startRest } from "../../../../testbed/callers/rest-server.ts";

/** Sends `head`, then a byte every half second, until the server closes the connection. */
function drip(port: number, head: string): Promise<{ readonly text: string; readonly tookMs: number }> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(head));
    const timer = setInterval(() => socket.write("x"), 500);
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      clearInterval(timer);
      resolve({ text, tookMs: performance.now() - begun });
    });
  });
}

test("headers must arrive within five seconds and a whole request within ten, even if its bytes come steadily; a silent connection is closed", async (t) => {
  const rest = await startRest(t);
  const [headers, body, silent] = await Promise.all([
    drip(rest.port, "GET /v1/merchant HTTP/1.1\r\nHost: x\r\nX-Slow: "),
    drip(rest.port, "POST /v1/game/launch HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"),
    new Promise<number>((resolve) => {
      const begun = performance.now();
      connect(rest.port, "127.0.0.1")
        .once("close", () => resolve(performance.now() - begun))
        .resume();
    }),
  ]);
  for (const [slow, limitMs] of [
    [headers, 5_000],
    [body, 10_000],
  ] as const) {
    const reply = parseReply(slow.text);
    t.deepEqual([reply.status, errorOf(reply).code], [408, "BAD_REQUEST"]);
    t.true(slow.tookMs >= limitMs - 100 && slow.tookMs < limitMs + 20_000, `${slow.tookMs} ms`);
  }
  t.true(silent < 25_000, `${silent} ms`);
});

test("a thousand silent connections, and two hundred with endless headers, do not prevent the calls of other callers", async (t) => {
  const rest = await startRest(t);
  const idle = await Promise.all(Array.from({ length: 1_000 }, () => opened(rest.port, "")));
  const slow = await Promise.all(
    Array.from({ length: 200 }, () => opened(rest.port, "GET /v1/merchant HTTP/1.1\r\nHost: x\r\nX-Slow: ")),
  );
  for (let i = 0; i < 20; i++) t.is((await rest.send({})).status, 200);
  await Promise.all(slow.map((socket) => gone(socket)));
  t.is((await rest.send({})).status, 200);
  for (const socket of idle) socket.destroy();
});

const opened = (port: number, head: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(head);
      resolve(socket.resume());
    });
    socket.once("error", reject);
  });

const gone = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once("close", () => resolve());
  });

test("an idle connection is kept longer than the 60 s after which common load balancers close theirs", async (t) => {
  const { port } = await startRest(t);
  const socket = connect(port, "127.0.0.1");
  t.teardown(() => socket.destroy());
  socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
  const [reply] = await once(socket, "data");
  const [, seconds] = /^keep-alive: timeout=(\d+)\r$/im.exec(String(reply)) ?? [];
  t.true(Number(seconds) > 60, String(reply));
});
