import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import test, { type ExecutionContext } from "ava";
import { AllowedHosts } from "../../../src/adapters/connect/allowed-hosts.ts";
import { ConnectServer, type ConnectServerOptions } from "../../../src/adapters/connect/connect-server.ts";
import { refuse } from "../../../src/domain/errors.ts";
import { idFault, type TxId } from "../../../src/domain/values/identifiers.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { BadRequestSchema, ErrorInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";
import { exchange } from "../../../testbed/callers/raw-http.ts";
import { KEY, moved, startProviderSide } from "../grpc/provider-side.ts";
import { consoleSite } from "./console-site.ts";

const PLACE_BET = "/aggregator.provider.v1.WalletService/PlaceBet";
const authorization = `Bearer ${KEY}`;

async function start(t: ExecutionContext, metrics = async () => "up 1\n", more: Partial<ConnectServerOptions> = {}) {
  const side = await startProviderSide(t);
  const server = new ConnectServer(side.routes, {
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    metrics,
    console: consoleSite("no-folder"),
    ...more,
  });
  const port = await server.start();
  t.teardown(() => server.stop(0));
  const url = `http://127.0.0.1:${port}`;
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(url + PLACE_BET, {
      method: "POST",
      headers: { "content-type": "application/json", authorization, ...headers },
      body,
    });
  return { ...side, server, port, url, post };
}

test("in JSON an int64 is a string with the exact number", async (t) => {
  const { post, money } = await start(t);
  money.answer = () => moved({ balanceMinor: 9_007_199_254_740_993n, txId: "ACME:1" as TxId });
  const response = await post(
    JSON.stringify({
      sessionId: "session",
      txId: "1",
      roundId: "round",
      amountMinor: "900719925474099",
      currency: "BRL",
    }),
  );
  t.is(response.status, 200);
  t.deepEqual(await response.json(), {
    status: "TRANSACTION_STATUS_SUCCESS",
    balanceMinor: "9007199254740993",
    txId: "ACME:1",
  });
  t.is(money.requests[0]?.amountMinor, 900_719_925_474_099n);
});

test("fields may also have their proto names, and unknown fields are ignored", async (t) => {
  const { post, money } = await start(t);
  t.is((await post(JSON.stringify({ tx_id: "1", amount_minor: 250, what: "ever" }))).status, 200);
  t.is(money.requests[0]?.txId, "1");
  t.is(money.requests[0]?.amountMinor, 250n);
});

test("Connect and gRPC-Web clients can read a refusal's status, code and details", async (t) => {
  const { url, money } = await start(t);
  money.answer = () => refuse("TRANSACTION_MISMATCH", { field: "amount" });
  for (const transport of [
    createConnectTransport({ baseUrl: url, httpVersion: "1.1" }),
    createGrpcWebTransport({ baseUrl: url, httpVersion: "1.1" }),
  ]) {
    const client = createClient(WalletService, transport);
    const error = await t.throwsAsync(client.placeBet({ txId: "1" }, { headers: { authorization } }), {
      instanceOf: ConnectError,
    });
    t.is(error?.code, Code.AlreadyExists);
    t.is(error?.rawMessage, "TRANSACTION_MISMATCH: amount");
    t.is(error?.metadata.get("error-code"), "TRANSACTION_MISMATCH");
    const [info] = error?.findDetails(ErrorInfoSchema) ?? [];
    t.is(info?.reason, "TRANSACTION_MISMATCH");
    t.deepEqual(info?.metadata, { retry: "never", field: "amount" });
  }
});

test("a long list of faults is shortened, so that it fits into a gRPC client's 8 KiB of trailers", async (t) => {
  const { url, port, post, money } = await start(t);
  const faults = Array.from({ length: 200 }, (_, i) => idFault(`bets[${i}].round_id`, 128));
  money.answer = () => refuse("VALIDATION_ERROR", { details: faults });
  for (const transport of [
    createConnectTransport({ baseUrl: url, httpVersion: "1.1" }),
    createGrpcWebTransport({ baseUrl: url, httpVersion: "1.1" }),
  ]) {
    const client = createClient(WalletService, transport);
    const error = await t.throwsAsync(client.placeBet({ txId: "1" }, { headers: { authorization } }), {
      instanceOf: ConnectError,
    });
    const [{ fieldViolations } = { fieldViolations: [] }] = error?.findDetails(BadRequestSchema) ?? [];
    t.is(fieldViolations.length, 51);
    t.is(fieldViolations[49]?.field, "bets[49].round_id");
    t.deepEqual([fieldViolations[50]?.field, fieldViolations[50]?.description], ["...", "150 more"]);
    t.true(error?.rawMessage.endsWith("... (150 more)"));
  }
  t.true((await (await post("{}")).text()).length < 16_384);
  const grpcWeb = await fetch(`http://127.0.0.1:${port}${PLACE_BET}`, {
    method: "POST",
    headers: { "content-type": "application/grpc-web+proto", authorization },
    body: new Uint8Array(5),
  });
  const trailers = (await grpcWeb.arrayBuffer()).byteLength + [...grpcWeb.headers].join("").length;
  t.true(trailers < 8_192, `${trailers} bytes`);
});

test("after a bug the caller gets INTERNAL_ERROR without the error's text", async (t) => {
  const { post, money, telemetry } = await start(t);
  const bug = new Error("SELECT secret FROM merchants");
  money.answer = () => Promise.reject(bug);
  const response = await post("{}");
  t.is(response.status, 500);
  t.is(response.headers.get("error-code"), "INTERNAL_ERROR");
  t.false((await response.text()).includes("SELECT"));
  t.deepEqual(telemetry.errors, [{ what: "bet", cause: bug }]);
});

test("a call without a key is unauthenticated", async (t) => {
  const { post, money } = await start(t);
  const response = await post("{}", { authorization: "" });
  t.is(response.status, 401);
  t.is(response.headers.get("error-code"), "INVALID_API_KEY");
  t.is(money.requests.length, 0);
});

test("the caller's deadline reaches the use case; without a deadline it is 30 s", async (t) => {
  const { post, money, clock } = await start(t);
  for (const [headers, ms] of [
    [{ "connect-timeout-ms": "25000" }, 25_000],
    [{}, 30_000],
  ] as const) {
    const [before] = [clock.monotonic(), await post("{}", headers)];
    const deadline = money.requests.at(-1)?.deadline ?? Number.NaN;
    // The header has whole milliseconds.
    t.true(deadline >= before + ms - 1 && deadline <= clock.monotonic() + ms, `${deadline - before} ms`);
  }
  t.is(money.requests.length, 2);
});

test("a deadline that passes does not stop the use case", async (t) => {
  const { url, money } = await start(t);
  const wallet = Promise.withResolvers<ReturnType<typeof moved>>();
  const finished = Promise.withResolvers<void>();
  money.answer = async () => {
    const answer = await wallet.promise;
    finished.resolve();
    return answer;
  };
  const client = createClient(WalletService, createConnectTransport({ baseUrl: url, httpVersion: "1.1" }));
  // On a busy machine the deadline may pass before the call reaches the use case.
  while (money.requests.length === 0) {
    const error = await t.throwsAsync(client.placeBet({}, { headers: { authorization }, timeoutMs: 500 }), {
      instanceOf: ConnectError,
    });
    t.is(error?.code, Code.DeadlineExceeded);
  }
  wallet.resolve(moved());
  await finished.promise;
});

test("a message over 64 KiB is refused and reaches no use case", async (t) => {
  const { post, money } = await start(t);
  const response = await post(JSON.stringify({ txId: "x".repeat(64 * 1024) }));
  t.is(response.status, 429);
  t.is(((await response.json()) as { code: string }).code, "resource_exhausted");
  t.is(money.requests.length, 0);
});

test("GET /metrics answers with the metrics, and with 500 if they can't be read", async (t) => {
  const { url } = await start(t);
  const response = await fetch(`${url}/metrics`);
  t.is(response.status, 200);
  t.is(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  t.is(await response.text(), "up 1\n");
  t.is((await fetch(`${url}/metrics`, { method: "POST" })).status, 405);
  const broken = await start(t, () => Promise.reject(new Error("no registry")));
  t.is((await fetch(`${broken.url}/metrics`)).status, 500);
});

test("pipelined requests run one after the other", async (t) => {
  const held = Promise.withResolvers<string>();
  let begun = 0;
  const { port } = await start(t, () => {
    begun++;
    return held.promise;
  });
  const socket = connect(port, "127.0.0.1");
  t.teardown(() => void socket.destroy());
  socket.write("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(50));
  while (begun === 0) await sleep(10);
  await sleep(300);
  t.is(begun, 1);
  held.resolve("up 1\n");
  let text = "";
  for await (const chunk of socket) {
    text += chunk;
    if (text.split("up 1").length > 50) break;
  }
  t.is(begun, 50);
});

test("a request's headers must arrive within five seconds, and a silent connection is closed", async (t) => {
  const { port } = await start(t);
  const closedAfter = (head: string) =>
    new Promise<number>((resolve) => {
      const begunAt = performance.now();
      const socket = connect(port, "127.0.0.1", () => socket.write(head));
      socket.on("error", () => {});
      socket.resume().once("close", () => resolve(performance.now() - begunAt));
    });
  const both = await Promise.all([
    closedAfter(""),
    closedAfter("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "),
  ]);
  for (const took of both) t.true(took >= 4_900 && took < 25_000, `${took} ms`);
});

const asHost = (port: number, target: string, ...lines: readonly string[]) =>
  exchange(
    port,
    [
      `${target.startsWith("/aggregator") ? "POST" : "GET"} ${target} HTTP/1.1`,
      "Connection: close",
      "Content-Length: 0",
      ...lines,
      "",
      "",
    ].join("\r\n"),
  );

test("a request with a foreign Host is refused, and the error explains what to do", async (t) => {
  const { port, money } = await start(t);
  for (const target of ["/metrics", PLACE_BET, "/", "http://localhost/metrics"]) {
    const reply = await asHost(
      port,
      target,
      `Host: evil.example:${port}`,
      `Authorization: ${authorization}`,
      "Content-Type: application/json",
    );
    t.is(reply.status, 421, target);
    const { code, message } = JSON.parse(reply.body) as { code: string; message: string };
    t.is(code, "permission_denied");
    t.true(message.includes(`"evil.example:${port}"`) && message.includes("INTERNAL_ALLOWED_HOSTS"), message);
  }
  t.is(money.requests.length, 0);
  t.is((await asHost(port, "/metrics")).status, 421, "no Host");
  t.is((await asHost(port, "/metrics", "Host: localhost", "Host: evil.example")).status, 421, "two of them");
  const client = createClient(
    WalletService,
    createConnectTransport({ baseUrl: `http://localhost:${port}`, httpVersion: "1.1" }),
  );
  const error = await t.throwsAsync(client.placeBet({}, { headers: { authorization, host: "evil.example" } }), {
    instanceOf: ConnectError,
  });
  t.regex(error?.rawMessage ?? "", /INTERNAL_ALLOWED_HOSTS/);
});

for (const { listens, more = [], allowed, refused } of [
  {
    listens: "127.0.0.1",
    allowed: [
      "localhost",
      "LOCALHOST:9092",
      "localhost.",
      "127.0.0.1",
      "127.0.0.1:1",
      "127.8.8.8",
      "[::1]",
      "[0:0::1]:9092",
    ],
    refused: [
      "evil.example",
      "127.evil.example",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "10.0.0.5",
      "[fd00::5]",
      "0.0.0.0",
      "",
      "a@localhost",
      "localhost/x",
    ],
  },
  {
    listens: "0.0.0.0",
    allowed: ["localhost", "127.0.0.1", "10.0.0.5:9092", "192.0.2.1", "[fd00::5]:9092"],
    refused: ["evil.example", "10.0.0.5.evil.example", "aggregator"],
  },
  { listens: "::", allowed: ["10.0.0.5", "[2001:db8::1]"], refused: ["evil.example"] },
  { listens: "10.0.0.5", allowed: ["10.0.0.5", "10.0.0.5:9092", "localhost"], refused: ["10.0.0.6", "evil.example"] },
  { listens: "fd00::5", allowed: ["[fd00:0::5]:9092"], refused: ["[fd00::6]", "10.0.0.5"] },
  {
    listens: "inner.example",
    more: ["Aggregator", "game_aggregator", "10.0.0.5", "fd00::5"],
    allowed: ["inner.example:9092", "aggregator:9092", "AGGREGATOR", "game_aggregator", "10.0.0.5", "[fd00::5]:9092"],
    refused: ["x.aggregator", "aggregator.evil.example", "10.0.0.6"],
  },
]) {
  test(`a server that listens on ${listens}${more.length > 0 ? ` and is also called ${more.join(", ")}` : ""} allows only its own hosts`, (t) => {
    const hosts = new AllowedHosts(listens, more);
    for (const host of allowed) t.true(hosts.allows([host]), host);
    for (const host of refused) t.false(hosts.allows([host]), host);
    t.false(hosts.allows([]));
    t.false(hosts.allows([allowed[0] as string, allowed[0] as string]));
  });
}

test("a request with a configured Host is answered", async (t) => {
  const { port } = await start(t, undefined, { allowedHosts: ["aggregator"] });
  t.is((await asHost(port, "/metrics", "Host: aggregator:9092")).status, 200);
});

test("a request for a path that is not served gets 404", async (t) => {
  const { url } = await start(t);
  t.is((await fetch(`${url}/`)).status, 404);
  t.is((await fetch(`${url}/aggregator.provider.v1.WalletService/Steal`, { method: "POST" })).status, 404);
});

test("stop answers the running requests, and refuses new requests", async (t) => {
  const { server, post, port, money } = await start(t);
  const wallet = Promise.withResolvers<ReturnType<typeof moved>>();
  const atWork = Promise.withResolvers<void>();
  money.answer = () => {
    atWork.resolve();
    return wallet.promise;
  };
  const running = post("{}");
  await atWork.promise;
  const stopping = server.stop(5_000);
  await t.throwsAsync(
    new Promise((resolve, reject) => connect(port, "127.0.0.1", () => resolve(undefined)).once("error", reject)),
    { code: "ECONNREFUSED" },
  );
  wallet.resolve(moved());
  t.is((await running).status, 200);
  await stopping;
});

test("stop closes the connections of requests that are not answered within its time", async (t) => {
  const { server, post, money } = await start(t);
  const atWork = Promise.withResolvers<void>();
  money.answer = () => {
    atWork.resolve();
    return new Promise(() => {});
  };
  const running = post("{}");
  await atWork.promise;
  await Promise.all([t.throwsAsync(running), server.stop(100)]);
});
