import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { promisify } from "node:util";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import {
  Client,
  credentials,
  status as Grpc,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import test, { type ExecutionContext } from "ava";
import { protoPath } from "grpc-health-check";
import { refuse } from "../../../src/domain/errors.ts";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { ErrorInfoSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";
import { GrpcCaller } from "../../../testbed/callers/grpc-caller.ts";
import { KEY, moved, startProviderSide } from "./provider-side.ts";

const { placeBet } = WalletService.method;
const run = promisify(execFile);
const pem = (name: string): string => readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");

/** A client from the official health proto, read by the official loader, without generated code. */
const HealthClient = (
  loadPackageDefinition(loadSync(protoPath, { enums: String })) as never as {
    grpc: { health: { v1: { Health: ServiceClientConstructor } } };
  }
).grpc.health.v1.Health;
const healthOf = (t: ExecutionContext, port: number) => {
  const client = new HealthClient(`127.0.0.1:${port}`, credentials.createInsecure());
  t.teardown(() => client.close());
  return client;
};
type Health = ReturnType<typeof healthOf>;
const check = (health: Health, service: string) =>
  new Promise<{ status?: string; code?: number }>((resolve) => {
    health.check?.({ service }, (error: { code: number } | null, reply: { status: string }) =>
      resolve(error === null ? { status: reply.status } : { code: error.code }),
    );
  });

test("a message over 64 KiB gets RESOURCE_EXHAUSTED and reaches no use case", async (t) => {
  const { port, money } = await startProviderSide(t);
  const caller = new GrpcCaller(t, port);
  t.is(
    (await caller.failure(placeBet, { txId: "x".repeat(64 * 1024) }, { keys: [KEY] })).code,
    Grpc.RESOURCE_EXHAUSTED,
  );
  t.is(
    (await caller.call(placeBet, { txId: "x".repeat(63 * 1024) }, { keys: [KEY] })).status,
    TransactionStatus.SUCCESS,
  );
  t.is(money.requests.length, 1);
});

test("bytes that are not a message get INVALID_ARGUMENT, and so does text that is not UTF-8", async (t) => {
  const { port, money } = await startProviderSide(t);
  const caller = new GrpcCaller(t, port);
  const broken = { cut: Uint8Array.of(0x1a, 0x7f, 0x41), latin1: Uint8Array.of(0x1a, 0x02, 0xe3, 0x6f) };
  for (const raw of Object.values(broken))
    t.is((await caller.failure(placeBet, {}, { keys: [KEY], raw })).code, Grpc.INVALID_ARGUMENT);
  t.is(money.requests.length, 0);
});

test("a client of another gRPC library can read replies and error details", async (t) => {
  const { port, money } = await startProviderSide(t);
  const client = createClient(WalletService, createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` }));
  const headers = { authorization: `Bearer ${KEY}` };
  t.is((await client.placeBet({ txId: "1" }, { headers })).balanceMinor, 1_000n);
  money.answer = () => refuse("TRANSACTION_MISMATCH", { field: "amount" });
  const error = await t.throwsAsync(client.placeBet({ txId: "1" }, { headers }), { instanceOf: ConnectError });
  t.is(error?.code, Code.AlreadyExists);
  t.is(error?.metadata.get("error-code"), "TRANSACTION_MISMATCH");
  t.deepEqual(error?.findDetails(ErrorInfoSchema)[0]?.metadata, { retry: "never", field: "amount" });
});

test("the health service answers SERVING, then NOT_SERVING after setServing(false), and NOT_FOUND for an unknown service", async (t) => {
  const { port, server } = await startProviderSide(t);
  const health = healthOf(t, port);
  t.deepEqual(await check(health, ""), { status: "SERVING" });
  t.deepEqual(await check(health, "aggregator.provider.v1.WalletService"), { status: "SERVING" });
  t.deepEqual(await check(health, "aggregator.operator.v1.ReportService"), { code: Grpc.NOT_FOUND });
  server.setServing(false);
  t.deepEqual(await check(health, ""), { status: "NOT_SERVING" });
  t.deepEqual(await check(health, "aggregator.provider.v1.WalletService"), { status: "NOT_SERVING" });
});

test("a health watch gets each change once, and ends when the server stops", async (t) => {
  const { port, server } = await startProviderSide(t);
  const health = healthOf(t, port);
  const statuses: string[] = [];
  let stopping = Promise.resolve();
  const begun = performance.now();
  const watch = health.watch?.({ service: "" }) as AsyncIterable<{ status: string }>;
  for await (const { status } of watch) {
    statuses.push(status);
    if (statuses.length === 1) {
      server.setServing(true);
      server.setServing(false);
    } else if (statuses.length === 2) {
      stopping = server.stop(60_000);
    }
  }
  await stopping;
  t.true(performance.now() - begun < 30_000, "the watch did not hold the server up");
  t.deepEqual(statuses, ["SERVING", "NOT_SERVING"]);
});

test("callers that hang up during a health watch do not disturb the health service", async (t) => {
  const { port, server } = await startProviderSide(t);
  const health = healthOf(t, port);
  for (let i = 0; i < 3; i++) {
    const watch = health.watch?.({ service: "unheard.of" });
    const { status } = await new Promise<{ status: string }>((resolve) => watch?.once("data", resolve));
    t.is(status, "SERVICE_UNKNOWN");
    watch?.on("error", () => {});
    watch?.cancel();
  }
  server.setServing(false);
  t.deepEqual(await check(health, ""), { status: "NOT_SERVING" });
});

test("buf curl finds and calls the services by reflection", async (t) => {
  const { port } = await startProviderSide(t);
  const buf = (...args: string[]) =>
    run("node_modules/.bin/buf", ["curl", "--http2-prior-knowledge", "--protocol", "grpc", ...args], {
      env: { ...process.env, NO_PROXY: "127.0.0.1" },
    });
  const url = `http://127.0.0.1:${port}`;
  const { stdout: methods } = await buf("--list-methods", url);
  t.true(methods.includes("aggregator.provider.v1.WalletService/PlaceBet"));
  t.true(methods.includes("grpc.health.v1.Health/Check"));
  const bet = JSON.stringify({ sessionId: "s", txId: "1", amountMinor: "250", currency: "BRL" });
  const { stdout } = await buf(
    "-H",
    `authorization: Bearer ${KEY}`,
    "-d",
    bet,
    `${url}/aggregator.provider.v1.WalletService/PlaceBet`,
  );
  t.deepEqual(JSON.parse(stdout), { status: "TRANSACTION_STATUS_SUCCESS", balanceMinor: "1000" });
});

test("reflection also works under its older name, and describes methods and imported files", async (t) => {
  const { port } = await startProviderSide(t);
  const reflectionPath = new URL("../../../proto/grpc/reflection/v1/reflection.proto", import.meta.url).pathname;
  const definition = loadSync(reflectionPath, { oneofs: true })["grpc.reflection.v1.ServerReflection"] as never as {
    ServerReflectionInfo: {
      requestSerialize: (value: object) => Buffer;
      responseDeserialize: (bytes: Buffer) => never;
    };
  };
  const { requestSerialize, responseDeserialize } = definition.ServerReflectionInfo;
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  t.teardown(() => client.close());
  const path = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
  const call = client.makeBidiStreamRequest<
    object,
    Record<string, { fileDescriptorProto: Buffer[]; errorCode: number }>
  >(path, requestSerialize, responseDeserialize, new Metadata());
  const requests = [
    { fileContainingSymbol: "aggregator.provider.v1.WalletService.PlaceBet" },
    { fileContainingSymbol: "aggregator.provider.v1.TransactionStatus" },
    { fileByFilename: "aggregator/provider/v1/transaction_status.proto" },
    { fileContainingSymbol: "no.such.Thing" },
    { allExtensionNumbersOfType: "aggregator.provider.v1.PlaceBetRequest" },
  ];
  for (const request of requests) call.write(request);
  call.end();
  const answers: string[] = [];
  for await (const reply of call) {
    answers.push(
      reply.errorResponse
        ? `error ${reply.errorResponse.errorCode}`
        : (/[a-z][a-z_/0-9]+\.proto/.exec(String(reply.fileDescriptorResponse?.fileDescriptorProto[0]))?.[0] ?? ""),
    );
  }
  t.deepEqual(answers, [
    "aggregator/provider/v1/wallet_service.proto",
    "aggregator/provider/v1/transaction_status.proto",
    "aggregator/provider/v1/transaction_status.proto",
    `error ${Grpc.NOT_FOUND}`,
    `error ${Grpc.NOT_FOUND}`,
  ]);
});

test("with TLS a caller that trusts the server's authority gets an answer, and a caller without TLS gets none", async (t) => {
  const { port } = await startProviderSide(t, { tls: { key: pem("server.key"), cert: pem("server") } });
  const trusting = new GrpcCaller(t, port, credentials.createSsl(Buffer.from(pem("ca"))));
  t.is((await trusting.call(placeBet, {}, { keys: [KEY] })).status, TransactionStatus.SUCCESS);
  const plain = new GrpcCaller(t, port);
  t.is((await plain.failure(placeBet, {}, { keys: [KEY], deadline: Date.now() + 20_000 })).code, Grpc.UNAVAILABLE);
});

test("with mTLS a caller needs a client certificate", async (t) => {
  const ca = Buffer.from(pem("ca"));
  const { port, money } = await startProviderSide(t, {
    tls: { key: pem("server.key"), cert: pem("server"), clientCa: pem("ca") },
  });
  const known = new GrpcCaller(
    t,
    port,
    credentials.createSsl(ca, Buffer.from(pem("client.key")), Buffer.from(pem("client"))),
  );
  t.is((await known.call(placeBet, {}, { keys: [KEY] })).status, TransactionStatus.SUCCESS);
  const stranger = new GrpcCaller(t, port, credentials.createSsl(ca));
  t.is((await stranger.failure(placeBet, {}, { keys: [KEY], deadline: Date.now() + 20_000 })).code, Grpc.UNAVAILABLE);
  t.is(money.requests.length, 1);
});

test("stop finishes the running calls, and refuses new calls", async (t) => {
  const { port, money, server } = await startProviderSide(t);
  const wallet = Promise.withResolvers<ReturnType<typeof moved>>();
  const atWork = Promise.withResolvers<void>();
  money.answer = () => {
    atWork.resolve();
    return wallet.promise;
  };
  const caller = new GrpcCaller(t, port);
  const running = caller.call(placeBet, {}, { keys: [KEY] });
  await atWork.promise;
  let stopped = false;
  const stopping = server.stop(120_000).then(() => {
    stopped = true;
  });
  const newcomer = new GrpcCaller(t, port);
  t.is((await newcomer.failure(placeBet, {}, { keys: [KEY], deadline: Date.now() + 20_000 })).code, Grpc.UNAVAILABLE);
  t.false(stopped);
  wallet.resolve(moved());
  t.is((await running).status, TransactionStatus.SUCCESS);
  await stopping;
  t.is(money.requests.length, 1);
});

test("stop waits for a use case whose caller has hung up, but at most for its time limit", async (t) => {
  const { port, money, server } = await startProviderSide(t);
  const atWork = Promise.withResolvers<void>();
  money.answer = () => {
    atWork.resolve();
    return new Promise(() => {});
  };
  const call = new GrpcCaller(t, port).start(placeBet, {}, { keys: [KEY] });
  await atWork.promise;
  call.cancel();
  await t.throwsAsync(call.response, { message: /CANCELLED/ });
  t.is(server.running, 1);
  const begun = performance.now();
  await server.stop(300);
  const took = performance.now() - begun;
  t.true(took >= 290 && took < 20_000, `${took} ms`);
});

test("stop ends a call that does not end within the time limit, and the port is closed", async (t) => {
  const { port, money, server } = await startProviderSide(t);
  const atWork = Promise.withResolvers<void>();
  money.answer = () => {
    atWork.resolve();
    return new Promise(() => {});
  };
  const call = new GrpcCaller(t, port).failure(placeBet, {}, { keys: [KEY], deadline: Date.now() + 60_000 });
  await atWork.promise;
  const begun = performance.now();
  await server.stop(200);
  t.true(performance.now() - begun < 20_000);
  t.true([Grpc.UNAVAILABLE, Grpc.CANCELLED].includes((await call).code));
  await t.throwsAsync(
    new Promise((resolve, reject) => connect(port, "127.0.0.1", () => resolve(undefined)).once("error", reject)),
    { code: "ECONNREFUSED" },
  );
});

test("start rejects if the address is already in use", async (t) => {
  const { port } = await startProviderSide(t);
  await t.throwsAsync(startProviderSide(t, { port }), { message: /EADDRINUSE|No address added/ });
});
