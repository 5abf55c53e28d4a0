import { type AddressInfo, createServer, type Socket } from "node:net";
import test, { type ExecutionContext } from "ava";
import { connectFirst } from "../../../src/adapters/names/connect-first.ts";
import type { HostAddress } from "../../../src/adapters/names/host-addresses.ts";
import { startSlowListener } from "../../../testbed/programs/slow-listener.ts";
import { bet, makeWallet, OK, target } from "../wallet-http/wallet-fixture.ts";

const four = (address: string): HostAddress => ({ address, family: 4 });
/** Longer than the 500 ms after which Node's own algorithm ends an attempt. */
const LATE_MS = 900;

const slow = async (t: ExecutionContext, host: string, reply?: string, port?: number) => {
  const listener = await startSlowListener(host, reply, port);
  t.teardown(() => listener.close());
  return listener;
};

async function listening(t: ExecutionContext, host: string, port = 0): Promise<{ port: number; accepted: Socket[] }> {
  const accepted: Socket[] = [];
  const server = createServer((socket) => {
    accepted.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => socket.write(OK));
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  t.teardown(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, accepted };
}

type Connected = { error: NodeJS.ErrnoException | null; socket: Socket | null };

const connected = (t: ExecutionContext, addresses: readonly HostAddress[], port: number): Promise<Connected> =>
  new Promise((resolve) => {
    const opening = connectFirst(addresses, port, (error, socket) => {
      t.teardown(() => socket?.destroy());
      resolve({ error, socket });
    });
    t.teardown(() => opening.destroy());
  });

test("a slow address is reached although the other one refuses, in each order", async (t) => {
  for (const order of [
    ["127.0.0.1", "127.0.0.9"],
    ["127.0.0.9", "127.0.0.1"],
  ]) {
    const listener = await slow(t, "127.0.0.1");
    const reached = connected(t, order.map(four), listener.port);
    setTimeout(() => listener.release(), LATE_MS);
    const { error, socket } = await reached;
    t.is(error, null);
    t.is(socket?.remoteAddress, "127.0.0.1");
  }
});

test("the second address is tried beside the first one, which stays silent", async (t) => {
  const listener = await slow(t, "127.0.0.1");
  const { port, accepted } = await listening(t, "127.0.0.2", listener.port);
  const { socket } = await connected(t, [four("127.0.0.1"), four("127.0.0.2")], port);
  t.is(socket?.remoteAddress, "127.0.0.2");
  t.is(accepted.length, 1);
});

test("the families take turns, so that many silent addresses of one family do not hide the other", async (t) => {
  const { port } = await listening(t, "::1");
  const addresses = [
    ...Array.from({ length: 15 }, (_, n) => four(`127.0.1.${n}`)),
    { address: "::1", family: 6 } as const,
  ];
  t.is((await connected(t, addresses, port)).socket?.remoteAddress, "::1");
});

test("if every address fails, the error names all of them", async (t) => {
  const { port } = await listening(t, "127.0.0.1");
  const { error } = await connected(t, [four("127.0.0.8"), four("127.0.0.9")], port);
  t.is(error?.code, "ECONNREFUSED");
  t.regex(error?.message ?? "", /127\.0\.0\.8.*127\.0\.0\.9/);
  const { error: single } = await connected(t, [four("127.0.0.8")], port);
  t.like(single, { code: "ECONNREFUSED", address: "127.0.0.8" });
});

test("an opening that is destroyed ends its attempts and calls nobody", async (t) => {
  const listener = await slow(t, "127.0.0.1");
  const calls: unknown[] = [];
  const opening = connectFirst([four("127.0.0.1"), four("127.0.0.1")], listener.port, (...all) => calls.push(all));
  await new Promise((resolve) => setTimeout(resolve, 300));
  opening.destroy();
  listener.release();
  await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  t.deepEqual(calls, []);
});

test("a wallet with two addresses is called although the good one needs a second for its handshake", async (t) => {
  for (const other of [four("127.0.0.9"), { address: "::1", family: 6 } as const]) {
    const listener = await slow(t, "127.0.0.1", OK.toString());
    const { wallet } = makeWallet(t, { resolve: async () => [four("127.0.0.1"), other] });
    const reply = wallet.send(target(`http://wallet.example:${listener.port}/w`), bet(), 1);
    setTimeout(() => listener.release(), LATE_MS);
    t.is((await reply).result, "accepted");
  }
});

test("no attempt begins if one of several addresses may not be called", async (t) => {
  const { port, accepted } = await listening(t, "127.0.0.1");
  const { wallet } = makeWallet(t, { resolve: async () => [four("127.0.0.1"), four("169.254.1.1")] });
  t.is((await wallet.send(target(`http://wallet.example:${port}/w`), bet(), 1)).result, "connect");
  t.is(accepted.length, 0);
});
