/** Hostile connections over HTTP/2: many streams whose answers are never read. */
import { type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { HealthCheckRequestSchema } from "../../src/gen/grpc/health/v1/health_pb.ts";
import { ServerReflectionRequestSchema } from "../../src/gen/grpc/reflection/v1/reflection_pb.ts";
import type { Hostile, Kind } from "./http1.ts";

/** Streams at once on one connection. The service allows fewer. */
const STREAMS_MAX = 2_000;
/** The maximum number of unsent bytes of a stream, so that this process does not run out of memory. */
const WAITING_MAX_BYTES = 65_536;

/** A message in gRPC's framing. */
function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

const WATCH = framed(toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema, {})));
const SYMBOL = "aggregator.provider.v1.WalletService";
const QUESTION = framed(
  toBinary(
    ServerReflectionRequestSchema,
    create(ServerReflectionRequestSchema, { messageRequest: { case: "fileContainingSymbol", value: SYMBOL } }),
  ),
);
const QUESTIONS = Buffer.concat(Array.from({ length: 50 }, () => QUESTION));

const GET_BALANCE = "/aggregator.provider.v1.WalletService/GetBalance";
/** The beginning of a message of 40 000 bytes. */
const BEGINNING = Buffer.concat([Buffer.of(0, 0, 0, 0x9c, 0x40), Buffer.alloc(1_000)]);

/** @param sendMore - sends more on an open stream, and returns the number of messages sent. */
function streams(
  port: number,
  from: string,
  path: string,
  perAct: number,
  sendMore: (stream: ClientHttp2Stream) => number,
  headers = {},
): Hostile {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  const session = connectHttp2(`http://127.0.0.1:${port}`, { createConnection: () => socket });
  session.on("error", () => socket.destroy()).on("close", () => socket.destroy());
  const running = new Set<ClientHttp2Stream>();
  const begin = (): number => {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    running.add(stream);
    stream.on("error", () => {}).once("close", () => running.delete(stream));
    return sendMore(stream);
  };
  return {
    socket,
    act: () => {
      let sent = 0;
      for (const stream of running)
        if (stream.writable && stream.writableLength < WAITING_MAX_BYTES) sent += sendMore(stream);
      for (let i = 0; i < perAct && running.size < STREAMS_MAX && !session.closed && !session.destroyed; i++)
        sent += begin();
      return sent;
    },
  };
}
const portOf: (...[attack, , random]: Parameters<Kind>) => number = ({ ports }, _, random) =>
  random.pick([ports.grpc, ports.grpc, ports.internalGrpc]);

export const watches: Kind = (attack, from, random) =>
  streams(portOf(attack, from, random), from, "/grpc.health.v1.Health/Watch", 100, (stream) => {
    if (stream.writableEnded) return 0;
    stream.end(WATCH);
    return 1;
  });

export const reflections: Kind = (attack, from, random) =>
  streams(
    portOf(attack, from, random),
    from,
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    10,
    (stream) => {
      stream.write(QUESTIONS);
      return 50;
    },
  );

/** Requests that send a few bytes at a time for as long as the service allows. */
export const halfOpenCalls: Kind = (attack, from, random) =>
  streams(portOf(attack, from, random), from, GET_BALANCE, 100, (stream) => {
    stream.write(BEGINNING);
    return 1;
  });

/** Messages whose DATA frames have one byte. They never end. */
export const dustFrames: Kind = (attack, from, random) => {
  const byte = Buffer.of(97);
  return streams(portOf(attack, from, random), from, GET_BALANCE, 10, (stream) => {
    if (stream.closed || stream.destroyed) return 0;
    for (let i = 0; i < 500; i++) stream.write(byte);
    return 1;
  });
};

/** Complete requests with a wrong key. */
export const wrongKeys: Kind = (attack, from, random) => {
  const guess = (stream: ClientHttp2Stream): number => {
    if (stream.writableEnded) return 0;
    stream.end(framed(Buffer.alloc(0)));
    return 1;
  };
  return streams(portOf(attack, from, random), from, GET_BALANCE, 100, guess, {
    authorization: `Bearer ${random.hex()}`,
  });
};

/** Streams that are reset at once after they begin. */
export const resets: Kind = (attack, from, random) =>
  streams(portOf(attack, from, random), from, GET_BALANCE, 400, (stream) => {
    if (stream.closed) return 0;
    stream.write(BEGINNING);
    stream.close(8);
    return 1;
  });
