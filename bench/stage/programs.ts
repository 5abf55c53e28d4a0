/** The measured programs: the service, and the floors with which it is compared. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Directory } from "../../testbed/directory/directory.ts";
import { Child } from "../../testbed/programs/child.ts";
import { freePort } from "../../testbed/programs/ports.ts";
import { LOCAL_WALLETS, serviceEnvironment } from "../../testbed/service/environment.ts";
import { untilReady } from "../../testbed/service/readiness.ts";
import type { ServicePorts } from "../../testbed/service/replica.ts";
import type { FloorReady } from "../floors/plain-server.ts";
import { untilNumbered } from "./bench-database.ts";

export type ProgramName = ServiceName | "proxy" | "textbook" | "express";
/** The service, and floors that are the service with another transaction store. */
export type ServiceName = "service" | "instant" | "bare";

export interface Program {
  readonly name: ProgramName;
  readonly child: Child;
  /** The address of the gRPC server; for the floor `express` the address of the HTTP server. */
  readonly address: string;
  /** `http://host:port` of the REST API, if the program has one. */
  readonly restOrigin: string;
  /** The service's ports; null for a floor. */
  readonly ports: ServicePorts | null;
  /** Resolves when the program has finished all work for the bets that it answered. */
  caughtUp(): Promise<void>;
}

export interface ProgramFiles {
  /** A folder for logs. */
  readonly folder: string;
  readonly directory: Directory;
  /** The directory as a file. */
  readonly directoryFile: string;
  /** A folder that gets a CPU profile of the program when it stops. */
  readonly profile: string | undefined;
}

/** The master key of every service in the bench. */
export const MASTER_KEY = randomBytes(32);

const PROBE = new URL("../machine/probe.ts", import.meta.url).href;

/**
 * Starts the service like `npm run serve`, or with another store.
 *
 * @param checkout - another checkout of the project, whose service is started.
 */
export async function startService(
  name: ServiceName,
  databaseUrl: string,
  files: ProgramFiles,
  env: Readonly<Record<string, string>> = {},
  checkout?: string,
): Promise<Program> {
  const { environment, restPort, grpcPort } = await benchEnvironment(databaseUrl);
  const inside = {
    internalGrpc: Number(environment.INTERNAL_GRPC_PORT),
    internalHttp: Number(environment.INTERNAL_HTTP_PORT),
  };
  const module = name === "service" ? "src/main.ts" : `bench/floors/${name}.ts`;
  const child = start(name, ["--import", PROBE, module], { ...environment, ...env }, files, checkout);
  await untilReady(restPort, child);
  const merchantIds = files.directory.merchants.map((merchant) => merchant.id);
  const caughtUp = name === "service" ? () => untilNumbered(databaseUrl, merchantIds) : async () => {};
  const ports = { rest: restPort, grpc: grpcPort, ...inside };
  return { name, child, address: `127.0.0.1:${grpcPort}`, restOrigin: `http://127.0.0.1:${restPort}`, ports, caughtUp };
}

export async function startFloor(
  name: "proxy" | "textbook" | "express",
  args: readonly string[],
  files: ProgramFiles,
): Promise<Program> {
  const child = start(name, [`bench/floors/${name}.ts`, files.directoryFile, ...args], {}, files);
  const { port } = await child.next<FloorReady>("ready");
  return {
    name,
    child,
    address: `127.0.0.1:${port}`,
    restOrigin: `http://127.0.0.1:${port}`,
    ports: null,
    caughtUp: async () => {},
  };
}

/** The environment of a measured service: as in staging, with free ports. */
export async function benchEnvironment(
  databaseUrl: string,
): Promise<{ environment: Record<string, string>; restPort: number; grpcPort: number }> {
  const [restPort, grpcPort, internalGrpcPort, internalHttpPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const environment = {
    ...serviceEnvironment(databaseUrl, MASTER_KEY),
    ...LOCAL_WALLETS,
    ENVIRONMENT: "staging",
    REST_PORT: String(restPort),
    GRPC_PORT: String(grpcPort),
    INTERNAL_GRPC_PORT: String(internalGrpcPort),
    INTERNAL_HTTP_PORT: String(internalHttpPort),
    PROVIDER_ALLOW_PRIVATE: "true",
    DRAIN_DELAY_MS: "0",
  };
  return { environment, restPort, grpcPort };
}

/** Starts a process of Node, which makes a CPU profile if the bench was asked for one. */
export function start(
  name: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  { folder, profile }: Pick<ProgramFiles, "folder" | "profile">,
  checkout?: string,
): Child {
  const profiled =
    profile === undefined
      ? []
      : [
          "--cpu-prof",
          "--cpu-prof-interval=200",
          `--cpu-prof-dir=${profile}`,
          `--cpu-prof-name=${name}-${Date.now()}.cpuprofile`,
        ];
  return new Child([...profiled, ...command], env, join(folder, `${name}.log`), checkout);
}
