/**
 * The whole service in this process, with a database that the test chooses. Tests call its admin API over real sockets.
 */
import { randomBytes } from "node:crypto";
import { Agent } from "node:http";
import type { DescService } from "@bufbuild/protobuf";
import { type Client, ConnectError, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { readConfig } from "../../src/config.ts";
import { AuditService } from "../../src/gen/aggregator/admin/v1/audit_service_pb.ts";
import { BrandAdminService } from "../../src/gen/aggregator/admin/v1/brand_admin_service_pb.ts";
import { CatalogAdminService } from "../../src/gen/aggregator/admin/v1/catalog_admin_service_pb.ts";
import { ConsoleService } from "../../src/gen/aggregator/admin/v1/console_service_pb.ts";
import { KeyAdminService } from "../../src/gen/aggregator/admin/v1/key_admin_service_pb.ts";
import { MerchantAdminService } from "../../src/gen/aggregator/admin/v1/merchant_admin_service_pb.ts";
import { ProviderAdminService } from "../../src/gen/aggregator/admin/v1/provider_admin_service_pb.ts";
import { TransactionAdminService } from "../../src/gen/aggregator/admin/v1/transaction_admin_service_pb.ts";
import { CatalogService } from "../../src/gen/aggregator/operator/v1/catalog_service_pb.ts";
import { LaunchService } from "../../src/gen/aggregator/operator/v1/launch_service_pb.ts";
import { MerchantService } from "../../src/gen/aggregator/operator/v1/merchant_service_pb.ts";
import { ReportService } from "../../src/gen/aggregator/operator/v1/report_service_pb.ts";
import { TransactionService } from "../../src/gen/aggregator/operator/v1/transaction_service_pb.ts";
import { BadRequestSchema, ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { type Service, type StartOptions, startService } from "../../src/service.ts";
import { serviceEnvironment } from "../service/environment.ts";

export const ADMIN_KEY = "the-first-key-of-all";

type Env = Readonly<Record<string, string>>;

/** A replica that listens on free ports until the test ends. */
export async function startReplica(
  t: { teardown(run: () => unknown): void },
  databaseUrl: string,
  env: Env = {},
  options: StartOptions = {},
): Promise<Service> {
  const config = readConfig({
    ...serviceEnvironment(databaseUrl, MASTER_KEY),
    JWT_KEY,
    ADMIN_KEY,
    PUBLIC_URL: "https://api.example/aggregator",
    ...env,
  });
  const service = await startService(config, { migrate: true, logLevel: "silent", ...options });
  t.teardown(() => service.stop());
  return service;
}

/** The master key of every replica for which a test passes no other master key. */
export const MASTER_KEY: Buffer = randomBytes(32);
/** All replicas of a service have the same key. */
const JWT_KEY = randomBytes(32).toString("base64");

/** Clients of every service of aggregator.admin.v1. */
export interface Admin {
  readonly brands: Client<typeof BrandAdminService>;
  readonly merchants: Client<typeof MerchantAdminService>;
  readonly providers: Client<typeof ProviderAdminService>;
  readonly catalog: Client<typeof CatalogAdminService>;
  readonly keys: Client<typeof KeyAdminService>;
  readonly transactions: Client<typeof TransactionAdminService>;
  readonly audit: Client<typeof AuditService>;
  readonly console: Client<typeof ConsoleService>;
}

/** Every service of aggregator.admin.v1, by the name of its client. */
export const ADMIN_SERVICES = {
  brands: BrandAdminService,
  merchants: MerchantAdminService,
  providers: ProviderAdminService,
  catalog: CatalogAdminService,
  keys: KeyAdminService,
  transactions: TransactionAdminService,
  audit: AuditService,
  console: ConsoleService,
} as const satisfies Record<keyof Admin, DescService>;

/** Every service of aggregator.operator.v1. */
export const OPERATOR_SERVICES = {
  launches: LaunchService,
  merchants: MerchantService,
  catalog: CatalogService,
  transactions: TransactionService,
  reports: ReportService,
} as const satisfies Record<string, DescService>;

export type Operator = { readonly [Name in keyof typeof OPERATOR_SERVICES]: Client<(typeof OPERATOR_SERVICES)[Name]> };

type Internal = Pick<Service, "ports">;

/** @param key - the admin key; empty: no authorization header is sent. */
export const adminOf = (
  service: Internal,
  key: string = ADMIN_KEY,
  protocol: "connect" | "grpc-web" = "connect",
): Admin => clientsOver(ADMIN_SERVICES, inside(service, key, protocol)) as unknown as Admin;

/** @param key - as for {@link adminOf}. */
export const operatorOf = (service: Internal, key: string = ADMIN_KEY): Operator =>
  clientsOver(OPERATOR_SERVICES, inside(service, key)) as unknown as Operator;

/** @param key - the bearer token; empty: no authorization header is sent. */
export const withKey =
  (key: string): Interceptor =>
  (next) =>
  (request) => {
    if (key !== "") request.header.set("authorization", `Bearer ${key}`);
    return next(request);
  };

const TRIES_MAX = 50;

/**
 * Repeats a call that got SERVICE_UNAVAILABLE. On a busy machine the service may need too long to confirm its settings,
 * and then it does nothing. A stream of requests can't be repeated.
 */
const repeated: Interceptor = (next) => async (request) => {
  for (let tries = 1; ; tries++) {
    try {
      return await next(request);
    } catch (cause) {
      const [info] = ConnectError.from(cause).findDetails(ErrorInfoSchema);
      if (info?.reason !== "SERVICE_UNAVAILABLE" || request.stream || tries === TRIES_MAX) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};

/** A transport for Connect or gRPC-Web with a key. */
export const inside = ({ ports }: Internal, key: string, protocol: "connect" | "grpc-web" = "connect"): Transport =>
  (protocol === "connect" ? createConnectTransport : createGrpcWebTransport)({
    baseUrl: `http://127.0.0.1:${ports.internalHttp}`,
    httpVersion: "1.1",
    // Each call has a connection of its own: a process that stood still would send on one that the service closes.
    nodeOptions: { agent: new Agent() },
    interceptors: [withKey(key), repeated],
  });

/** A client of each service, by the same names. */
export const clientsOver = (services: Readonly<Record<string, DescService>>, transport: Transport) =>
  Object.fromEntries(Object.entries(services).map(([name, service]) => [name, createClient(service, transport)]));

/** The refusal of a call: its code, then the wrong fields. Throws when the call succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (cause) {
    const error = ConnectError.from(cause);
    const [info] = error.findDetails(ErrorInfoSchema);
    const [bad] = error.findDetails(BadRequestSchema);
    const fields =
      bad?.fieldViolations.map((violation) => violation.field) ??
      (info?.metadata.field === undefined ? [] : [info.metadata.field]);
    return [info?.reason ?? error.message, ...fields].join(" ");
  }
  throw new Error("the call was not refused");
}

/** A file in pieces, as a client streams it. The size of the pieces is always allowed. */
export async function* inPieces(
  text: string,
  format: string,
  more: { readonly reason?: string; readonly dryRun?: boolean } = {},
  size = 48 * 1024,
) {
  const bytes = Buffer.from(text);
  for (let from = 0; from === 0 || from < bytes.length; from += size)
    yield { format, ...more, chunk: bytes.subarray(from, from + size) };
}
