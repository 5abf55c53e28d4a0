/**
 * Request smuggling: if two readers of one connection disagree about a request's end, the second reader treats a part
 * of a body as a request.
 */
import { connect } from "node:net";
import test from "ava";
import { signedRequest, startRest } from "../../../../testbed/callers/rest-server.ts";
import { gameRecord, merchantRecord, providerRecord } from "../../../../testbed/directory/records.ts";

const CRLF = "\r\n";
const head = (...lines: readonly string[]): string =>
  ["POST /v1/nothing HTTP/1.1", "Host: api.example", ...lines, "", ""].join(CRLF);
const chunk = (size: number): string => size.toString(16);

/** The bytes that hide a request in the body of another. */
const HIDINGS: Readonly<Record<string, (hidden: string) => string>> = {
  "Content-Length before Transfer-Encoding": (hidden) =>
    `${head(`Content-Length: ${hidden.length + 5}`, "Transfer-Encoding: chunked")}0${CRLF}${CRLF}${hidden}`,
  "Transfer-Encoding before Content-Length": (hidden) =>
    `${head("Transfer-Encoding: chunked", "Content-Length: 4")}0${CRLF}${CRLF}${hidden}`,
  "two lengths": (hidden) => `${head("Content-Length: 0", `Content-Length: ${hidden.length}`)}${hidden}`,
  "a list of lengths": (hidden) => `${head(`Content-Length: 0, ${hidden.length}`)}${hidden}`,
  "a length with a sign": (hidden) => `${head("Content-Length: +0")}${hidden}`,
  "a length that is not a number": (hidden) => `${head("Content-Length: 0x0")}${hidden}`,
  "a length on a folded line": (hidden) => `${head("X: y", " Content-Length: 0")}${hidden}`,
  "a space before the colon": (hidden) => `${head("Transfer-Encoding : chunked", "Content-Length: 0")}${hidden}`,
  "a tab in the encoding": (hidden) =>
    `${head("Transfer-Encoding:\tchunked", "Content-Length: 0")}0${CRLF}${CRLF}${hidden}`,
  "an encoding in quotes": (hidden) => `${head('Transfer-Encoding: "chunked"', "Content-Length: 0")}${hidden}`,
  "an unknown encoding": (hidden) => `${head("Transfer-Encoding: xchunked", "Content-Length: 0")}${hidden}`,
  "a list of encodings that does not end with chunked": (hidden) =>
    `${head("Transfer-Encoding: chunked, identity")}0${CRLF}${CRLF}${hidden}`,
  "two encodings": (hidden) =>
    `${head("Transfer-Encoding: chunked", "Transfer-Encoding: identity")}0${CRLF}${CRLF}${hidden}`,
  "a chunk's size with a sign": (hidden) => `${head("Transfer-Encoding: chunked")}-0${CRLF}${CRLF}${hidden}`,
  "a chunk's size that wraps around": (hidden) =>
    `${head("Transfer-Encoding: chunked")}ffffffffffffffff1${CRLF}x${CRLF}${hidden}`,
  "a chunk without its end": (hidden) =>
    `${head("Transfer-Encoding: chunked")}1${CRLF}xy${CRLF}0${CRLF}${CRLF}${hidden}`,
  "line feeds alone": (hidden) => `${head("Transfer-Encoding: chunked")}0\n\n${hidden}`,
  "a bare line feed in the head": (hidden) => `${head("X: y\nContent-Length: 0")}${hidden}`,
  "a bare return in the head": (hidden) => `${head("X: y\rContent-Length: 0")}${hidden}`,
  "a NUL in a name": (hidden) => `${head("Content-Length\0: 0")}${hidden}`,
  "an extension of a chunk": (hidden) =>
    `${head("Transfer-Encoding: chunked")}${chunk(1)};a\n${hidden}${CRLF}x${CRLF}0${CRLF}${CRLF}`,
};

for (const [what, hide] of Object.entries(HIDINGS)) {
  test(`a request with ${what} cannot hide another request in its body`, async (t) => {
    const rest = await startRest(t);
    await rest.store.save({ kind: "provider", provider: providerRecord("ACME", ["http://opens:1"]) });
    await rest.store.save({ kind: "games", provider: "ACME" as never, games: [gameRecord("fruits")] });
    await rest.store.save({ kind: "merchant", merchant: merchantRecord("casa-br") });
    await rest.settings.refresh();
    const launch = signedRequest({
      method: "POST",
      target: "/v1/game/launch",
      body: '{"player_id":"ana","game":"fruits"}',
    }).toString("latin1");
    const replies = await sent(rest.port, hide(launch));
    // The request is refused and the connection is closed, so the following bytes are never read as a request.
    t.regex(replies, /^HTTP\/1\.1 (400|501) /);
    t.is(replies.split("HTTP/1.1 ").length, 2, replies);
    t.deepEqual(rest.launcher.requests, []);
  });
}

test("the hidden request would open a game if it were sent alone", async (t) => {
  const rest = await startRest(t);
  await rest.store.save({ kind: "provider", provider: providerRecord("ACME", ["http://opens:1"]) });
  await rest.store.save({ kind: "games", provider: "ACME" as never, games: [gameRecord("fruits")] });
  await rest.settings.refresh();
  t.regex(
    await sent(
      rest.port,
      signedRequest({
        method: "POST",
        target: "/v1/game/launch",
        body: '{"player_id":"ana","game":"fruits"}',
      }).toString("latin1"),
    ),
    / 200 /,
  );
  t.is(rest.launcher.requests.length, 1);
});

/** Sends the bytes and returns all replies until the server closes the connection. */
function sent(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(Buffer.from(bytes, "latin1")));
    socket.on("data", (data: Buffer) => {
      text += data.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
  });
}

test("a request has at most one Host, and only HTTP/1.0 needs none", async (t) => {
  const rest = await startRest(t);
  for (const [version, hosts, status] of [
    ["1.0", [], 200],
    ["1.0", ["a.example"], 200],
    ["1.0", ["a.example", "b.example"], 400],
    ["1.1", [], 400],
    ["1.1", ["a.example", "b.example"], 400],
  ] as const) {
    const lines = [`GET /health/live HTTP/${version}`, ...hosts.map((host) => `Host: ${host}`), "Connection: close"];
    const reply = await sent(rest.port, `${lines.join(CRLF)}${CRLF}${CRLF}`);
    t.regex(reply, new RegExp(`^HTTP/1.1 ${status} `), lines.join());
  }
});
