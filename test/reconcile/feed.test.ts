/** Reads the feed from an API that is busy, slow, or unavailable for a moment, as a merchant may find it. */
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import test, { type ExecutionContext } from "ava";
import { getSigned } from "../../reconcile/api.ts";
import { readFeed } from "../../reconcile/feed.ts";
import { readTransaction } from "../../reconcile/transaction.ts";
import { verify } from "../../src/domain/signing/signing.ts";

const SECRET = "sk_example";
const item = (n: number) => ({ tx_id: `ACME:${n}`, action: "bet", amount: 1, currency: "BRL", status: "success" });
const items = (from: number, count: number) => Array.from({ length: count }, (_, i) => item(from + i));

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}
const page = (found: readonly unknown[], cursor: string, behind_ms = 0): Answer => ({
  status: 200,
  body: { success: true, data: { items: found, next_cursor: cursor, behind_ms } },
});
const refused = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers,
  body: { success: false, error: { code, message: "" } },
});

/** Starts an API that sends these answers to signed calls, one after the other. */
async function api(t: ExecutionContext, answers: readonly Answer[]) {
  const targets: string[] = [];
  const nonces = new Set<string>();
  const server = createServer((request, response) => {
    const {
      "x-timestamp": timestamp = "",
      "x-nonce": nonce = "",
      "x-signature": signature = "",
    } = request.headers as Record<string, string>;
    const target = request.url?.replace(/^\/base/, "") ?? "";
    const isSigned =
      verify(SECRET, { timestamp, nonce, method: "GET", target, body: "" }, signature) && !nonces.has(nonce);
    nonces.add(nonce);
    const answer = isSigned ? answers[targets.push(target) - 1] : undefined;
    const { status, headers = {}, body } = answer ?? refused(401, "INVALID_SIGNATURE");
    response.writeHead(status, headers).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.teardown(() => server.close());
  return {
    targets,
    credentials: {
      apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`,
      merchant: "casa",
      secret: SECRET,
    },
  };
}

test("pages are read with their cursors until a page is not full and the feed has caught up; a request that fails is repeated", async (t) => {
  const { targets, credentials } = await api(t, [
    page(items(0, 1_000), "c+1"),
    refused(429, "RATE_LIMITED", { "Retry-After": "0" }),
    refused(503, "SERVICE_UNAVAILABLE"),
    page(items(1_000, 3), "c/2", 3_600_000),
    page([item(7)], "c3"),
  ]);
  const read: string[] = [];
  for await (const found of readFeed(credentials, Date.UTC(2026, 0, 31))) read.push(...found.map(({ tx_id }) => tx_id));
  t.is(read.length, 1_004);
  t.is(read.at(-1), "ACME:7", "what comes again is its newest state");
  t.deepEqual(targets, [
    "/v1/transactions?updated_since=2026-01-31T00%3A00%3A00.000Z&limit=1000",
    "/v1/transactions?cursor=c%2B1&limit=1000",
    "/v1/transactions?cursor=c%2B1&limit=1000",
    "/v1/transactions?cursor=c%2B1&limit=1000",
    "/v1/transactions?cursor=c%2F2&limit=1000",
  ]);
});

test("a permanent refusal ends the reading, and the error's message has the refusal's status and code", async (t) => {
  const { credentials } = await api(t, [refused(403, "IP_NOT_ALLOWED")]);
  await t.throwsAsync(readFeed(credentials, 0).next(), { name: "ApiFault", message: /403 IP_NOT_ALLOWED/ });
});

test("a single transaction is read by its percent-encoded id, after a repeat of a refused call; only an unknown transaction counts as absent", async (t) => {
  const { targets, credentials } = await api(t, [
    refused(429, "RATE_LIMITED", { "Retry-After": "0" }),
    { status: 200, body: { success: true, data: item(7) } },
    refused(404, "TRANSACTION_NOT_FOUND"),
    refused(404, "NOT_FOUND"),
  ]);
  const target = "/v1/transactions/ACME%3A7%2F%C3%A4%20%3F";
  t.deepEqual(await readTransaction(credentials, "ACME:7/ä ?"), item(7) as never);
  t.is(await readTransaction(credentials, "ACME:8"), undefined);
  for (const stranger of ["..", "77120", `ACME:${"x".repeat(96)}`, "acme:7"])
    t.is(await readTransaction(credentials, stranger), undefined);
  t.deepEqual(targets, [target, target, "/v1/transactions/ACME%3A8"]);
  await t.throwsAsync(readTransaction(credentials, "ACME:9"), { name: "ApiFault", message: /404 NOT_FOUND/ });
});

test("interim replies before a page do not count, and a page with a coding that was not asked for is named", async (t) => {
  const requests: string[] = [];
  const body = JSON.stringify({ success: true, data: { items: [], next_cursor: "c", behind_ms: 0 } });
  const final = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n`;
  let before = "";
  let more = "";
  const server = createTcpServer((socket) =>
    socket.on("data", (bytes) => {
      requests.push(bytes.toString());
      socket.write(`${before}${final}${more}\r\n${body}`);
    }),
  ).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.teardown(() => server.close());
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  const credentials = { apiUrl, merchant: "casa", secret: SECRET };
  for (before of ["", "100 Continue", "103 Early Hints", "100 Continue,102 Processing,100 Continue"].map((list) =>
    list
      .split(",")
      .filter(Boolean)
      .map((line) => `HTTP/1.1 ${line}\r\nA: b\r\n\r\n`)
      .join(""),
  ))
    t.deepEqual(await getSigned(credentials, "/v1/merchant"), { items: [], next_cursor: "c", behind_ms: 0 });
  t.regex(
    requests[0] ?? "",
    /\r\nUser-Agent: game-aggregator-reconcile\/\d+\.\d+\.\d+\r\nAccept-Encoding: identity\r\n/,
  );
  more = "Content-Encoding: br\r\n";
  await t.throwsAsync(getSigned(credentials, "/v1/merchant"), { message: /answered 200 with Content-Encoding br/ });
});
