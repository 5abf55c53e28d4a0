/** What anybody can do to a sandbox that is exposed by mistake. */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import { CallbackLog } from "../../sandbox/merchant/callback-log.ts";
import { startMerchant } from "../../sandbox/merchant/merchant.ts";

async function start(t: ExecutionContext) {
  const site = await startMerchant({
    serviceUrl: "http://127.0.0.1:9",
    host: "127.0.0.1",
    port: 0,
    walletPort: 0,
    gameOrigins: "http://localhost",
    sportsbookOrigin: "http://localhost",
    merchants: [{ code: "casa", secret: "sk_x", currency: "BRL" }],
  });
  t.teardown(() => site.close());
  return site;
}

test("an address may have 50 event streams at the merchant's site, and gets the next one when one of them closes", async (t) => {
  const { port } = await start(t);
  const login = await fetch(`http://127.0.0.1:${port}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ merchant: "casa", player: "ana-brl" }),
  });
  const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
  t.is(login.status, 200);
  const open = async (localAddress: string): Promise<[Socket, string]> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
    t.teardown(() => socket.destroy());
    socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\n\r\n`);
    const head = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
    return [socket, head.toString("latin1").slice(9, 12)];
  };
  const streams = await Promise.all(Array.from({ length: 50 }, () => open("127.0.0.1")));
  t.true(streams.every(([, status]) => status === "200"));
  t.is((await open("127.0.0.1"))[1], "429");
  t.is((await open("127.0.0.2"))[1], "200");
  streams[0]?.[0].destroy();
  while ((await open("127.0.0.1"))[1] !== "200") await pause(20);
  t.pass();
});

test("the wallet closes the connection of a body that comes in pieces of one byte", async (t) => {
  const { walletUrl } = await start(t);
  const socket = connect(Number(new URL(walletUrl).port), "127.0.0.1").on("error", () => {});
  socket
    .resume()
    .write(`POST /wallet HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(2_000)}`);
  await new Promise((resolve) => socket.once("close", resolve));
  t.pass();
});

test("of a callback without a right signature only a little is kept", (t) => {
  const log = new CallbackLog();
  const junk = "x".repeat(60_000);
  log.add({
    at: 1,
    merchant: junk,
    target: "/wallet",
    headers: { "x-request-id": junk },
    body: JSON.stringify({ player_id: "", tx_id: junk, rest: junk }),
    signature: "unknown_merchant",
    fault: "none",
    reply: null,
  });
  t.true(JSON.stringify(log.of("casa", "ana")).length < 2_500);
});
