import test from "ava";
import { ConnectServer } from "../../../src/adapters/connect/connect-server.ts";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { RateLimits } from "../../../src/app/capacity/rate-limits.ts";
import { exchange } from "../../../testbed/callers/raw-http.ts";
import { errorOf, signedRequest, startRest } from "../../../testbed/callers/rest-server.ts";
import { consoleSite } from "../connect/console-site.ts";
import { KEY, startProviderSide } from "../grpc/provider-side.ts";
import { chunked, untilClosed } from "./pieces.ts";

const PLACE_BET = "/aggregator.provider.v1.WalletService/PlaceBet";
const KEY_LINE = `Authorization: Bearer ${KEY}\r\n`;
/** One byte in each piece, as many as a body may have bytes. */
const DUST = chunked("a".repeat(65_536), 1);
const head = (path: string, more = "") =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}Transfer-Encoding: chunked\r\n\r\n`;

async function startConnect(t: Parameters<typeof startProviderSide>[0]) {
  const side = await startProviderSide(t);
  const server = new ConnectServer(side.routes, {
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    metrics: async () => "",
    console: consoleSite("no-folder"),
    callers: {
      isRightKey: (authorization) => authorization === `Bearer ${KEY}`,
      readAgain: async () => {},
      isOwnSession: () => false,
    },
  });
  t.teardown(() => server.stop(0));
  return { ...side, port: await server.start() };
}

for (const path of ["/v1/game/launch", "/nothing", "/docs", "/health/live"])
  test(`REST: a body for ${path} that comes in pieces of one byte ends the connection, long before the body is complete`, async (t) => {
    const { port, send } = await startRest(t);
    // Without a limit the connection would stay open, because the body does not end.
    const [alone, waiting] = await Promise.all([
      untilClosed(port, head(path) + DUST),
      // The request waits for the one before it, which is incomplete.
      untilClosed(
        port,
        `POST /v1/game/launch HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n${"x".repeat(10)}${head(path)}${DUST}`,
      ),
    ]);
    t.notRegex(alone, / 408 /);
    t.notRegex(waiting, / 408 /);
    t.is((await send({})).status, 200);
  });

for (const [what, path, more] of [
  ["a call with a right key", PLACE_BET, `Content-Type: application/json\r\n${KEY_LINE}`],
  ["a call without a key", PLACE_BET, "Content-Type: application/json\r\n"],
  ["a sign-in", "/console/session", "Content-Type: application/json\r\nOrigin: http://127.0.0.1\r\n"],
  ["a page", "/console/", ""],
  ["the metrics", "/metrics", ""],
  ["an unknown path", "/nothing", ""],
] as const)
  test(`Connect: the body of ${what} that comes in pieces of one byte ends the connection`, async (t) => {
    const { port, money } = await startConnect(t);
    t.notRegex(await untilClosed(port, head(path, more) + DUST), / 408 /);
    t.is(money.requests.length, 0);
  });

test("a body of a few kilobytes may come in chunks of any usual size, also byte by byte if it is short", async (t) => {
  const rest = await startRest(t);
  const { port, money } = await startConnect(t);
  const name = "x".repeat(4_000);
  for (const [body, size] of [
    [JSON.stringify({ player_id: "p1", game: "fruits" }), 1],
    [JSON.stringify({ player_id: name, game: "fruits" }), 16],
    [JSON.stringify({ player_id: name, game: "fruits" }), 1_024],
  ] as const) {
    const signed = signedRequest({ method: "POST", target: "/v1/game/launch", body }).toString("latin1");
    const bytes = signed
      .replace(/Content-Length: \d+/, "Transfer-Encoding: chunked")
      .replace(body, chunked(body, size));
    const reply = await exchange(rest.port, `${bytes}0\r\n\r\n`);
    t.true([404, 422].includes(reply.status), `${reply.status} for ${size} bytes: ${reply.body}`);
    const message = JSON.stringify({ txId: "1", sessionId: name.slice(0, body.length), amountMinor: "5" });
    const call = await exchange(
      port,
      `${head(PLACE_BET, `Connection: close\r\nContent-Type: application/json\r\n${KEY_LINE}`)}${chunked(message, size)}0\r\n\r\n`,
    );
    t.is(call.status, 200, call.body);
  }
  t.is(money.requests.length, 3);
  t.is(money.requests[2]?.sessionId, name.slice(0, money.requests[2]?.sessionId.length));
});

test("REST: a call above its address's limit is refused before its body has come", async (t) => {
  const rates = {
    operations: { launch: 9, catalog: 9, transactions: 9, reports: 9 },
    address: 0.001,
    failuresPerMinute: 60,
  };
  const { port } = await startRest(t, { rateLimits: new RateLimits(new SystemClock(), () => 1, rates) });
  const announced = "POST /v1/game/launch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n";
  await exchange(port, "GET /docs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const reply = await exchange(port, announced);
  t.deepEqual([reply.status, errorOf(reply).code], [429, "RATE_LIMITED"]);
});

test("Connect: a call without a right key is refused before its message has come, in the protocol of the call", async (t) => {
  const { port, money } = await startConnect(t);
  for (const type of ["application/json", "application/proto", "application/grpc-web+proto"])
    for (const key of ["", "Authorization: Bearer nobody's\r\n", "Cookie: console_session=invented\r\n"]) {
      const { status, body, headers } = await exchange(
        port,
        `POST ${PLACE_BET} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: ${type}\r\nOrigin: http://127.0.0.1:${port}\r\nHost: 127.0.0.1\r\n${key}Content-Encoding: gzip\r\nContent-Length: 60000\r\n\r\n`.replace(
          "Host: 127.0.0.1\r\nConnection",
          "Connection",
        ),
      );
      const said = `${status} ${JSON.stringify(headers)} ${body}`;
      if (key.startsWith("Cookie")) t.regex(said, /INVALID_API_KEY|FOREIGN_PAGE/, said);
      else t.regex(said, /INVALID_API_KEY/, `${type} ${key}: ${said}`);
    }
  t.is(money.requests.length, 0);
});
