import { readFileSync } from "node:fs";
import { isIPv4, isIPv6 } from "node:net";
import { availableParallelism } from "node:os";
import { findWeaknesses, KEY_EXAMPLE } from "./config-weaknesses.ts";
import {
  checkDatabaseUrl,
  DATABASE_URL_FORM,
  DatabaseUrlError,
  databaseUrlFault,
} from "./domain/access/database-url.ts";
import { type IpRange, parseIpRange } from "./domain/access/ip-list.ts";
import { readSecretVariables } from "./domain/access/secret-variables.ts";
import {
  anyText,
  flag,
  headerPairs,
  integer,
  key32,
  listOf,
  oneOf,
  type Parser,
  share,
  tracesReceiver,
  webUrl,
} from "./domain/access/variable-forms.ts";

type Environment = "development" | "staging" | "production";

/** All settings from the environment, read once at the start. Durations are in milliseconds. */
export interface Config {
  readonly environment: Environment;
  /** `mysql://...` or `sqlite:<file>`. */
  readonly databaseUrl: string;
  /** The address on which the ports for merchants and providers listen. */
  readonly host: string;
  /** The number of processes that use the same ports. */
  readonly processes: number;
  readonly restPort: number;
  readonly grpcPort: number;
  /** The address on which the internal ports listen. */
  readonly internalHost: string;
  readonly internalGrpcPort: number;
  readonly internalHttpPort: number;
  /**
   * The names and addresses that callers of the internal HTTP port may use, besides `internalHost` and the names of
   * this machine.
   */
  readonly internalAllowedHosts: readonly string[];
  /** The PEM files of the public gRPC port; null: the port has no TLS, because a proxy in front of it ends TLS. */
  readonly grpcTls: GrpcTls | null;
  /** Keys of 32 bytes each, at least one. The first key encrypts merchants' secrets. All keys can decrypt them. */
  readonly masterKeys: readonly Uint8Array[];
  /** A key of 32 bytes. */
  readonly jwtKey: Uint8Array;
  /** The first admin key; null: only the keys in the database are valid. */
  readonly adminKey: string | null;
  /** The sportsbook's address, without a trailing slash. */
  readonly sportsbookUrl: string | null;
  /** The REST API's public address, without `/v1` and without a trailing slash. */
  readonly publicUrl: string | null;
  /** The proxies whose X-Forwarded-For is used. */
  readonly trustedProxies: readonly IpRange[];
  readonly walletTimeoutMs: number;
  readonly walletConcurrencyPerMerchant: number;
  readonly walletAllowHttp: boolean;
  readonly walletAllowPrivate: boolean;
  /** Whether providers' sources may have private addresses. */
  readonly providerAllowPrivate: boolean;
  /** The HTTP client that calls wallets. */
  readonly walletHttpClient: "own" | "undici";
  /** The name servers for wallets' names, `address` or `address:port`; empty: the system's name servers. */
  readonly walletDnsServers: readonly string[];
  readonly resendHorizonMs: number;
  readonly refundQuietPeriodMs: number;
  /** The maximum of transactions in flight on this replica. */
  readonly maxInFlight: number;
  /**
   * How long the service keeps listening after it reports "not ready". In this time load balancers notice the report.
   */
  readonly drainDelayMs: number;
  /** How long a session takes bets after its last call. */
  readonly sessionMs: number;
  /** Where traces are sent; null: traces are off. */
  readonly traces: TraceExport | null;
}

/** The path before `/v1` in the public address; empty: there is none. */
export const publicPath = ({ publicUrl }: Pick<Config, "publicUrl">): string =>
  publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");

/**
 * Whether an old secret is kept after its overlap. If so, a merchant that still signs with it gets an explanation.
 * Production deletes the old secret.
 */
export const keepsEndedSecrets = ({ environment }: Pick<Config, "environment">): boolean =>
  environment !== "production";

/** How traces are sent by OTLP. */
interface TraceExport {
  /** The receiver's address, without `/v1/traces` and without a trailing slash. */
  readonly endpoint: string;
  /** Headers of each request to the receiver, for example with its API key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The name of this service in traces. */
  readonly serviceName: string;
  /** The share of requests without a `traceparent` that begin a trace: 0 to 1. */
  readonly ratio: number;
}

export interface GrpcTls {
  readonly certFile: string;
  readonly keyFile: string;
  /** The file with the authorities that sign client certificates. If it is set, clients need a certificate. */
  readonly clientCaFile: string | null;
}

/** All faults of the environment, one line for each variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that are secret. The value of each may also be in a file: `NAME_FILE` has the file's path. */
export const SECRET_VARIABLES = [
  "DATABASE_URL",
  "MASTER_KEY",
  "JWT_KEY",
  "ADMIN_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const;

const HOUR_MS = 3_600_000;

const hours: Parser<number> = (text) =>
  /^\d{1,6}(\.\d{1,6})?$/.test(text) && Number(text) > 0 ? Math.ceil(Number(text) * HOUR_MS) : undefined;
const processCount: Parser<number> = (text) => (text === "auto" ? availableParallelism() : integer(1, 128)(text));
const nameServer: Parser<string> = (text) => {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(isIPv6(text) ? `[${text}]` : text) ?? [];
  if (host === undefined || Number(port ?? 53) > 65_535) return undefined;
  return isIPv4(host) || (host.startsWith("[") && isIPv6(host.slice(1, -1))) ? text : undefined;
};
/** A name or an address. An IPv6 address may have the brackets that it has in a URL. */
const hostName: Parser<string> = (text) => {
  const [, bracketed] = /^\[(.*)\]$/.exec(text) ?? [];
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : undefined;
  return isIPv6(text) || /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/i.test(text) ? text : undefined;
};
/** The fault says which part of the URL is wrong, and how to write it. */
function databaseUrl(text: string, read: Reader): string {
  try {
    checkDatabaseUrl(text);
  } catch (error) {
    if (!(error instanceof DatabaseUrlError)) throw error;
    read.fault("DATABASE_URL", databaseUrlFault(error));
  }
  return text;
}

const publicUrl: Parser<string> = (text) => {
  const url = webUrl(text);
  return url?.endsWith("/v1") ? undefined : url;
};

/** Reads variables. It collects all faults instead of stopping at the first fault. */
class Reader {
  readonly faults: string[];
  readonly #env: Env;

  constructor(given: Env) {
    const { env, faults } = readSecretVariables(given, SECRET_VARIABLES, (path) => readFileSync(path, "utf8"));
    this.#env = env;
    this.faults = [...faults];
  }

  /** Reads a variable that must be set. If there is a fault, the returned value is never used. */
  required<T>(name: string, form: string, example: string, parse: Parser<T>): T {
    return this.#read(name, form, example, parse) ?? this.#missing<T>(name, form, example);
  }

  optional<T, D>(name: string, form: string, example: string, parse: Parser<T>, whenMissing: D): T | D {
    return this.#read(name, form, example, parse) ?? whenMissing;
  }

  fault(name: string, what: string): void {
    this.faults.push(`${name} ${what}`);
  }

  #read<T>(name: string, form: string, example: string, parse: Parser<T>): T | undefined {
    const text = this.#env[name]?.trim() ?? "";
    const value = text === "" ? undefined : parse(text);
    // The message does not contain the value, which may be a secret with a typing error.
    if (text !== "" && value === undefined) this.fault(name, `must be ${form}, for example ${example}`);
    return value;
  }

  #missing<T>(name: string, form: string, example: string): T {
    if (!this.faults.some((fault) => fault.startsWith(`${name} `) || fault.startsWith(`${name}_FILE `)))
      this.fault(name, `is missing: ${form}, for example ${example}`);
    return undefined as T;
  }
}

/** @throws ConfigError with a line for each missing or wrong variable. */
export function readConfig(env: Env): Config {
  const read = new Reader(env);
  const port = (name: string, standard: number): number =>
    read.optional(name, "a port, 0 to 65535", String(standard), integer(0, 65_535), standard);
  const count = (name: string, standard: number, min: number, max: number): number =>
    read.optional(name, `a whole number, ${min} to ${max}`, String(standard), integer(min, max), standard);
  const span = (name: string, standard: number): number =>
    read.optional(name, "a number of hours above 0", String(standard), hours, standard * HOUR_MS);

  // Without ENVIRONMENT the strictest environment applies.
  const environment = read.optional(
    "ENVIRONMENT",
    "development, staging or production",
    "staging",
    oneOf<Environment>("development", "staging", "production"),
    "production",
  );
  const loosened = (name: string): boolean => {
    const on = read.optional(name, "true or false", "false", flag, false);
    if (on && environment === "production") read.fault(name, "must not be true in production");
    return on;
  };

  const config: Config = {
    environment,
    databaseUrl: read.required("DATABASE_URL", DATABASE_URL_FORM, "sqlite:aggregator.db", (text) =>
      databaseUrl(text, read),
    ),
    host: read.optional("HOST", "an address to listen on", "0.0.0.0", hostName, "0.0.0.0"),
    processes: read.optional("PROCESSES", "auto or a whole number, 1 to 128", "4", processCount, 1),
    restPort: port("REST_PORT", 8080),
    grpcPort: port("GRPC_PORT", 9090),
    internalHost: read.optional("INTERNAL_HOST", "an address to listen on", "127.0.0.1", hostName, "127.0.0.1"),
    internalGrpcPort: port("INTERNAL_GRPC_PORT", 9091),
    internalHttpPort: port("INTERNAL_HTTP_PORT", 9092),
    internalAllowedHosts: read.optional(
      "INTERNAL_ALLOWED_HOSTS",
      "names or addresses without a port, separated by commas",
      "aggregator.internal,10.0.0.5",
      listOf(hostName),
      [],
    ),
    grpcTls: readGrpcTls(read),
    masterKeys: read.required(
      "MASTER_KEY",
      "one or more keys of 32 bytes in base64, separated by commas",
      KEY_EXAMPLE,
      listOf(key32),
    ),
    jwtKey: read.required("JWT_KEY", "32 bytes in base64", KEY_EXAMPLE, key32),
    adminKey: read.optional("ADMIN_KEY", "a secret text", KEY_EXAMPLE, anyText, null),
    sportsbookUrl: read.optional(
      "SPORTSBOOK_URL",
      "an http(s) URL without query",
      "https://sportsbook.example",
      webUrl,
      null,
    ),
    publicUrl: read.optional(
      "PUBLIC_URL",
      "an http(s) URL without /v1 and query",
      "https://api.example/aggregator",
      publicUrl,
      null,
    ),
    trustedProxies: read.optional(
      "TRUSTED_PROXIES",
      "addresses or CIDR ranges, separated by commas",
      "10.0.0.0/8,192.0.2.7",
      listOf(parseIpRange),
      [],
    ),
    walletTimeoutMs: count("WALLET_TIMEOUT_MS", 8_000, 1, 60_000),
    walletConcurrencyPerMerchant: count("WALLET_CONCURRENCY_PER_MERCHANT", 64, 1, 10_000),
    walletAllowHttp: loosened("WALLET_ALLOW_HTTP"),
    walletAllowPrivate: loosened("WALLET_ALLOW_PRIVATE"),
    walletHttpClient: read.optional("WALLET_HTTP_CLIENT", "own or undici", "undici", oneOf("own", "undici"), "own"),
    // This variable is allowed in production too, because a provider's connector may run in the internal network.
    providerAllowPrivate: read.optional(
      "PROVIDER_ALLOW_PRIVATE",
      "true or false",
      "false",
      flag,
      environment === "development",
    ),
    walletDnsServers: read.optional(
      "WALLET_DNS_SERVERS",
      "addresses, each with a port or without, separated by commas",
      "192.0.2.53,[2001:db8::53]:5353",
      listOf(nameServer),
      [],
    ),
    resendHorizonMs: span("RESEND_HORIZON_HOURS", 72),
    refundQuietPeriodMs: count("REFUND_QUIET_PERIOD_MS", 60_000, 0, 3_600_000),
    maxInFlight: count("MAX_IN_FLIGHT", 4_000, 1, 1_000_000),
    drainDelayMs: count("DRAIN_DELAY_MS", environment === "development" ? 0 : 5_000, 0, 600_000),
    sessionMs: span("SESSION_HOURS", 24),
    traces: readTraces(read),
  };
  if (config.processes > 1 && config.databaseUrl?.startsWith("sqlite:"))
    read.fault("PROCESSES", "must be 1 with SQLite, because only one process may use its file. Use MariaDB for more");
  if (environment !== "development" && read.faults.length === 0) {
    for (const [name, what] of findWeaknesses({ ...config, tlsRejectUnauthorized: env.NODE_TLS_REJECT_UNAUTHORIZED }))
      read.fault(name, what);
  }
  if (read.faults.length > 0) throw new ConfigError(read.faults.join("\n"));
  return config;
}

function readTraces(read: Reader): TraceExport | null {
  const endpoint = read.optional(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "an http(s) URL without /v1/traces and query",
    "http://127.0.0.1:4318",
    tracesReceiver,
    null,
  );
  const others = {
    headers: read.optional(
      "OTEL_EXPORTER_OTLP_HEADERS",
      "name=value, separated by commas",
      "api-key=abc",
      headerPairs,
      {},
    ),
    serviceName: read.optional("OTEL_SERVICE_NAME", "a name", "aggregator-eu", anyText, "game-aggregator"),
    ratio: read.optional("OTEL_TRACES_SAMPLER_ARG", "a share, 0 to 1", "0.01", share, 0.01),
  };
  return endpoint === null ? null : { endpoint, ...others };
}

function readGrpcTls(read: Reader): GrpcTls | null {
  const file = (name: string): string | null =>
    read.optional(name, "the path of a PEM file", "/etc/aggregator/tls.pem", anyText, null);
  const certFile = file("GRPC_TLS_CERT");
  const keyFile = file("GRPC_TLS_KEY");
  const clientCaFile = file("GRPC_TLS_CLIENT_CA");
  if (certFile === null && keyFile === null && clientCaFile === null) return null;
  if (certFile !== null && keyFile !== null) return { certFile, keyFile, clientCaFile };
  for (const [name, value] of [
    ["GRPC_TLS_CERT", certFile],
    ["GRPC_TLS_KEY", keyFile],
  ] as const) {
    if (value === null)
      read.fault(
        name,
        "is missing: GRPC_TLS_CERT and GRPC_TLS_KEY are set together, for example /etc/aggregator/tls.pem",
      );
  }
  return null;
}
