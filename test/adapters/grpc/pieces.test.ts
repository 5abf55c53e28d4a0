import { readFileSync } from "node:fs";
import { constants } from "node:http2";
import { connect } from "node:net";
import { status as Grpc } from "@grpc/grpc-js";
import test from "ava";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { steady } from "../../../testbed/in-process/steady.ts";
import { closed, opened } from "../http/pieces.ts";
import { KEY, startProviderSide } from "./provider-side.ts";
import { frame, openSession, RawStream } from "./raw-stream.ts";

const PLACE_BET = `/${WalletService.typeName}/PlaceBet`;
const authorization = `Bearer ${KEY}`;
const CHECK = "/grpc.health.v1.Health/Check";
const readAgain = async () => {};
const pem = (name: string): string => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");

/** The DATA frames of a message of 65 535 bytes, each with `size` bytes, without an end. */
function frames(streamId: number, size: number, count: number): Buffer {
  const one = Buffer.concat([Buffer.of(0, size >> 8, size & 255, 0, 0, 0, 0, 0, streamId), Buffer.alloc(size, "a")]);
  const first = Buffer.of(0, 0, 5, 0, 0, 0, 0, 0, streamId, 0, 0, 0, 0xff, 0xff);
  return Buffer.concat([first, ...Array.from({ length: count }, () => one)]);
}

for (const [what, headers, options] of [
  ["with a right key", { authorization }, {}],
  ["without a key", {}, {}],
  ["without a key, which is refused before its message,", {}, { readAgain }],
] as const)
  test(`a message ${what} that comes in frames of one byte is reset long before it is complete`, async (t) => {
    const { port, money } = await startProviderSide(t, options);
    // A refusal soon closes its stream. If the frames come later than that, they are ignored, and the next attempt counts.
    for (let isEnded = false; !isEnded; ) {
      const socket = connect(port, "127.0.0.1");
      const session = openSession(t, port, { createConnection: () => socket });
      const stream = new RawStream(session, PLACE_BET, headers);
      await new RawStream(session, CHECK).end();
      socket.write(frames(1, 1, 2_000));
      await stream.closed;
      if (what === "with a right key") {
        t.is(stream.stream.rstCode, constants.NGHTTP2_ENHANCE_YOUR_CALM);
        break;
      }
      // Without a right key the whole connection is ended.
      isEnded = session.destroyed || (await new RawStream(session, CHECK).end()) !== Grpc.OK;
    }
    t.is(money.requests.length, 0);
    t.is(await new RawStream(openSession(t, port), PLACE_BET, { authorization }).end(), Grpc.OK);
  });

test("a message may come in small frames", async (t) => {
  const { port, money } = await startProviderSide(t);
  const session = openSession(t, port);
  // An unknown field of 8 000 bytes.
  const message = frame(Buffer.concat([Buffer.of(0xa2, 0x06, 0xc0, 0x3e), Buffer.alloc(8_000)]));
  for (const size of [20, 100, 1_000, 5_000]) {
    const stream = new RawStream(session, PLACE_BET, { authorization });
    for (let at = 0; at < message.length; at += size)
      await new Promise((resolve) => stream.stream.write(message.subarray(at, at + size), resolve));
    t.is(await stream.end(Buffer.alloc(0)), Grpc.OK, `${size} bytes`);
  }
  t.is(money.requests.length, 4);
});

test("a call without a right key is refused before its message has come, and its message is not read", async (t) => {
  const { port, money } = await startProviderSide(t, { readAgain });
  const session = openSession(t, port);
  const calls = [{}, { authorization: "Bearer nobody's-key-0123456789" }].map((headers) => {
    const stream = new RawStream(session, PLACE_BET, headers);
    stream.stream.write(Buffer.of(0, 0, 0, 0xff, 0xff));
    return stream;
  });
  await Promise.all(calls.map(({ closed }) => closed));
  for (const { trailers } of calls) t.is(Number(trailers["grpc-status"]), Grpc.UNAUTHENTICATED);
  for (const headers of [{}, { authorization: "Bearer nobody's-key-0123456789" }] as const)
    t.is(await new RawStream(session, PLACE_BET, headers).end(), Grpc.UNAUTHENTICATED);
  t.is(await new RawStream(session, PLACE_BET, { authorization }).end(), Grpc.OK);
  t.is(money.requests.length, 1);
});

test("a key that is newer than the keys in memory is accepted with its message", async (t) => {
  let known = false;
  const { port, money } = await startProviderSide(t, {
    isRightKey: () => known,
    readAgain: async () => {
      known = true;
    },
  });
  const message = frame(Buffer.from([0x1a, 1, 55]));
  t.is(await new RawStream(openSession(t, port), PLACE_BET, { authorization }).end(message), Grpc.OK);
  t.is(money.requests[0]?.txId, "7");
});

for (const [over, options] of [
  ["TCP", {}],
  ["TLS", { tls: { key: pem("server.key"), cert: pem("server") } }],
] as const) {
  test(`over ${over}, a connection that sends nothing is closed after the time of a request`, async (t) => {
    const { port } = await startProviderSide(t, { ...options, requestTimeoutMs: 200 });
    const silent = await opened(port, "127.0.0.1");
    const half = await opened(port, "127.0.0.1", "\x16\x03\x01");
    await Promise.all([silent, half].map(closed));
    t.pass();
  });

  test(`over ${over}, one address cannot hold all connections`, async (t) => {
    const { port } = await startProviderSide(t, { ...options, connectionsMax: 300 });
    const held = await Promise.all(Array.from({ length: 100 }, () => opened(port, "127.0.0.66")));
    t.teardown(() => {
      for (const socket of held) socket.destroy();
    });
    t.is(await steady(() => held.filter((socket) => !socket.closed).length), 64);
    const ca = over === "TLS" ? { ca: pem("ca") } : {};
    t.is(await new RawStream(openSession(t, port, ca), PLACE_BET, { authorization }).end(), Grpc.OK);
  });
}
