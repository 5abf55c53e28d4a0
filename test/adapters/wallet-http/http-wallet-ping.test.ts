/** The results of pings to real servers, and the texts of these results. */
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { createServer, type TlsOptions } from "node:tls";
import { gzipSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import { SystemClock } from "../../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../../src/adapters/system/system-random.ts";
import type { HttpWalletOptions } from "../../../src/adapters/wallet-http/connector.ts";
import { HttpWalletPing } from "../../../src/adapters/wallet-http/http-wallet-ping.ts";
import { pingFinding } from "../../../src/app/admin/ping-finding.ts";
import { sign } from "../../../src/domain/signing/signing.ts";
import type { PlayerId } from "../../../src/domain/values/identifiers.ts";
import type { Currency } from "../../../src/domain/values/money.ts";
import { NXDOMAIN, SERVFAIL, startNameServer } from "../../../testbed/programs/name-server.ts";
import { makeAuthority, makeLeaf } from "./certificates.ts";
import { eachRequest, reply } from "./raw-server.ts";
import { CLIENT, header, SECRET, serve, target } from "./wallet-fixture.ts";

const authority = makeAuthority("Test CA");
const LOCAL: HttpWalletOptions = { client: CLIENT, timeoutMs: 5_000, allowHttp: true, allowPrivate: true };
const TLS: HttpWalletOptions = {
  ...LOCAL,
  ca: authority.pem,
  resolve: async () => [{ address: "127.0.0.1", family: 4 }],
};
const PLAYER = "u-1" as PlayerId;

async function pinged(walletUrl: string | null, options = LOCAL, currency: Currency = "BRL", nextSecret?: string) {
  const wallet = new HttpWalletPing(new SystemClock(), new SystemRandom(), options);
  const ping = await wallet.ping({ ...target(walletUrl), nextSecret: nextSecret ?? null }, PLAYER, currency);
  return { ...ping, ...pingFinding(ping, currency) };
}

async function listen(t: ExecutionContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.teardown(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

/** Answers each request over TLS. `requests`: the requests that arrived. */
async function serveTls(t: ExecutionContext, tls: TlsOptions) {
  const requests: string[] = [];
  const server = createServer(tls, (socket) => {
    t.teardown(() => socket.destroy());
    socket.on("error", () => undefined);
    eachRequest(socket, (request) => {
      requests.push(request);
      socket.write(reply(200, '{"ok":true,"balance":12.5}'));
    });
  });
  server.on("tlsClientError", () => undefined);
  return { url: `https://wallet.example:${await listen(t, server)}/w`, requests };
}

test("a correct wallet gets one signed balance query on a connection that is then closed, and the ping has the balance", async (t) => {
  const server = await serve(t, (socket) => void socket.write(reply(200, '{"ok":true,"balance":12.5}')));
  const { text, outcome, ok, timings, requestId, reply: answer } = await pinged(server.url);
  t.regex(text, /^balance 12\.5 BRL, answered in \d+ ms\. Signature and path are right\.$/);
  t.deepEqual([outcome, ok, answer?.status], ["balance", true, 200]);
  t.deepEqual(answer?.answer, { kind: "accepted", balanceMinor: 1_250n });
  t.is(server.requests.length, 1);
  const [request = ""] = server.requests;
  const body = '{"action":"balance","player_id":"u-1","currency":"BRL","provider":"SPORTSBOOK","game":"sportsbook"}';
  t.true(request.startsWith("POST /hooks/wallet?b=1 HTTP/1.1\r\n") && request.endsWith(body), request);
  const [timestamp = "", nonce = ""] = [header(request, "X-Timestamp"), header(request, "X-Nonce")];
  const parts = { timestamp, nonce, method: "POST", target: "/hooks/wallet?b=1", body };
  t.is(header(request, "X-Signature"), sign(SECRET, parts));
  t.is(header(request, "X-Request-Id"), requestId);
  t.deepEqual([timings.dnsMs, timings.tlsMs], [null, null], "an IP address over plain HTTP");
  for (const ms of [timings.connectMs, timings.firstByteMs, timings.totalMs]) t.true(Number.isInteger(ms));
  while (server.open() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
});

test("balances are the shortest exact decimals", async (t) => {
  for (const [currency, balance, words] of [
    ["CLP", "1500", "balance 1500 CLP,"],
    ["BRL", "-0.05", "balance -0.05 BRL,"],
    ["BRL", "0", "balance 0 BRL,"],
  ] as const) {
    const server = await serve(t, (socket) => void socket.write(reply(200, `{"ok":true,"balance":${balance}}`)));
    const { text } = await pinged(server.url, LOCAL, currency);
    t.true(text.startsWith(words), text);
  }
});

test("while a secret is being changed, a ping has the second signature, too", async (t) => {
  const server = await serve(t, (socket) => void socket.write(reply(200, '{"ok":true,"balance":1}')));
  await pinged(server.url, LOCAL, "BRL", "sk_next");
  t.regex(header(server.requests[0], "X-Signature-Next") ?? "", /^[0-9a-f]{64}$/);
});

const answers: Readonly<Record<string, readonly [bytes: string | Buffer, outcome: string, ok: boolean, text: RegExp]>> =
  {
    "the code PLAYER_NOT_FOUND": [
      reply(200, '{"ok":false,"error":"PLAYER_NOT_FOUND"}'),
      "player_not_found",
      true,
      /^player not found: signature and path are right\.$/,
    ],
    "the status 404 for an unknown player": [
      reply(404, '{"ok":false,"error":"PLAYER_NOT_FOUND"}'),
      "player_not_found",
      true,
      /signature and path are right/,
    ],
    "another code": [reply(200, '{"ok":false,"error":"BAD_GAME"}'), "rejected", true, /^200: rejected with BAD_GAME\./],
    "the status 401": [
      reply(401, '{"ok":false,"error":"INVALID_SIGNATURE"}'),
      "signature_refused",
      false,
      /^401: your wallet refused our signature\. It must verify over "<X-Timestamp>\.<X-Nonce>\.POST\.\/hooks\/wallet\?b=1\.<raw body>".* Its code is INVALID_SIGNATURE\.$/,
    ],
    "the status 401 without JSON": [reply(401, "go away"), "signature_refused", false, /First bytes: go away\.$/],
    "a wrong signature told with the status 200": [
      reply(200, '{"ok":false,"error":"invalid_signature"}'),
      "signature_refused",
      false,
      /^200: your wallet refused our signature\./,
    ],
    "the status 404": [
      reply(404, "<h1>Cannot POST</h1>"),
      "not_found",
      false,
      /^404: is the path right\? We called POST \/hooks\/wallet\?b=1; first bytes: <h1>Cannot POST<\/h1>$/,
    ],
    "the status 403": [reply(403, ""), "forbidden", false, /^403: does a firewall .* Its body is empty$/],
    "the status 500": [reply(500, '{"ok":true,"balance":1}'), "http_5xx", false, /^500: the wallet failed\./],
    "a redirect": [
      "HTTP/1.1 301 X\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n",
      "redirect",
      false,
      /^301: a redirect/,
    ],
    HTML: [
      reply(200, `<html><title>Login</title>token=${"a1".repeat(20)} ${SECRET}</html>`),
      "not_json",
      false,
      /^200 but not JSON: first bytes: <html><title>Login<\/title>token=\*\*\* \*\*\*<\/html>$/,
    ],
    "a compressed reply": [
      reply(200, gzipSync('{"ok":true,"balance":1}'), "Content-Encoding: GZIP\r\n"),
      "not_json",
      false,
      /^200, but the reply has Content-Encoding gzip\. Our request says Accept-Encoding: identity/,
    ],
    "JSON without ok": [reply(200, '{"balance":1}'), "no_ok", false, /^200 and JSON, but without a boolean "ok"/],
    "a success without a balance": [
      reply(200, '{"ok":true}'),
      "no_balance",
      false,
      /without a number "balance": first bytes: {"ok":true}$/,
    ],
    "a reply that breaks off": [
      "HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{",
      "connection",
      false,
      /connection broke before/,
    ],
    "bytes that are not HTTP": ["SSH-2.0-x\r\n", "connection", false, /^the connection broke/],
  };

for (const [what, [bytes, outcome, ok, text]] of Object.entries(answers))
  test(`the ping of a wallet that answers with ${what} has the outcome ${outcome}`, async (t) => {
    const server = await serve(t, (socket) => void socket.end(bytes));
    const found = await pinged(server.url);
    t.like(found, { outcome, ok });
    t.regex(found.text, text);
    t.false(found.text.includes(SECRET));
    t.is(server.requests.length, 1, "it is never sent again");
  });

test("the text of a ping of a closed port says that the port is closed", async (t) => {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const found = await pinged(`http://127.0.0.1:${port}/w`);
  t.is(found.outcome, "connection");
  t.regex(found.text, /^connection refused: /);
  t.is(found.timings.connectMs, null);
});

test("a ping of a silent server is a time-out, and has the times of the steps that ended", async (t) => {
  const server = await serve(t, () => undefined);
  const silent = await pinged(server.url, { ...LOCAL, timeoutMs: 2_000 });
  t.is(silent.outcome, "timeout");
  t.regex(silent.text, /^time-out after 2 s \(connected in \d+ ms\): no reply came\./);
  t.true(silent.timings.totalMs >= 1_990 && silent.timings.totalMs < 20_000);
  while (server.open() > 0) await new Promise((resolve) => setTimeout(resolve, 5));

  const half = await serve(t, (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"));
  t.regex(
    (await pinged(half.url, { ...LOCAL, timeoutMs: 2_000 })).text,
    /^time-out after 2 s \(connected in \d+ ms, first byte after \d+ ms\): the reply did not come to its end\./,
  );
});

test("a ping of a wallet over TLS has the time of each step", async (t) => {
  const server = await serveTls(t, makeLeaf("wallet.example", authority));
  const { outcome, timings } = await pinged(server.url, TLS);
  t.is(outcome, "balance");
  for (const [part, ms] of Object.entries(timings)) t.true(Number.isInteger(ms), part);
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = timings;
  t.true(Number(dnsMs) + Number(connectMs) + Number(tlsMs) + Number(firstByteMs) <= totalMs + 3);
});

const badCertificates: readonly (readonly [string, TlsOptions, RegExp])[] = [
  [
    "an expired certificate",
    makeLeaf("wallet.example", authority, true),
    new RegExp(`^TLS: certificate expired on ${new Date(Date.now() - 86_400_000).toISOString().slice(0, 8)}\\d\\d\\.`),
  ],
  [
    "a certificate for another host",
    makeLeaf("other.example", authority),
    /^TLS: host name does not fit: the certificate is for DNS:other\.example\./,
  ],
  ["a self-signed certificate", makeLeaf("wallet.example", null), /^TLS: the certificate is self-signed/],
  [
    "a certificate of an unknown authority",
    makeLeaf("wallet.example", makeAuthority("Another CA")),
    /^TLS: the certificate's authority is unknown\. Send the whole chain/,
  ],
];

for (const [what, tls, words] of badCertificates)
  test(`a wallet with ${what} gets no request, and the ping reports this`, async (t) => {
    const server = await serveTls(t, tls);
    const { outcome, text, timings } = await pinged(server.url, TLS);
    t.is(outcome, "tls");
    t.regex(text, words);
    t.deepEqual(server.requests, []);
    t.not(timings.connectMs, null);
    t.is(timings.tlsMs, null);
  });

test("the ping reports that the port does not speak TLS", async (t) => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  });
  const url = `https://wallet.example:${await listen(t, server)}/w`;
  t.regex((await pinged(url, TLS)).text, /^TLS: the port does not speak TLS\./);
});

test("pings of an unknown name and of a failing name server have different results", async (t) => {
  const dns = await startNameServer((name) => (name === "gone.example" ? NXDOMAIN : SERVFAIL));
  t.teardown(() => dns.close());
  const options = { timeoutMs: 5_000, allowHttp: false, allowPrivate: false, dnsServers: [dns.address] };
  const gone = await pinged("https://gone.example/w", options);
  t.is(gone.outcome, "dns");
  t.regex(gone.text, /^DNS: no such host\./);
  t.not(gone.timings.dnsMs, null);
  t.regex((await pinged("https://broken.example/w", options)).text, /^DNS: the name was not resolved \(ESERVFAIL\)/);
});

test("a ping refuses private addresses like every wallet call, and sends nothing", async (t) => {
  const server = await serve(t, (socket) => void socket.write(reply(200, '{"ok":true,"balance":1}')));
  const strict = { ...TLS, allowHttp: false, allowPrivate: false };
  const found = await pinged(`https://wallet.example:${server.port}/w`, strict);
  t.is(found.outcome, "address");
  t.regex(found.text, /^wallet\.example leads to 127\.0\.0\.1, which is not a public address\./);
  for (const [url, words] of [
    [`http://127.0.0.1:${server.port}/w`, /^The merchant's wallet_url can't be called: https\./],
    [`https://127.0.0.1:${server.port}/w`, /^The merchant's wallet_url can't be called: public host name\./],
    [null, /^The merchant's wallet_url can't be called: there is none\./],
  ] as const)
    t.regex((await pinged(url, strict)).text, words);
  t.is(server.accepted(), 0);
});
