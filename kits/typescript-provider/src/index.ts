export * from "../../../src/gen/aggregator/provider/v1/game_service_pb.ts";
export * from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
export * from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
export { Aggregator, type AggregatorOptions, type BetOutcome } from "./aggregator.ts";
export { gameServer, type OpenGame } from "./game-server.ts";
export { type Refusal, refusalOf } from "./refusal.ts";
