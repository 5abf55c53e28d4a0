import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { type Call, TIMED_OUT } from "./call.ts";
import type { Target } from "./orders.ts";
import { outcomeOf, Plays } from "./plays.ts";

/** The deadline that the provider's protocol recommends. */
export const DEADLINE_MS = 10_000;

/** A provider with grpc-js. It distributes its calls over several connections. */
export function grpcProvider(target: Target & { protocol: "grpc" }): Call {
  // With its own subchannel pool, each client has its own connection.
  const options = {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.enable_channelz": 0,
    "grpc.service_config_disable_resolution": 1,
  };
  const clients = Array.from(
    { length: target.connections },
    () => new Client(target.address, credentials.createInsecure(), options),
  );
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${target.apiKey}`);
  const plays = new Plays(target);
  let n = 0;
  return (done) => {
    const play = plays.next();
    const client = clients[n++ % clients.length] as Client;
    client.makeUnaryRequest(
      play.path,
      asItIs,
      outcomeOf,
      play.request,
      metadata,
      { deadline: Date.now() + DEADLINE_MS },
      (error, outcome) => done(plays.ended(play, error === null ? (outcome ?? "no reply") : faultOf(error))),
    );
  };
}

const asItIs = (bytes: Buffer): Buffer => bytes;

function faultOf({ code, details, metadata }: ServiceError): string {
  if (code === status.DEADLINE_EXCEEDED) return TIMED_OUT;
  return String(metadata?.get("error-code")[0] ?? `gRPC status ${code}: ${details}`);
}
