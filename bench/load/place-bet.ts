import { randomBytes } from "node:crypto";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { Pool } from "undici";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { PlaceBetRequestSchema, PlaceBetResponseSchema } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import type { Target } from "./orders.ts";

export const SUCCESS = "SUCCESS";

/** Places one bet that nobody has placed before and tells its outcome: {@link SUCCESS}, or what came instead. */
export type PlaceBet = (done: (outcome: string) => void) => void;

/** What the provider's protocol recommends. */
const DEADLINE_MS = 10_000;
const PATH = "/aggregator.provider.v1.WalletService/PlaceBet";

export function placeBetAt(target: Exclude<Target, { protocol: "rest" }>): PlaceBet {
  return target.protocol === "grpc" ? overGrpc(target) : atWallet(target.url);
}

function overGrpc({ address, apiKey, currency, sessions, connections }: Target & { protocol: "grpc" }): PlaceBet {
  // A subchannel pool of its own makes each client a connection of its own.
  const options = { "grpc.use_local_subchannel_pool": 1, "grpc.enable_channelz": 0, "grpc.service_config_disable_resolution": 1 };
  const clients = Array.from({ length: connections }, () => new Client(address, credentials.createInsecure(), options));
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${apiKey}`);
  const nextId = freshIds();
  let n = 0;
  return (done) => {
    const i = n++;
    const txId = nextId();
    const request = create(PlaceBetRequestSchema, {
      sessionId: sessions[i % sessions.length] ?? "",
      txId,
      roundId: `r-${txId}`,
      amountMinor: BigInt(100 + (i % 900)),
      currency,
    });
    const client = clients[i % clients.length] as Client;
    client.makeUnaryRequest(PATH, bytesOf, statusOf, request, metadata, { deadline: Date.now() + DEADLINE_MS }, (error, status) =>
      done(error === null ? outcomeOf(status) : faultOf(error)),
    );
  };
}

const bytesOf = (request: ReturnType<typeof create<typeof PlaceBetRequestSchema>>): Buffer => {
  const bytes = toBinary(PlaceBetRequestSchema, request);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};
const statusOf = (bytes: Buffer): TransactionStatus => fromBinary(PlaceBetResponseSchema, bytes).status;
const outcomeOf = (status: TransactionStatus | undefined): string => (status === TransactionStatus.SUCCESS ? SUCCESS : `status ${status}`);
const faultOf = (error: ServiceError): string => String(error.metadata?.get("error-code")[0] ?? `gRPC status ${error.code}: ${error.details}`);

/** The wallet called directly, as the service would: what any latency is measured beside. */
function atWallet(url: string): PlaceBet {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { pipelining: 1 });
  const nextId = freshIds();
  return (done) => {
    const body = `{"action":"bet","player_id":"player-1","currency":"BRL","provider":"BENCH","game":"reels","tx_id":"BENCH:${nextId()}","round_id":"r","amount":1.5}`;
    pool
      .request({ method: "POST", path: pathname, headers: { "content-type": "application/json" }, body })
      .then(async (response) => ((await response.body.json()) as { ok: boolean }).ok)
      .then(
        (ok) => done(ok ? SUCCESS : "rejected"),
        (error: Error) => done(error.message),
      );
  };
}

/** Ids in no order, as real ones come, so that an index is not simply appended to; none comes twice. */
function freshIds(): () => string {
  const run = randomBytes(6).toString("hex");
  let n = 0;
  // An odd factor modulo a power of two meets every value once.
  return () => `${(Math.imul(n++, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}-${run}`;
}
