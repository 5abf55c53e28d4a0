import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import test from "ava";
import { type Ending, Exchange } from "../../../src/adapters/wallet-http/exchange.ts";

function start(): { exchange: Exchange; endings: Ending[] } {
  const endings: Ending[] = [];
  return { exchange: new Exchange((ending) => endings.push(ending)), endings };
}

test("a request is written once, and never after its end", (t) => {
  const { exchange } = start();
  t.deepEqual([exchange.start(), exchange.start()], [true, false]);
  const timedOut = start().exchange;
  timedOut.fail("timeout");
  t.false(timedOut.start());
});

test("an exchange ends once, and ignores data that comes later", (t) => {
  const { exchange, endings } = start();
  exchange.start();
  exchange.head(200, undefined);
  exchange.fail("timeout");
  exchange.data(Buffer.from('{"ok":true,"balance":1}'));
  exchange.end();
  exchange.broken(new Error("reset"));
  exchange.fail("connect");
  t.deepEqual(endings, [{ fault: "timeout", status: 200, body: Buffer.alloc(0) }]);
});

test("an interim reply does not count as the beginning of the reply", (t) => {
  const { exchange, endings } = start();
  exchange.head(103, undefined);
  exchange.fail("timeout");
  t.deepEqual(endings, [{ fault: "timeout", status: null, body: Buffer.alloc(0) }]);
});

test("a body of 64 KiB that comes in pieces of one byte is put together, and takes less than 3 MB of the heap", (t) => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { exchange, endings } = start();
  exchange.head(200, undefined);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 65_536; n++) exchange.data(Buffer.from([n % 251]));
  collect();
  t.true(process.memoryUsage().heapUsed - before < 3_000_000);
  exchange.end();
  const expected = Buffer.from(Uint8Array.from({ length: 65_536 }, (_, n) => n % 251));
  t.deepEqual(endings, [{ fault: null, status: 200, body: expected }]);
});

test("the error's code decides whether the fault of a connection is tls or connect", (t) => {
  const codes = {
    tls: [
      "CERT_HAS_EXPIRED",
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "SELF_SIGNED_CERT_IN_CHAIN",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "EPROTO",
      "ERR_SSL_WRONG_VERSION_NUMBER",
    ],
    connect: [
      "ECONNREFUSED",
      "ECONNRESET",
      "EPIPE",
      "ENOTFOUND",
      "EHOSTUNREACH",
      "UND_ERR_SOCKET",
      "HPE_INVALID_CONSTANT",
      undefined,
    ],
  } as const;
  for (const [fault, list] of Object.entries(codes)) {
    for (const code of list) {
      const { exchange, endings } = start();
      exchange.broken(Object.assign(new Error("x"), code === undefined ? {} : { code }));
      t.like(endings[0], { fault: fault as "tls" | "connect", status: null }, code);
    }
  }
});
