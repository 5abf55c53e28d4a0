/** A gRPC server in a process of its own, which tells how large its old generation is. */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { GrpcServer } from "../../../src/adapters/grpc/server/grpc-server.ts";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { WalletService } from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options: { type: "minor" }) => void;

const answer = async () => ({ status: TransactionStatus.SUCCESS });
const server = new GrpcServer(
  (router) =>
    void router.service(WalletService, {
      getBalance: answer,
      placeBet: answer,
      payWin: answer,
      play: answer,
      refundBet: answer,
      rollbackWin: answer,
      reverse: answer,
      endRound: async () => ({}),
      getTransaction: async () => ({}),
      getRound: async () => ({}),
      getSession: async () => ({}),
    }),
  { host: "127.0.0.1", port: 0, isRightKey: () => true },
);

process.on("message", () => {
  // An object that survives two minor collections moves to the old generation.
  collect({ type: "minor" });
  collect({ type: "minor" });
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space");
  process.send?.({ oldBytes: space?.space_used_size });
});
process.send?.({ port: await server.start() });
