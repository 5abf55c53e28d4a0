/** Replies as servers and proxies in use send them. What HTTP allows is read; what is ambiguous is silence. */
import test from "ava";
import { bet, makeWallet, serve, target } from "./wallet-fixture.ts";

const JSON_TEXT = '{"ok":true,"balance":97.5}';
const LENGTH = `content-length: ${JSON_TEXT.length}\r\n`;
const reply = (head: string, body = JSON_TEXT): string => `HTTP/1.1 200 OK\r\n${head}\r\n${body}`;
const chunked = (body: string): string => reply("transfer-encoding: Chunked\r\n", body);

const READ: Record<string, string> = {
  "an offer to upgrade to HTTP/2": reply(`upgrade: h2,h2c\r\nconnection: Upgrade, Keep-Alive\r\n${LENGTH}`),
  "an offer to upgrade, chunked": `HTTP/1.1 200 OK\r\nupgrade: h2c\r\nconnection: Upgrade\r\ntransfer-encoding: chunked\r\n\r\n1a\r\n${JSON_TEXT}\r\n0\r\n\r\n`,
  "chunk extensions": chunked(`1a;name=value;q="a;b"\r\n${JSON_TEXT}\r\n0;last\r\n\r\n`),
  "a chunk's size with zeros and capital letters": chunked(`0000001A\r\n${JSON_TEXT}\r\n000\r\n\r\n`),
  trailers: chunked(`1a\r\n${JSON_TEXT}\r\n0\r\nserver-timing: app\r\nx-sum: 1\r\n\r\n`),
  "HTTP/1.0 that keeps the connection": `HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n${LENGTH}\r\n${JSON_TEXT}`,
  "no reason after the status": `HTTP/1.1 200\r\n${LENGTH}\r\n${JSON_TEXT}`,
  "a header in Latin-1 and one in UTF-8": reply(`server: caf\u00e9\r\nx-info: n\u00c3\u00a3o\r\n${LENGTH}`),
  "a header without a value": reply(`x-empty:\r\n${LENGTH}`),
  "no space after the colon": reply(LENGTH.replace(" ", "")),
  "20 cookies of 700 bytes": reply("set-cookie: ".concat("c=", "x".repeat(700), "\r\n").repeat(20) + LENGTH),
  "the coding identity": reply(`content-encoding: identity\r\n${LENGTH}`),
  "another type of content": reply(`content-type: text/html\r\n${LENGTH}`),
  "white space around the object": reply(`content-length: ${JSON_TEXT.length + 4}\r\n`, `\r\n${JSON_TEXT}\n\n`),
};

const SILENT: Record<string, string> = {
  "two equal lengths": reply(LENGTH + LENGTH),
  "two different lengths": reply(`${LENGTH}content-length: 5\r\n`),
  "a length and chunks": reply(`${LENGTH}transfer-encoding: chunked\r\n`, `1a\r\n${JSON_TEXT}\r\n0\r\n\r\n`),
  "a length with a sign": reply(`content-length: +${JSON_TEXT.length}\r\n`),
  "a folded header": reply(`x-long: a\r\n b\r\n${LENGTH}`),
  "a space before the colon": reply(LENGTH.replace(":", " :")),
  "a status of four digits": reply(LENGTH).replace("200", "2000"),
  "another protocol": reply(LENGTH).replace("HTTP/1.1", "ICY"),
  "a warning before the object": reply("connection: close\r\n", `<b>Warning</b>: x in /a.php\n${JSON_TEXT}`),
};

for (const [what, bytes] of Object.entries(READ))
  test(`it is read: ${what}`, async (t) => {
    const server = await serve(t, (socket) => socket.write(bytes, "latin1"));
    const { answer } = await makeWallet(t).wallet.send(target(server.url), bet(), 1);
    t.deepEqual(answer, { kind: "accepted", balanceMinor: 9_750n });
  });

for (const [what, bytes] of Object.entries(SILENT))
  test(`it is silence: ${what}`, async (t) => {
    const server = await serve(t, (socket) => socket.end(bytes, "latin1"));
    const { answer } = await makeWallet(t).wallet.send(target(server.url), bet(), 1);
    t.deepEqual(answer, { kind: "silent" });
    t.is(server.accepted(), 1, "it is not sent again by the client");
  });
