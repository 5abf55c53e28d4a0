/** Callbacks whose bytes no HTTP library would send. All kits must answer them in the same way. */
import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { ExecutionContext } from "ava";
import { parseReply } from "../../../testbed/callers/raw-http.ts";

const SECRET = "sk_shop";
const ABOUT = `"player_id":"eva","currency":"BRL","provider":"ACME","game":"fruits"`;
const BALANCE = `{"action":"balance",${ABOUT}}`;
const REPLY_WITHIN_MS = 240_000;

type Header = readonly [name: string, value: string];

/** The headers that the service sends, by their names. */
function signed(body: string): Record<string, Header> {
  const [timestamp, nonce] = [String(Date.now()), randomBytes(16).toString("hex")];
  const text = `${timestamp}.${nonce}.POST./wallet.${body}`;
  const signature = createHmac("sha256", SECRET).update(text).digest("hex");
  const of = (name: string, value: string): Record<string, Header> => ({ [name]: [name, value] });
  return {
    ...of("X-Merchant-Id", "shop"),
    ...of("X-Timestamp", timestamp),
    ...of("X-Nonce", nonce),
    ...of("X-Signature", signature),
  };
}

const head = (headers: readonly Header[]): string =>
  [
    "POST /wallet HTTP/1.1",
    "Host: wallet.example",
    ...headers.map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

/** Sends a request on a connection of its own. undefined: the server closed the connection without a reply. */
async function answer(url: URL, send: (socket: Socket) => Promise<void> | void) {
  const socket = connect(Number(url.port), url.hostname);
  socket.setNoDelay(true).on("error", () => {});
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    received += text;
  });
  socket.setTimeout(REPLY_WITHIN_MS, () => socket.destroy());
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await once(socket, "connect");
  await send(socket);
  await closed;
  if (received === "") return undefined;
  const { status, body } = parseReply(received);
  return { status, body };
}

const whole = (headers: readonly Header[], body: string) => (socket: Socket) =>
  void socket.write(`${head([...headers, ["Content-Length", String(Buffer.byteLength(body))], CLOSE])}${body}`);
const CLOSE: Header = ["Connection", "close"];
const CHUNKED: Header = ["Transfer-Encoding", "chunked"];

/** Asserts the answers to headers in unusual forms. A header that a proxy has repeated proves nothing. */
export async function assertRawHeaders(t: ExecutionContext, url: URL): Promise<void> {
  const names = Object.keys(signed(""));
  const status = async (change: (headers: Record<string, Header>) => readonly Header[]) =>
    (await answer(url, whole(change(signed(BALANCE)), BALANCE)))?.status;
  t.is(await status((headers) => Object.values(headers)), 200);
  t.is(await status((headers) => Object.values(headers).map(([name, value]) => [name.toLowerCase(), value])), 200);
  t.is(await status((headers) => Object.values(headers).map(([name, value]) => [name.toUpperCase(), value])), 200);
  t.is(await status((headers) => Object.values(headers).map(([name, value]) => [name, ` \t${value} \t`])), 200);
  for (const name of names) {
    const others = (headers: Record<string, Header>) => Object.values(headers).filter(([other]) => other !== name);
    const own = (headers: Record<string, Header>): Header => headers[name] as Header;
    t.is(await status(others), 401, `${name} is absent`);
    t.is(await status((headers) => [...others(headers), [name, ""]]), 401, `${name} is empty`);
    t.is(await status((headers) => [...Object.values(headers), own(headers)]), 401, `${name} came twice`);
    t.is(
      await status((headers) => [...Object.values(headers), [name.toLowerCase(), own(headers)[1]]]),
      401,
      `${name} came twice, once in lower case`,
    );
    t.is(await status((headers) => [[name, "x"], ...Object.values(headers)]), 401, `another ${name} came before`);
    t.is(await status((headers) => [...Object.values(headers), [name, "x"]]), 401, `another ${name} came after`);
    t.is(
      await status((headers) => [...others(headers), [name, `${own(headers)[1]}, ${own(headers)[1]}`]]),
      401,
      `a proxy joined two ${name}`,
    );
    t.is(await status((headers) => [...others(headers), [name, `"${own(headers)[1]}"`]]), 401, `${name} is in quotes`);
  }
  t.is(
    await status(({ "X-Signature": signature, ...others }) => [
      ...Object.values(others),
      ["X-Signature", (signature as Header)[1].toUpperCase()],
    ]),
    401,
    "a signature in capital letters",
  );
}

/** Asserts the answers to bodies in pieces, and to bodies that are too large or never end. */
export async function assertRawBodies(t: ExecutionContext, url: URL, memoryOf: () => number): Promise<void> {
  const headers = Object.values(signed(BALANCE));
  const chunks = (text: string, size: number): string => {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    return `${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("")}0\r\n\r\n`;
  };
  const pieces = await answer(
    url,
    (socket) => void socket.write(head([...headers, CHUNKED, CLOSE]) + chunks(BALANCE, 1)),
  );
  // A server without support for chunks refuses them.
  t.true(pieces?.status === 200 || pieces?.status === 401 || pieces?.status === 411, `in pieces: ${pieces?.status}`);

  const both: Header[] = [...Object.values(signed(BALANCE)), CHUNKED, ["Content-Length", "5"], CLOSE];
  const ambiguous = await answer(url, (socket) => void socket.write(head(both) + chunks(BALANCE, 40)));
  t.true(ambiguous === undefined || [200, 400, 401, 411, 501].includes(ambiguous.status), `${ambiguous?.status}`);

  const large = "x".repeat(70_000);
  const tooLarge = await answer(url, whole(Object.values(signed(large)), large));
  t.is(tooLarge?.status, 413);

  // Twenty connections send bodies up to the limit, one byte in each chunk, and do not end them.
  const before = memoryOf();
  const bytes = Buffer.from("1\r\nx\r\n".repeat(6_000));
  const open: Socket[] = [];
  for (let i = 0; i < 20; i++) {
    const socket = connect(Number(url.port), url.hostname);
    socket.on("error", () => {});
    open.push(socket);
    await once(socket, "connect");
    socket.write(head([...headers, CHUNKED]));
    for (let part = 0; part < 10; part++) await new Promise((written) => socket.write(bytes, written));
  }
  t.is((await answer(url, whole(Object.values(signed(BALANCE)), BALANCE)))?.status, 200, "it still answers");
  const grown = memoryOf() - before;
  t.log(`the process grew by ${grown} MiB`);
  t.true(grown < 64, `the process grew by ${grown} MiB`);
  for (const socket of open) socket.destroy();
}
