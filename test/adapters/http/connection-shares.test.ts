import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { shareConnections } from "../../../src/adapters/http/connection-shares.ts";
import { type IpRange, parseIpRange } from "../../../src/domain/access/ip-list.ts";
import { startRest } from "../../../testbed/callers/rest-server.ts";
import { closed, opened } from "./pieces.ts";

async function start(t: ExecutionContext, max: number, proxies: readonly string[] = []) {
  const server = createServer((socket) => void socket.on("error", () => {}).resume());
  const shares = shareConnections(server, max, proxies.map(parseIpRange) as IpRange[]);
  const seen = { all: 0, refused: 0 };
  // This listener runs after that of the shares.
  server.on("connection", (socket: Socket) => {
    seen.all += 1;
    if (socket.destroyed) seen.refused += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;

  /** Opens connections from an address. Resolves with those that stay open, when the server has seen all of them. */
  const from = async (address: string, count: number): Promise<Socket[]> => {
    const before = { ...seen };
    const sockets = await Promise.all(Array.from({ length: count }, () => opened(port, address)));
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
    });
    while (seen.all < before.all + count) await pause(5);
    const open = () => sockets.filter((socket) => !socket.closed);
    while (open().length > count - (seen.refused - before.refused)) await pause(5);
    return open();
  };
  return { server, shares, from };
}

const LIVE = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";

test("an address without a right key gets a quarter of the free connections, and others get theirs", async (t) => {
  const { from } = await start(t, 1_000);
  t.is((await from("127.0.0.66", 300)).length, 200);
  t.is((await from("127.0.0.67", 300)).length, 160);
  t.is((await from("127.0.0.68", 10)).length, 10);
});

test("an address may always have 64 connections, and gets its share back when they close", async (t) => {
  const { from } = await start(t, 200);
  const held = await from("127.0.0.66", 100);
  t.is(held.length, 64);
  for (const socket of held) socket.destroy();
  await Promise.all(held.map(closed));
  t.is((await from("127.0.0.66", 100)).length, 64);
});

test("connections with a right key do not count among those without; all together an address gets half of the free ones", async (t) => {
  const { server, shares, from } = await start(t, 1_000);
  server.on("connection", (socket: Socket) => shares.recognize(socket));
  t.is((await from("127.0.0.66", 400)).length, 334);
  t.is((await from("127.0.0.67", 50)).length, 50);
});

test("a trusted proxy stands for many callers, so it has no share", async (t) => {
  const { from } = await start(t, 300, ["127.0.0.66"]);
  t.is((await from("127.0.0.66", 290)).length, 290);
});

test("REST: one address cannot hold all connections", async (t) => {
  const { port } = await startRest(t);
  const isSettled = (socket: Socket) => socket.bytesRead > 0 || socket.closed;
  for (let attempt = 1; ; attempt++) {
    const sockets: Socket[] = [];
    const end = () => {
      for (const socket of sockets) socket.destroy();
    };
    t.teardown(end);
    // The system accepts connections faster than the server, which closes those that wait for long.
    while (sockets.length < 2_100) {
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => opened(port, "127.0.0.66", LIVE)))));
      while (!sockets.every(isSettled)) await pause(10);
    }
    const open = sockets.map((socket) => !socket.closed);
    // A machine that stands still makes the server close connections whose requests come late. Then the next attempt
    // counts.
    if (attempt === 10 || !open.slice(0, 2_000).includes(false)) {
      t.deepEqual(open, [...new Array(2_000).fill(true), ...new Array(100).fill(false)]);
      break;
    }
    end();
    await Promise.all(sockets.map(closed));
  }
  const other = await opened(port, "127.0.0.67", LIVE);
  while (other.bytesRead === 0) await pause(50);
  t.false(other.closed);
  other.destroy();
});
