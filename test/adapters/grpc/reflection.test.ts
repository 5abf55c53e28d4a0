import { setTimeout as pause } from "node:timers/promises";
import { create, createFileRegistry, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyUnpack, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { createContextValues, type HandlerContext } from "@connectrpc/connect";
import { Client, credentials, status as Grpc, Metadata } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import test, { type ExecutionContext } from "ava";
import { Reflection } from "../../../src/adapters/grpc/server/reflection.ts";
import { refuse } from "../../../src/domain/errors.ts";
import { GameService } from "../../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { StatusSchema } from "../../../src/gen/google/rpc/status_pb.ts";
import { ServerReflectionRequestSchema } from "../../../src/gen/grpc/reflection/v1/reflection_pb.ts";
import { GrpcCaller } from "../../../testbed/callers/grpc-caller.ts";
import { KEY, startProviderSide } from "./provider-side.ts";
import { frame, openSession, RawStream } from "./raw-stream.ts";

const PATH = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

interface Answer {
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: Buffer[] };
  readonly listServicesResponse?: { readonly service: { readonly name: string }[] };
}

/** Sends requests over one stream, with the published proto and the official loader. */
async function ask(t: ExecutionContext, port: number, requests: readonly object[]): Promise<Answer[]> {
  const proto = new URL("../../../proto/grpc/reflection/v1/reflection.proto", import.meta.url).pathname;
  const { ServerReflectionInfo } = loadSync(proto, { oneofs: true })[
    "grpc.reflection.v1.ServerReflection"
  ] as never as {
    ServerReflectionInfo: {
      requestSerialize: (value: object) => Buffer;
      responseDeserialize: (bytes: Buffer) => Answer;
    };
  };
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  t.teardown(() => client.close());
  const call = client.makeBidiStreamRequest(
    PATH,
    ServerReflectionInfo.requestSerialize,
    ServerReflectionInfo.responseDeserialize,
    new Metadata(),
  );
  for (const request of requests) call.write(request);
  call.end();
  const answers: Answer[] = [];
  for await (const answer of call) answers.push(answer as Answer);
  return answers;
}

/** The file with this symbol and all of its imports, imports first. */
async function describe(t: ExecutionContext, port: number, symbol: string) {
  const files = new Map<string, ReturnType<typeof file>>();
  const file = (answer: Answer | undefined) =>
    fromBinary(FileDescriptorProtoSchema, answer?.fileDescriptorResponse?.fileDescriptorProto[0] as Buffer);
  const add = async (request: object): Promise<void> => {
    const [answer] = await ask(t, port, [request]);
    const found = file(answer);
    for (const name of found.dependency) if (!files.has(name)) await add({ fileByFilename: name });
    files.set(found.name, found);
  };
  await add({ fileContainingSymbol: symbol });
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [...files.values()] }));
}

test("a client can read an error's details with reflection alone", async (t) => {
  const { port, money } = await startProviderSide(t);
  money.answer = () => refuse("TRANSACTION_MISMATCH", { field: "amount" });
  const { status } = await new GrpcCaller(t, port).failure(WalletService.method.placeBet, {}, { keys: [KEY] });
  const registry = await describe(t, port, "google.rpc.ErrorInfo");
  const [detail] = status?.details.map((any) => anyUnpack(any, registry)) ?? [];
  t.like(detail, {
    $typeName: "google.rpc.ErrorInfo",
    reason: "TRANSACTION_MISMATCH",
    metadata: { field: "amount", retry: "never" },
  });
  t.truthy((await describe(t, port, "google.rpc.Status")).getMessage(StatusSchema.typeName));
  t.truthy(registry.getMessage("google.rpc.BadRequest"));
});

test("a service that callers implement is listed and described", async (t) => {
  const { port } = await startProviderSide(t, { describes: [GameService] });
  const [list] = await ask(t, port, [{ listServices: "" }]);
  t.deepEqual(
    list?.listServicesResponse?.service.map(({ name }) => name),
    [WalletService.typeName, GameService.typeName, "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"],
  );
  t.truthy((await describe(t, port, GameService.typeName)).getService(GameService.typeName)?.method.openGame);
});

test("a file is serialized only once for any number of requests", async (t) => {
  const request = create(ServerReflectionRequestSchema, {
    messageRequest: { case: "fileContainingSymbol", value: WalletService.typeName },
  });
  async function* twice() {
    yield request;
    yield request;
  }
  const written: unknown[] = [];
  for await (const { messageResponse } of new Reflection([WalletService]).serverReflectionInfo(twice(), {
    values: createContextValues(),
  } as HandlerContext))
    if (messageResponse?.case === "fileDescriptorResponse")
      written.push(messageResponse.value.fileDescriptorProto?.[0]);
  t.is(written.length, 2);
  t.is(written[0], written[1]);
});

test("a reflection stream answers 256 requests, and the next request gets RESOURCE_EXHAUSTED", async (t) => {
  const { port } = await startProviderSide(t);
  const one = frame(
    toBinary(
      ServerReflectionRequestSchema,
      create(ServerReflectionRequestSchema, { messageRequest: { case: "fileByFilename", value: "no.proto" } }),
    ),
  );
  const session = openSession(t, port);
  const measured = new RawStream(session, PATH);
  t.is(await measured.end(one), Grpc.OK);
  const most = new RawStream(session, PATH);
  t.is(await most.end(Buffer.concat(Array(256).fill(one))), Grpc.OK);
  t.is(most.received, 256 * measured.received);
  const over = new RawStream(session, PATH);
  t.is(await over.end(Buffer.concat(Array(300).fill(one))), Grpc.RESOURCE_EXHAUSTED);
  t.is(over.trailers["error-code"], "OVERLOADED");
  t.is(over.received, 256 * measured.received);
});

test("all callers together get answers to a thousand requests at once, and then to a hundred requests a second", async (t) => {
  const { port } = await startProviderSide(t);
  const one = frame(
    toBinary(
      ServerReflectionRequestSchema,
      create(ServerReflectionRequestSchema, { messageRequest: { case: "fileByFilename", value: "no.proto" } }),
    ),
  );
  const measured = new RawStream(openSession(t, port), PATH);
  t.is(await measured.end(one), Grpc.OK);
  const begun = performance.now();
  const streams = Array.from({ length: 8 }, () => new RawStream(openSession(t, port), PATH));
  await Promise.all(streams.map((stream) => stream.end(Buffer.concat(Array(256).fill(one)))));
  const answers = 1 + streams.reduce((sum, { received }) => sum + received, 0) / measured.received;
  t.true(answers >= 1_024 - 8 * 16 && answers <= 1_024 + (performance.now() - begun) / 10 + 1, `${answers} answers`);
  t.true(streams.some(({ trailers }) => trailers["error-code"] === "OVERLOADED"));
});

test("a connection may have four reflection streams, and all connections 64; after the end of one a new stream is accepted", async (t) => {
  const { port } = await startProviderSide(t);
  const sessions = Array.from({ length: 20 }, () => openSession(t, port));
  const ask = frame(
    toBinary(
      ServerReflectionRequestSchema,
      create(ServerReflectionRequestSchema, { messageRequest: { case: "listServices", value: "" } }),
    ),
  );
  const open = async (session: ReturnType<typeof openSession>, count: number) => {
    const streams = Array.from({ length: count }, () => new RawStream(session, PATH));
    for (const { stream } of streams) stream.write(ask);
    await Promise.all(streams.map((stream) => Promise.race([stream.answered(), stream.closed])));
    return streams.filter(({ received }) => received > 0);
  };
  const [first, ...others] = sessions as [ReturnType<typeof openSession>, ...ReturnType<typeof openSession>[]];
  const streams = await open(first, 10);
  t.is(streams.length, 4);
  t.is(4 + (await Promise.all(others.map((session) => open(session, 4)))).flat().length, 64);
  for (const { stream } of streams) stream.end();
  while ((await open(first, 1)).length === 0) await pause(20);
  t.pass();
});
