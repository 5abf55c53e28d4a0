import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type TestContext } from "node:test";
import { pauseMs } from "../src/client/call.ts";
import { errorOf } from "../src/client/errors.ts";
import { parseJson } from "../src/client/json.ts";
import {
  AggregatorClient,
  AggregatorError,
  ConnectionError,
  RateLimitedError,
  toDecimal,
  toMinor,
  UnavailableError,
  ValidationError,
} from "../src/index.ts";

const ROOT = new URL("../../../", import.meta.url);

async function serving(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new AggregatorClient({ baseUrl, merchant: "shop", secret: "sk", attempts: 3, timeoutMs: 500 });
}

const refusal = (code: string, more: object = {}) =>
  JSON.stringify({ success: false, error: { code, message: "Não.", request_id: "id", ...more } });

test("every code that merchants meet has a type of its own kind, and only what may succeed later one of those", () => {
  const page = readFileSync(new URL("docs/specification/errors.md", ROOT), "utf8");
  const rows = [...page.matchAll(/^\| ([A-Z_]+) \|.*\| (never|same_request) \| [^|]*merchants[^|]* \|/gm)];
  assert.ok(rows.length > 25);
  for (const [, code = "", retry] of rows) {
    const error = errorOf({
      code,
      status: 400,
      message: "",
      requestId: "",
      details: undefined,
      retryAfterMs: undefined,
    });
    assert.notEqual(error.constructor, AggregatorError, code);
    assert.ok(error instanceof AggregatorError);
    assert.equal(error.name, error.constructor.name);
    const isForLater = error instanceof UnavailableError || error instanceof RateLimitedError;
    assert.equal(isForLater, retry === "same_request", code);
  }
});

test("money keeps every digit, other numbers are numbers", () => {
  const text = '{"bets":90071992547409931.23,"rtp":96.5,"note":"1.50 \\"2\\"","list":[1,-2.5e3],"n":null,"ggr":-0.10}';
  assert.deepEqual(parseJson(text), {
    bets: "90071992547409931.23",
    rtp: 96.5,
    note: '1.50 "2"',
    list: [1, -2500],
    n: null,
    ggr: "-0.10",
  });
});

test("decimals and minor units are exact", () => {
  for (const [text, minor] of [
    ["2.5", 250n],
    ["-0.05", -5n],
    ["90071992547409931.23", 9007199254740993123n],
    ["10.500", 1050n],
  ] as const)
    assert.equal(toMinor(text, "BRL"), minor);
  assert.equal(toDecimal(-5n, "BRL"), "-0.05");
  assert.equal(toDecimal(1_500n, "CLP"), "1500");
  assert.equal(toMinor("1500", "CLP"), 1_500n);
  for (const text of ["1.005", "", "1,5", "1e3", "abc", "0x10"]) assert.throws(() => toMinor(text, "BRL"), RangeError);
  assert.throws(() => toMinor("1.5", "CLP"), /1.5 is no amount of CLP/);
});

test("an error has the code, the details and the request's id", async (t) => {
  const details = [{ field: "game", rule: "required", message: "..." }];
  const client = await serving(t, (_request, response) => {
    response.writeHead(422).end(refusal("VALIDATION_ERROR", { details }));
  });
  await assert.rejects(client.launch({ player_id: "ana", game: "" }), (error) => {
    assert.ok(error instanceof ValidationError);
    assert.deepEqual(
      [error.code, error.status, error.requestId, error.details],
      ["VALIDATION_ERROR", 422, "id", details],
    );
    return true;
  });
});

test("a refusal that will not pass is not repeated, nor is a launch", async (t) => {
  let calls = 0;
  const client = await serving(t, (request, response) => {
    calls += 1;
    response.writeHead(request.method === "POST" ? 503 : 404).end(refusal("X"));
  });
  await assert.rejects(client.transaction("x"));
  await assert.rejects(client.launch({ player_id: "ana", game: "g" }));
  assert.equal(calls, 2);
});

test("a call is given up after its attempts, with the last error", async (t) => {
  let calls = 0;
  const client = await serving(t, (_request, response) => {
    calls += 1;
    response.writeHead(429, { "retry-after": "0" }).end("<h1>slow down</h1>");
  });
  await assert.rejects(client.merchant(), RateLimitedError);
  assert.equal(calls, 3);
});

test("a Retry-After of days is waited for five minutes, and calls are not repeated at once", async (t) => {
  for (const askedMs of [2_592_000_000, Number.POSITIVE_INFINITY])
    assert.ok(pauseMs(1, askedMs) >= 300_000 && pauseMs(1, askedMs) <= 300_250);
  assert.ok(pauseMs(1, 1_000) >= 1_000 && pauseMs(1, 1_000) <= 1_250);
  let calls = 0;
  const client = await serving(t, (_request, response) => {
    calls += 1;
    response.writeHead(429, { "retry-after": "2592000" }).end(refusal("RATE_LIMITED"));
  });
  const signal = AbortSignal.timeout(500);
  await assert.rejects(client.changes({ since: "2026-01-01T00:00:00Z", signal }).next(), { name: "TimeoutError" });
  assert.equal(calls, 1);
});

test("no reply in time, and a reply of somebody else, are connection errors", async (t) => {
  const silent = await serving(t, () => {});
  await assert.rejects(silent.launch({ player_id: "ana", game: "g" }), (error) => {
    assert.ok(error instanceof ConnectionError);
    return /500 ms/.test(error.message);
  });
  const stranger = await serving(t, (_request, response) => void response.end("<html>"));
  await assert.rejects(stranger.launch({ player_id: "ana", game: "g" }), ConnectionError);
});

test("an export without its last line is an error", async (t) => {
  const item = '{"tx_id":"a","amount":1.10}\n';
  const sent = [`${item}${item}{"complete":true,"items":2}\n`, item];
  const client = await serving(t, (_request, response) => void response.end(sent.shift()));
  const amounts: string[] = [];
  for await (const { amount } of client.exportTransactions()) amounts.push(amount);
  assert.deepEqual(amounts, ["1.10", "1.10"]);
  await assert.rejects(async () => {
    for await (const _ of client.exportTransactions());
  }, ConnectionError);
});

test("the feed waits at its end, goes on where it was, and can be ended", async (t) => {
  const targets: string[] = [];
  const client = await serving(t, (request, response) => {
    targets.push(request.url ?? "");
    const items = targets.length === 3 ? [{ tx_id: "b1", amount: 1 }] : [];
    const data = { items, next_cursor: targets.length < 3 ? "c1" : "c2", behind_ms: 5 };
    response.end(JSON.stringify({ success: true, data }));
  });
  const ending = new AbortController();
  const pages: unknown[] = [];
  const feed = client.changes({ since: "2026-01-01T00:00:00Z", action: "bet", pauseMs: 50, signal: ending.signal });
  const began = performance.now();
  await assert.rejects(async () => {
    for await (const { items, cursor, behindMs } of feed) {
      pages.push([items.length, cursor, behindMs]);
      if (pages.length === 4) setTimeout(() => ending.abort(new Error("that is enough")), 10);
    }
  }, /that is enough/);
  assert.ok(performance.now() - began > 100, "it waited at the end");
  assert.deepEqual(pages, [
    [0, "c1", 5],
    [0, "c1", 5],
    [1, "c2", 5],
    [0, "c2", 5],
  ]);
  assert.deepEqual(targets.slice(0, 2), [
    "/v1/transactions?updated_since=2026-01-01T00%3A00%3A00Z&action=bet",
    "/v1/transactions?cursor=c1",
  ]);
});

test("an id that would change the path is refused by name, before anything is sent", async (t) => {
  let calls = 0;
  const client = await serving(t, (_request, response) => {
    calls += 1;
    response.writeHead(401).end(refusal("INVALID_SIGNATURE"));
  });
  for (const id of [".", ".."]) {
    const told = { name: "TypeError", message: `The id "${id}" cannot stand in a path. No call was made.` };
    await assert.rejects(client.round("ACME", id), told);
    await assert.rejects(client.game("ACME", id), told);
    await assert.rejects(client.transaction(id), told);
    await assert.rejects(client.resend(id), told);
  }
  assert.equal(calls, 0);
});

test("an address that cannot be one is refused at once", () => {
  for (const baseUrl of ["api.example", "https://api.example/v1/"])
    assert.throws(() => new AggregatorClient({ baseUrl, merchant: "shop", secret: "sk" }), /baseUrl must be/);
});
