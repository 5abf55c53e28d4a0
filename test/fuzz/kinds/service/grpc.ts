import { EventEmitter } from "node:events";
import { type DescMethod, type DescService, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Metadata, type StatusObject } from "@grpc/grpc-js";
import { grpcHandlers } from "../../../../src/adapters/grpc/server/grpc-handlers.ts";
import { ERRORS, type ErrorCode } from "../../../../src/domain/errors.ts";
import { StatusSchema } from "../../../../src/gen/google/rpc/status_pb.ts";
import { type InProcess, KEYS, walletReply } from "../../in-process.ts";
import type { Kind } from "../../kind.ts";
import { ALL_KEYS, type Likely, mutateMessage, randomMessage } from "../../messages.ts";
import { mutateWalletBytes, type WalletBytes, walletBytes } from "../parsers/wallet-replies.ts";

/** One call: the rpc, its bytes, its caller, and the wallet's answer if it is called. */
export interface CallInput {
  readonly rpc: string;
  readonly bytes: Uint8Array;
  readonly key: string;
  readonly wallet: WalletBytes;
}

/** gRPC's status codes, by the names in the table of errors. */
export const GRPC_CODES: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
};

interface Rpc {
  readonly method: DescMethod;
  readonly handle: (call: unknown, reply: (error: StatusObject | null, bytes?: Uint8Array) => void) => void;
}

interface CallsOptions {
  readonly name: string;
  /** The beginning of the services' names. */
  readonly of: string;
  readonly key: string;
  readonly likely?: Likely;
  readonly perMillion: number;
  readonly audit?: () => Promise<readonly string[]>;
}

/** Calls of every unary rpc of some services, from the message's bytes to the reply's. */
export function grpcCalls(
  { services, telemetry }: InProcess,
  { name, of, key, likely = {}, perMillion, audit }: CallsOptions,
): Kind<CallInput> {
  const rpcs = rpcsOf([...services].filter(([service]) => service.typeName.startsWith(of)));
  const names = [...rpcs.keys()];
  const rpcOf = (rpc: string): Rpc => rpcs.get(rpc) as Rpc;
  // EndSession always gets the same session, because an ended session accepts no more bets.
  const likelyOf = (rpc: string): Likely =>
    rpc.endsWith("/EndSession") ? { ...likely, session_id: ["f".repeat(32)] } : likely;
  return {
    name,
    reader: `${of}: handlers, use cases, SQLite`,
    perMillion,
    generate: (random) => {
      const rpc = random.pick(names);
      const { input } = rpcOf(rpc).method;
      return {
        rpc,
        key,
        bytes: toBinary(input, randomMessage(random, input, likelyOf(rpc))),
        wallet: walletBytes(random),
      };
    },
    mutate: (random, input) => {
      if (random.chance(0.1)) return { ...input, key: random.pick(ALL_KEYS) };
      if (random.chance(0.2)) return { ...input, wallet: mutateWalletBytes(random, input.wallet) };
      return {
        ...input,
        bytes: mutateMessage(random, rpcOf(input.rpc).method.input, input.bytes, likelyOf(input.rpc)),
      };
    },
    check: async ({ rpc, bytes, key: sent, wallet }) => {
      const { method, handle } = rpcOf(rpc);
      const call = Object.assign(new EventEmitter(), callParts(bytes, sent, rpc));
      const [error, reply] = await walletReply.run(
        wallet,
        () =>
          new Promise<[StatusObject | null, Uint8Array | undefined]>((resolve) =>
            handle(call, (...args) => resolve([args[0], args[1]])),
          ),
      );
      const faults = telemetry.faults.splice(0);
      if (error !== null) return [...faults, ...statusFaults(error)];
      if (sent !== key && !(sent === KEYS.ACME || sent === KEYS.OTHER)) faults.push(`answered to the key ${sent}`);
      fromBinary(method.output, reply as Uint8Array);
      return faults;
    },
    ...(audit !== undefined && { audit }),
  };
}

const PATIENCE_MS = 400;

/** The part of grpc-js's call that a handler reads. */
function callParts(request: Uint8Array, key: string, path: string) {
  const metadata = new Metadata();
  metadata.set("authorization", `Bearer ${key}`);
  return {
    request,
    metadata,
    cancelled: false,
    getPeer: () => "127.0.0.1:40000",
    getPath: () => path,
    getDeadline: () => Date.now() + PATIENCE_MS,
  };
}

function rpcsOf(services: readonly (readonly [DescService, unknown])[]): ReadonlyMap<string, Rpc> {
  const running = { begin: () => {}, end: () => {} };
  return new Map(
    services.flatMap(([service, implementation]) => {
      const { handlers } = grpcHandlers(service, implementation as never, running);
      const unary = service.methods.filter((method) => method.methodKind === "unary");
      return unary.map((method) => [
        `${service.typeName}/${method.name}`,
        { method, handle: handlers[method.localName] as unknown as Rpc["handle"] },
      ]);
    }),
  );
}

/**
 * The faults of an error as a caller gets it. Its code must be in the table, its details must be readable, and it must
 * not contain internal data.
 */
export function statusFaults({
  code,
  details,
  metadata,
}: Pick<StatusObject, "code" | "details" | "metadata">): string[] {
  const [errorCode] = metadata.get("error-code");
  if (errorCode === undefined)
    return code === 3 && /^the request is no /.test(details)
      ? []
      : [`status ${code} without an error code: ${details}`];
  const row = ERRORS[errorCode as ErrorCode];
  if (row === undefined || GRPC_CODES[row.grpc] !== code) return [`${errorCode} with status ${code}`];
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (bytes === undefined || fromBinary(StatusSchema, bytes as Buffer).details.length === 0)
    return [`${errorCode} without details`];
  return errorCode === "INTERNAL_ERROR" || errorCode === "LAUNCH_GAME_FAILED" ? [`answered ${errorCode}`] : [];
}
