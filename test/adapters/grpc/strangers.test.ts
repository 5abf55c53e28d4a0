import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, constants } from "node:http2";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { status as Grpc } from "@grpc/grpc-js";
import test, { type ExecutionContext } from "ava";
import { parseIpRange } from "../../../src/domain/access/ip-list.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { GrpcCaller } from "../../../testbed/callers/grpc-caller.ts";
import { steady } from "../../../testbed/in-process/steady.ts";
import { closed } from "../http/pieces.ts";
import { KEY, startProviderSide } from "./provider-side.ts";
import { frame, openSession, RawStream } from "./raw-stream.ts";

const PLACE_BET = `/${WalletService.typeName}/PlaceBet`;
const CHECK = "/grpc.health.v1.Health/Check";
const authorization = `Bearer ${KEY}`;
const wrong = { authorization: "Bearer nobody's-key-0123456789" };

/** A rate that is so low that no token is added while a test runs. */
const rate = (capacity: number) => ({ perSecond: 1e-6, capacity });
const MANY = rate(10_000);

const pem = (name: string): string => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");

/** Connects from this local address. On Linux all addresses of 127.0.0.0/8 belong to the machine. */
const from = (t: ExecutionContext, port: number, localAddress: string): ClientHttp2Session =>
  openSession(t, port, { createConnection: () => connect({ port, host: "127.0.0.1", localAddress }) });

const settingsOf = async (session: ClientHttp2Session): Promise<number | undefined> =>
  ((await once(session, "remoteSettings")) as [{ maxConcurrentStreams?: number }])[0].maxConcurrentStreams;

/** Resolves with the code of the GOAWAY that ends the connection. */
function ending(session: ClientHttp2Session): Promise<number | undefined> {
  let code: number | undefined;
  session.on("goaway", (errorCode) => {
    code ??= errorCode;
  });
  return new Promise((resolve) => session.once("close", () => resolve(code)));
}

test("a connection may have a hundred streams until it shows a right key, and 1 024 after that", async (t) => {
  const { port } = await startProviderSide(t, { strangers: { calls: MANY, connections: MANY } });
  const session = openSession(t, port);
  t.is(await settingsOf(session), 100);
  t.is(await new RawStream(session, PLACE_BET, wrong).end(), Grpc.UNAUTHENTICATED);
  t.is(session.remoteSettings.maxConcurrentStreams, 100);
  const [more, status] = await Promise.all([
    settingsOf(session),
    new RawStream(session, PLACE_BET, { authorization }).end(),
  ]);
  t.deepEqual([more, status], [1_024, Grpc.OK]);
});

test("three thousand concurrent calls on a new connection are all answered, with each of three client libraries", async (t) => {
  // A busy machine needs longer for so many calls than a request may take to arrive.
  const { port, money } = await startProviderSide(t, { requestTimeoutMs: 600_000 });
  const { answer } = money;
  money.answer = async (request) => {
    await pause(20);
    return answer(request);
  };
  const session = openSession(t, port);
  const raw = Array.from({ length: 3_000 }, () => new RawStream(session, PLACE_BET, { authorization }).end());
  t.true((await Promise.all(raw)).every((status) => status === Grpc.OK));

  const caller = new GrpcCaller(t, port);
  const grpc = Array.from({ length: 3_000 }, () =>
    caller.call(WalletService.method.placeBet, {}, { keys: [KEY], deadline: Date.now() + 170_000 }),
  );
  await Promise.all(grpc);

  const client = createClient(WalletService, createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` }));
  await Promise.all(Array.from({ length: 3_000 }, () => client.placeBet({}, { headers: { authorization } })));
  t.is(money.requests.length, 9_000);
});

test("a call above the limit without a right key ends its connection; right keys and other addresses are not affected", async (t) => {
  const { port, money } = await startProviderSide(t, { strangers: { calls: rate(20), connections: MANY } });
  const kept = openSession(t, port);
  t.is(await new RawStream(kept, PLACE_BET, { authorization }).end(), Grpc.OK);
  const hostile = openSession(t, port);
  for (let i = 0; i < 20; i++) t.is(await new RawStream(hostile, PLACE_BET, wrong).end(), Grpc.UNAUTHENTICATED);
  for (const [path, headers] of [
    [PLACE_BET, wrong],
    [PLACE_BET, {}],
    [CHECK, {}],
    ["/no.such.Service/Call", {}],
  ] as const) {
    const session = openSession(t, port);
    const over = ending(session);
    new RawStream(session, path, headers).stream.end(frame());
    t.is(await over, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
  t.is(await new RawStream(kept, PLACE_BET, { authorization }).end(), Grpc.OK);
  t.is(await new RawStream(kept, CHECK).end(), Grpc.OK, "it has shown its key");
  t.is(await new RawStream(openSession(t, port), PLACE_BET, { authorization }).end(), Grpc.OK);
  t.is(await new RawStream(from(t, port, "127.0.0.2"), CHECK).end(), Grpc.OK);
  t.is(money.requests.length, 3);
});

for (const [name, options] of [
  ["plaintext", {}],
  ["TLS", { tls: { key: pem("server.key"), cert: pem("server") } }],
] as const) {
  test(`with ${name} a new connection from an address with too many calls has 8 streams until it shows a right key`, async (t) => {
    const { port } = await startProviderSide(t, { ...options, strangers: { calls: rate(1), connections: MANY } });
    const open = () => openSession(t, port, name === "TLS" ? { ca: pem("ca") } : {});
    const first = open();
    t.is(await settingsOf(first), 100);
    t.is(await new RawStream(first, CHECK).end(), Grpc.OK);
    const second = open();
    t.is(await settingsOf(second), 8);
    const [more, status] = await Promise.all([
      settingsOf(second),
      new RawStream(second, PLACE_BET, { authorization }).end(),
    ]);
    t.deepEqual([more, status], [1_024, Grpc.OK]);
  });
}

test("on a connection with a right key, a health call above the limit is reset, and the other calls go on", async (t) => {
  const { port } = await startProviderSide(t, { strangers: { calls: rate(5), connections: MANY } });
  const session = openSession(t, port);
  t.is(await new RawStream(session, PLACE_BET, { authorization }).end(), Grpc.OK);
  for (let i = 0; i < 5; i++) t.is(await new RawStream(session, CHECK).end(), Grpc.OK);
  const more = new RawStream(session, CHECK);
  await more.end();
  t.is(more.stream.rstCode, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  t.is(await new RawStream(session, PLACE_BET, { authorization }).end(), Grpc.OK);
});

/** A frame of HTTP/2. */
function h2Frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
const [HEADERS, RST_STREAM, SETTINGS, GOAWAY] = [1, 3, 4, 7];
/** POST / over http with the authority "a", in the static table of HPACK. */
const POST = Buffer.of(0x83, 0x86, 0x84, 0x01, 0x01, 0x61);

const PREFACE = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  h2Frame(SETTINGS, 0, 0, Buffer.alloc(0)),
]);
const begun = (i: number): Buffer => h2Frame(HEADERS, 4, 2 * i + 1, POST);
const reset = (i: number): Buffer => h2Frame(RST_STREAM, 0, 2 * i + 1, Buffer.of(0, 0, 0, constants.NGHTTP2_CANCEL));

test("streams that are reset in their first packet are counted, too", async (t) => {
  const { port } = await startProviderSide(t, { strangers: { calls: rate(50), connections: MANY } });
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  t.teardown(() => socket.destroy());
  const received: Buffer[] = [];
  socket.on("data", (bytes) => received.push(bytes as Buffer));
  const resets = Array.from({ length: 51 }, (_, i) => [begun(i), reset(i)]).flat();
  socket.write(Buffer.concat([PREFACE, ...resets]));
  await closed(socket);
  const goaway = Buffer.concat(received);
  const at = goaway.indexOf(Buffer.of(0, 0, 8, GOAWAY));
  t.is(goaway.readUInt32BE(at + 9 + 4), constants.NGHTTP2_ENHANCE_YOUR_CALM);
});

for (const [name, options] of [
  ["plaintext", {}],
  ["TLS", { tls: { key: pem("server.key"), cert: pem("server") } }],
] as const) {
  test(`with ${name} an address whose connections keep ending without a right key may open no more; other addresses may`, async (t) => {
    const { port } = await startProviderSide(t, {
      ...options,
      requestTimeoutMs: 600_000,
      strangers: { calls: MANY, connections: rate(3) },
    });
    const opened = async (localAddress: string) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
      t.teardown(() => socket.destroy());
      await once(socket, "connect");
      return socket.resume();
    };
    const isClosed = (socket: Awaited<ReturnType<typeof opened>>) => steady(() => socket.destroyed);
    const other = await opened("127.0.0.2");
    let ended = 0;
    for (; ended < 20; ended++) {
      const socket = await opened("127.0.0.1");
      if (await isClosed(socket)) break;
      if (name === "plaintext") socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0");
      socket.end(name === "TLS" ? "no TLS" : "");
      await closed(socket);
    }
    t.is(ended, 3);
    t.false(await isClosed(other));
    t.false(await isClosed(await opened("127.0.0.2")));
  });
}

test("connections that have shown a right key may end any number of times", async (t) => {
  const { port } = await startProviderSide(t, { strangers: { calls: MANY, connections: rate(3) } });
  for (let i = 0; i < 10; i++) {
    const session = openSession(t, port);
    t.is(await new RawStream(session, PLACE_BET, { authorization }).end(), Grpc.OK);
    session.destroy();
  }
});

test("each connection from a trusted proxy is counted separately", async (t) => {
  const proxy = parseIpRange("127.0.0.0/24");
  const trustedProxies = proxy === undefined ? [] : [proxy];
  const { port } = await startProviderSide(t, { trustedProxies, strangers: { calls: rate(5), connections: rate(1) } });
  for (let i = 0; i < 3; i++) {
    const session = openSession(t, port);
    for (let call = 0; call < 5; call++) t.is(await new RawStream(session, CHECK).end(), Grpc.OK);
    const over = ending(session);
    new RawStream(session, CHECK).stream.end(frame());
    t.is(await over, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }
});

test("callers without a right key share a number of streams: a connection gets half of the streams that the others do not use, but at least 8; callers with right keys do not use these streams", async (t) => {
  const { port } = await startProviderSide(t, {
    strangersStreamsMax: 40,
    requestTimeoutMs: 600_000,
    strangers: { calls: MANY, connections: MANY },
  });
  const leaveOpen = async () => {
    const session = openSession(t, port);
    const streams = Array.from({ length: 60 }, () => new RawStream(session, PLACE_BET));
    for (const { stream } of streams) stream.write(Buffer.of(0));
    while (streams.some(({ stream }) => !stream.closed) && streams.filter(({ stream }) => stream.closed).length < 40)
      await pause(10);
    await steady(() => streams.filter(({ stream }) => stream.closed).length);
    t.true(streams.every(({ stream, trailers }) => !stream.closed || trailers["error-code"] === "OVERLOADED"));
    return streams.filter(({ stream }) => !stream.closed).length;
  };
  t.deepEqual([await leaveOpen(), await leaveOpen(), await leaveOpen()], [20, 10, 8]);
  const session = openSession(t, port);
  const statuses = await Promise.all(
    Array.from({ length: 90 }, () => new RawStream(session, PLACE_BET, { authorization }).end()),
  );
  t.true(statuses.every((status) => status === Grpc.OK));
});

test("unfinished requests without a right key share 2 MiB, and do not use the memory for other callers' requests", async (t) => {
  const { port } = await startProviderSide(t, { requestTimeoutMs: 600_000, strangersStreamsMax: 1_000 });
  const part = Buffer.concat([Buffer.of(0, 0, 0, 0xff, 0xff), Buffer.alloc(60_000)]);
  const session = openSession(t, port);
  const streams = Array.from({ length: 60 }, () => new RawStream(session, PLACE_BET));
  for (const { stream } of streams) stream.write(part);
  const ended = () => streams.filter(({ stream }) => stream.closed);
  while (ended().length < 60 - 35) await pause(20);
  t.true(ended().every(({ stream }) => stream.rstCode === constants.NGHTTP2_ENHANCE_YOUR_CALM));
  const message = Buffer.concat([Buffer.of(0xa2, 0x06, 0x98, 0x75), Buffer.alloc(15_000)]);
  t.is(await new RawStream(openSession(t, port), PLACE_BET, { authorization }).end(frame(message)), Grpc.OK);
});

test("all requests of one reflection stream together may have 16 KiB", async (t) => {
  const { port } = await startProviderSide(t);
  const stream = new RawStream(openSession(t, port), "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo");
  const request = frame(Buffer.concat([Buffer.of(0x0a, 100), Buffer.alloc(100, "x")]));
  for (let sent = 0; sent <= 16 * 1_024; sent += request.length) stream.stream.write(request);
  await stream.closed;
  t.is(stream.stream.rstCode, constants.NGHTTP2_ENHANCE_YOUR_CALM);
});
