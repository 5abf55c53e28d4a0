import { create, toBinary } from "@bufbuild/protobuf";
import { Metadata, Server, ServerCredentials, status } from "@grpc/grpc-js";
import test from "ava";
import { leanProvider } from "../../bench/load/lean-provider.ts";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { PlaceBetResponseSchema } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";

const bytes = (value: Uint8Array) => Buffer.from(value);
const placeBet = {
  path: "/aggregator.provider.v1.WalletService/PlaceBet",
  requestStream: false,
  responseStream: false,
  requestDeserialize: (raw: Buffer) => raw,
  requestSerialize: bytes,
  responseDeserialize: (raw: Buffer) => raw,
  responseSerialize: bytes,
} as const;

test("the bench's provider reads a gRPC server's answers, and uses no more streams than the server allows", async (t) => {
  const server = new Server({ "grpc.max_concurrent_streams": 4 });
  let [underWay, most, calls] = [0, 0, 0];
  server.addService(
    { placeBet },
    {
      placeBet: (_call: unknown, reply: (error: object | null, value?: Uint8Array) => void) => {
        most = Math.max(most, ++underWay);
        const refused = ++calls % 3 === 0;
        setImmediate(() => {
          underWay -= 1;
          const metadata = new Metadata();
          metadata.set("error-code", "OVERLOADED");
          if (refused) reply({ code: status.RESOURCE_EXHAUSTED, details: "OVERLOADED", metadata });
          else
            reply(
              null,
              toBinary(PlaceBetResponseSchema, create(PlaceBetResponseSchema, { status: TransactionStatus.PENDING })),
            );
        });
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  t.teardown(() => server.forceShutdown());

  const call = leanProvider({
    protocol: "grpc",
    address: `127.0.0.1:${port}`,
    apiKey: "key",
    currency: "BRL",
    sessions: ["s"],
    connections: 1,
  });
  const outcomes = await Promise.all(
    Array.from({ length: 300 }, () => new Promise<string>((resolve) => call(({ outcome }) => resolve(outcome)))),
  );
  t.is(outcomes.filter((outcome) => outcome === "OVERLOADED").length, 100);
  t.is(outcomes.filter((outcome) => outcome === "PENDING").length, 200);
  t.is(most, 4);
});
