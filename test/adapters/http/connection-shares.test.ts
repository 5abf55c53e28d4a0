import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { shareConnections } from "../../../src/adapters/http/connection-shares.ts";
import { type IpRange, parseIpRange } from "../../../src/domain/access/ip-list.ts";
import { startRest } from "../../../testbed/callers/rest-server.ts";
import { steady } from "../../../testbed/in-process/steady.ts";
import { opened } from "./pieces.ts";

async function start(t: ExecutionContext, max: number, proxies: readonly string[] = []) {
  const server = createServer((socket) => void socket.on("error", () => {}).resume());
  const shares = shareConnections(server, max, proxies.map(parseIpRange) as IpRange[]);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const from = (address: string, count: number) => hold(t, port, address, count);
  return { server, shares, from, port };
}

const LIVE = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";

/** Opens connections from an address, and resolves with those that stay open. */
async function hold(t: ExecutionContext, port: number, address: string, count: number): Promise<Socket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => opened(port, address)));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  await steady(() => sockets.filter((socket) => !socket.closed).length);
  return sockets.filter((socket) => !socket.closed);
}

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
  await Promise.all(held.map((socket) => (socket.closed ? undefined : once(socket, "close"))));
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
  const sockets = await Promise.all(Array.from({ length: 2_100 }, () => opened(port, "127.0.0.66", LIVE)));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  const answered = () => sockets.filter((socket) => socket.bytesRead > 0).length;
  const closed = () => sockets.filter((socket) => socket.closed).length;
  // The system accepts connections faster than the server.
  while (answered() + closed() < 2_100) await pause(50);
  t.is(answered(), 2_000);
  const other = await opened(port, "127.0.0.67", LIVE);
  while (other.bytesRead === 0) await pause(50);
  t.false(other.closed);
  other.destroy();
});
