import type { Socket } from "node:net";
import test from "ava";
import fc from "fast-check";
import { InterimReplies } from "../../../src/adapters/wallet-http/undici/interim-replies.ts";
import { reply } from "./raw-server.ts";
import { bet, makeWallet, OK, serve, target } from "./wallet-fixture.ts";

const interim = (status: number, ...lines: readonly string[]): string =>
  [`HTTP/1.1 ${status} X`, ...lines, "", ""].join("\r\n");

/** The bytes as undici gets them, if they come in pieces that end at these places. */
function passed(bytes: Buffer, ends: readonly number[]): string {
  const replies = new InterimReplies();
  replies.expect();
  const copy = Buffer.from(bytes);
  const bounds = [...new Set([0, ...ends.map((end) => end % (copy.length + 1)), copy.length])].sort((a, b) => a - b);
  for (const [i, from] of bounds.slice(0, -1).entries()) replies.read(copy.subarray(from, bounds[i + 1]));
  return copy.toString("latin1");
}

test("each 100 before the final reply becomes 102, however the bytes are cut, and nothing else changes", (t) => {
  const status = fc.constantFrom(100, 100, 102, 103, 110, 199);
  const line = fc.constantFrom("A: 100", "Link: </x>", "HTTP/1.1 100 Continue: x", " HTTP/1.1 100", "X:");
  const one = fc.record({
    status,
    lines: fc.array(line, { maxLength: 3 }),
    empty: fc.constantFrom("", "", "\r\n", "\n"),
  });
  const final = fc.constantFrom(
    OK.toString("latin1"),
    reply(200, "\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n").toString("latin1"),
    "HTTP/1.1 200 OK\r\nx: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 4 }), final, fc.array(fc.nat(400)), (before, last, ends) => {
      const write = (statusOf: (status: number) => number): string =>
        before.map(({ status, lines, empty }) => empty + interim(statusOf(status), ...lines)).join("") + last;
      t.is(
        passed(
          Buffer.from(
            write((status) => status),
            "latin1",
          ),
          ends,
        ),
        write((status) => (status === 100 ? 102 : status)),
      );
    }),
  );
});

test("bytes that come when no reply is expected do not change", (t) => {
  const replies = new InterimReplies();
  const bytes = Buffer.from(interim(100));
  replies.read(bytes);
  t.is(bytes.toString(), interim(100));
  replies.expect();
  replies.read(Buffer.from(OK));
  replies.read(bytes);
  t.is(bytes.toString(), interim(100));
});

function byteByByte(socket: Socket, bytes: Buffer): void {
  if (bytes.length === 0) return;
  socket.write(bytes.subarray(0, 1));
  setImmediate(byteByByte, socket, bytes.subarray(1));
}

for (const [what, before] of [
  ["100", interim(100)],
  ["several 100", interim(100) + interim(100) + interim(100)],
  ["102", interim(102)],
  ["103 with headers", interim(103, "Link: </a>; rel=preload", "Content-Length: 7", "Connection: keep-alive")],
  [
    "100 with headers, 103 and an unknown one",
    interim(100, "Date: x", "Content-Length: 5") + interim(103) + interim(199),
  ],
] as const)
  test(`the final reply counts if interim replies come before it: ${what}`, async (t) => {
    const server = await serve(t, (socket, _request, n) => {
      if (n % 3 === 0) socket.write(Buffer.concat([Buffer.from(before), OK]));
      else if (n % 3 === 1) {
        socket.write(before);
        setTimeout(() => socket.write(OK), 20);
      } else byteByByte(socket, Buffer.concat([Buffer.from(before), OK]));
    });
    const { wallet } = makeWallet(t);
    for (const attempt of [1, 2, 3, 4]) {
      const { answer, httpStatus } = await wallet.send(target(server.url), bet(), attempt);
      t.deepEqual(answer, { kind: "accepted", balanceMinor: 9_750n });
      t.is(httpStatus, 200);
    }
    t.is(server.accepted(), 1, "the connection is used again");
  });

test("a 101 that nobody asked for is a broken reply, and its connection is not used again", async (t) => {
  for (const head of [interim(101), interim(101, "Upgrade: h2c", "Connection: Upgrade"), interim(100) + interim(101)]) {
    const server = await serve(t, (socket, _request, n) => {
      socket.write(n === 1 ? Buffer.concat([Buffer.from(head), OK]) : OK);
    });
    const { wallet } = makeWallet(t);
    t.is((await wallet.send(target(server.url), bet(), 1)).result, "connect", head);
    t.is((await wallet.send(target(server.url), bet(), 2)).result, "accepted", head);
    t.is(server.accepted(), 2, head);
  }
});

test("a connection is not used again after bytes that belong to no request", async (t) => {
  for (const [what, late, more] of [
    ["a second reply at once", 0, OK],
    ["a second reply later", 20, OK],
    ["an interim reply at once", 0, interim(100)],
    ["an interim reply later", 20, interim(100)],
    ["half a reply later", 20, "HTTP/1.1 200 OK\r\n"],
    ["no HTTP later", 20, "\r\n\r\nx"],
  ] as const) {
    const closed: boolean[] = [];
    const server = await serve(t, (socket, _request, n) => {
      if (n > 1) return void socket.write(reply(200, '{"ok":false,"error":"second"}'));
      socket.once("close", () => closed.push(true));
      if (late === 0) socket.write(Buffer.concat([OK, Buffer.from(more)]));
      else {
        socket.write(OK);
        setTimeout(() => socket.write(more), late);
      }
    });
    const { wallet } = makeWallet(t);
    t.is((await wallet.send(target(server.url), bet(), 1)).result, "accepted", what);
    const deadline = Date.now() + 3_000;
    while (closed.length === 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
    t.deepEqual(closed, [true], what);
    t.is((await wallet.send(target(server.url), bet(), 2)).result, "rejected", what);
    t.is(server.accepted(), 2, what);
  }
});
