import { constants } from "node:http2";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { status as Grpc } from "@grpc/grpc-js";
import test, { type ExecutionContext } from "ava";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { steady } from "../../../testbed/in-process/steady.ts";
import { closed } from "../http/pieces.ts";
import { KEY, startProviderSide } from "./provider-side.ts";
import { frame, openSession, RawStream } from "./raw-stream.ts";

const PLACE_BET = `/${WalletService.typeName}/PlaceBet`;
const authorization = `Bearer ${KEY}`;

/** Begins calls on a new connection whose requests never end. Resolves with the calls that were not refused. */
async function leaveHalfOpen(t: ExecutionContext, port: number, count: number) {
  const session = openSession(t, port);
  const streams = Array.from({ length: count }, () => new RawStream(session, PLACE_BET, { authorization }));
  for (const { stream } of streams) stream.write(Buffer.of(0, 0, 0, 0, 200));
  // Streams arrive in their order, so the server has seen all of them then.
  await new RawStream(session, "/grpc.health.v1.Health/Check").end();
  await steady(() => streams.filter(({ stream }) => stream.closed).length);
  const refused = streams.filter(({ stream }) => stream.closed);
  t.true(
    refused.every(
      ({ trailers }) =>
        Number(trailers["grpc-status"]) === Grpc.RESOURCE_EXHAUSTED && trailers["error-code"] === "OVERLOADED",
    ),
  );
  return streams.filter(({ stream }) => !stream.closed);
}

test("a connection gets half of the streams that other connections do not use, but at least 16; a further stream gets OVERLOADED; other callers get answers", async (t) => {
  const { port } = await startProviderSide(t, { streamsMax: 60, requestTimeoutMs: 600_000 });
  const first = await leaveHalfOpen(t, port, 100);
  t.is(first.length, 30);
  t.is((await leaveHalfOpen(t, port, 100)).length, 16);
  t.is((await leaveHalfOpen(t, port, 100)).length, 16);
  t.is(await new RawStream(openSession(t, port), PLACE_BET, { authorization }).end(), Grpc.OK);
  for (const { stream } of first) stream.close();
  t.is((await leaveHalfOpen(t, port, 100)).length, 16);
});

test("a stream that is answered before its request ends is closed soon", async (t) => {
  const { port, money } = await startProviderSide(t, { requestTimeoutMs: 600_000 });
  const session = openSession(t, port);
  const unknown = new RawStream(session, "/no.such.Service/Call");
  const large = new RawStream(session, PLACE_BET, { authorization });
  large.stream.write(Buffer.of(0, 0xff, 0xff, 0xff, 0xff));
  await Promise.all([unknown.closed, large.closed]);
  t.deepEqual(
    [unknown, large].map(({ trailers }) => Number(trailers["grpc-status"])),
    [Grpc.UNIMPLEMENTED, Grpc.RESOURCE_EXHAUSTED],
  );
  t.is(money.requests.length, 0);
  t.is(await new RawStream(session, PLACE_BET, { authorization }).end(), Grpc.OK);
});

test("a request without a message is answered before the time of a request is over", async (t) => {
  const { port, money } = await startProviderSide(t, { requestTimeoutMs: 600_000 });
  const empty = new RawStream(openSession(t, port), PLACE_BET, { authorization });
  t.is(await empty.end(Buffer.alloc(0)), Grpc.UNIMPLEMENTED);
  t.is(money.requests.length, 0);
});

test("a second message in a unary request ends the stream, and no use case gets either message", async (t) => {
  const { port, money } = await startProviderSide(t);
  const session = openSession(t, port);
  const messages = [
    Buffer.concat([frame(), Buffer.of(0)]),
    Buffer.concat([frame(Buffer.alloc(10)), frame()]),
    Buffer.concat(Array(3_000).fill(frame())),
  ];
  for (const bytes of messages) {
    const stream = new RawStream(session, PLACE_BET, { authorization });
    await stream.end(bytes);
    t.is(stream.stream.rstCode, constants.NGHTTP2_PROTOCOL_ERROR);
    t.deepEqual(stream.trailers, {});
  }
  t.is(money.requests.length, 0);
  const slow = new RawStream(session, PLACE_BET, { authorization });
  for (const byte of frame()) {
    slow.stream.write(Buffer.of(byte));
    await pause(5);
  }
  t.is(await slow.end(Buffer.alloc(0)), Grpc.OK);
});

test("requests that don't end use at most 32 MiB together, and small requests are still answered", async (t) => {
  const { port } = await startProviderSide(t, { requestTimeoutMs: 600_000 });
  const part = Buffer.concat([Buffer.of(0, 0, 0, 0xff, 0xff), Buffer.alloc(60_000)]);
  const streams = Array.from({ length: 8 }, () => openSession(t, port)).flatMap((session) =>
    Array.from({ length: 100 }, () => new RawStream(session, PLACE_BET, { authorization })),
  );
  for (const { stream } of streams) stream.write(part);
  const ended = () => streams.filter(({ stream }) => stream.closed);
  // The number of refused requests depends on the size of their parts. 559 requests of 60 kB fit into the limit.
  while (ended().length < 800 - 560) await pause(50);
  t.true(ended().every(({ stream }) => stream.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM));
  // Less than 60 kB of the limit is left.
  const session = openSession(t, port);
  const small = Array.from({ length: 30 }, () => new RawStream(session, PLACE_BET, { authorization }));
  for (const { stream } of small) stream.write(part.subarray(0, 3_000));
  t.is(await new RawStream(session, PLACE_BET, { authorization }).end(), Grpc.OK);
  t.true(small.every(({ stream }) => !stream.closed));
  for (const { stream } of [...streams, ...small]) stream.close();
  const large = new RawStream(openSession(t, port), PLACE_BET, { authorization });
  t.is(
    await large.end(frame(Buffer.concat([Buffer.of(0xa2, 0x06, 0x98, 0x75), Buffer.alloc(15_000)]))),
    Grpc.OK,
    "there is room again",
  );
});

test("a reply that the caller does not read is abandoned, but an idle health watch stays open", async (t) => {
  const { port } = await startProviderSide(t, { replyTimeoutMs: 100 });
  const watch = new RawStream(openSession(t, port), "/grpc.health.v1.Health/Watch");
  watch.stream.end(frame());
  const session = openSession(t, port, { settings: { initialWindowSize: 0 } });
  const unread = Array.from({ length: 10 }, () => new RawStream(session, PLACE_BET, { authorization }));
  for (const { stream } of unread) stream.end(frame());
  await Promise.all(unread.map(({ closed }) => closed));
  t.true(unread.every(({ stream, received }) => stream.rstCode === constants.NGHTTP2_CANCEL && received === 0));
  t.false(watch.stream.closed);
  t.true(watch.received > 0);
});

test("a call with more than 16 KiB of headers reaches no use case", async (t) => {
  const { port, money } = await startProviderSide(t);
  const session = openSession(t, port);
  const large = new RawStream(session, PLACE_BET, { authorization, "x-large": "x".repeat(17_000) });
  t.is(await large.end(), Grpc.RESOURCE_EXHAUSTED);
  t.is(await new RawStream(session, PLACE_BET, { authorization, "x-large": "x".repeat(12_000) }).end(), Grpc.OK);
  t.is(money.requests.length, 1);
});

test("a connection that doesn't begin with HTTP/2 is closed, and an HTTP/2 connection stays open without a call", async (t) => {
  const { port } = await startProviderSide(t, { requestTimeoutMs: 1_000 });
  const silent = connect(port, "127.0.0.1").resume();
  const half = connect(port, "127.0.0.1").resume();
  half.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  const idle = openSession(t, port);
  await Promise.all([silent, half].map(closed));
  t.false(idle.closed);
  t.is(await new RawStream(idle, "/grpc.health.v1.Health/Check").end(), Grpc.OK);
});
