import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type ExecutionContext } from "ava";
import { ConfigError, readConfig, SECRET_VARIABLES } from "../src/config.ts";

/** A key of 32 different bytes that begins with `first`. */
const keyOf = (first: number): string =>
  Buffer.from(Array.from({ length: 32 }, (_, i) => first + 3 * i)).toString("base64");
const KEY = keyOf(7);
const OTHER_KEY = keyOf(8);
const JWT_KEY = keyOf(9);
const LEAST = { DATABASE_URL: "sqlite:x.db", MASTER_KEY: KEY, JWT_KEY };

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n");
  }
};

test("with only the required variables, all others have their documented defaults, which are the strictest values", (t) => {
  const { masterKeys, jwtKey, ...rest } = readConfig(LEAST);
  t.is(masterKeys.length, 1);
  t.is(jwtKey.byteLength, 32);
  t.deepEqual(rest, {
    environment: "production",
    databaseUrl: "sqlite:x.db",
    host: "0.0.0.0",
    processes: 1,
    restPort: 8080,
    grpcPort: 9090,
    internalHost: "127.0.0.1",
    internalGrpcPort: 9091,
    internalHttpPort: 9092,
    internalAllowedHosts: [],
    grpcTls: null,
    adminKey: null,
    sportsbookUrl: null,
    publicUrl: null,
    trustedProxies: [],
    walletTimeoutMs: 8_000,
    walletConcurrencyPerMerchant: 64,
    walletAllowHttp: false,
    walletAllowPrivate: false,
    providerAllowPrivate: false,
    walletDnsServers: [],
    walletHttpClient: "own",
    resendHorizonMs: 72 * 3_600_000,
    refundQuietPeriodMs: 60_000,
    maxInFlight: 4_000,
    drainDelayMs: 5_000,
    sessionMs: 24 * 3_600_000,
    traces: null,
  });
});

test("providers' sources may have private addresses in development, and elsewhere only with PROVIDER_ALLOW_PRIVATE", (t) => {
  t.true(readConfig({ ...LEAST, ENVIRONMENT: "development" }).providerAllowPrivate);
  t.false(readConfig({ ...LEAST, ENVIRONMENT: "development", PROVIDER_ALLOW_PRIVATE: "false" }).providerAllowPrivate);
  t.false(readConfig({ ...LEAST, ENVIRONMENT: "staging" }).providerAllowPrivate);
  t.true(readConfig({ ...LEAST, PROVIDER_ALLOW_PRIVATE: "true" }).providerAllowPrivate);
});

test("in development the drain delay is 0 by default", (t) => {
  t.is(readConfig({ ...LEAST, ENVIRONMENT: "development" }).drainDelayMs, 0);
  t.is(readConfig({ ...LEAST, ENVIRONMENT: "development", DRAIN_DELAY_MS: "70" }).drainDelayMs, 70);
});

const SECRETS: Readonly<Record<string, string>> = {
  ...LEAST,
  ADMIN_KEY: "jq0fY2mXw8Lz4sQe",
  OTEL_EXPORTER_OTLP_HEADERS: "api-key=k",
};

/** The variables that name a file for each of the values. The folder is removed when the test ends. */
const inFiles = (t: ExecutionContext, values: Readonly<Record<string, string>>): Record<string, string> => {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      writeFileSync(join(folder, name), value);
      return [`${name}_FILE`, join(folder, name)];
    }),
  );
};

test("each secret may come from a file, and one newline at the file's end is not part of the secret", (t) => {
  t.deepEqual(Object.keys(SECRETS).sort(), [...SECRET_VARIABLES].sort());
  for (const ending of ["", "\n", "\r\n"]) {
    const files = Object.fromEntries(Object.entries(SECRETS).map(([name, value]) => [name, value + ending]));
    t.deepEqual(readConfig(inFiles(t, files)), readConfig(SECRETS));
  }
});

test("a secret that is in its _FILE variable by mistake is in no message", (t) => {
  for (const name of SECRET_VARIABLES) {
    const { [name]: value, ...others } = SECRETS as Record<string, string>;
    for (const secret of [
      value as string,
      `/${value}`,
      ` ${value}\n`,
      `${value}\0`,
      "x".repeat(5_000),
      "-----BEGIN PRIVATE KEY-----\nMC4C",
    ]) {
      const [fault = "", ...more] = faultsOf({ ...others, [`${name}_FILE`]: secret });
      t.deepEqual(more, []);
      t.regex(fault, new RegExp(`^${name}_FILE names a file that cannot be read \\([A-Z_]+\\)\\. It must hold`));
      t.false(fault.includes(secret.trim().slice(0, 12)), name);
    }
  }
});

test("a secret that is in a variable and in a file at the same time is refused, and the message names both variables", (t) => {
  const files = inFiles(t, SECRETS);
  for (const name of SECRET_VARIABLES)
    t.deepEqual(faultsOf({ ...SECRETS, [`${name}_FILE`]: files[`${name}_FILE`] as string }), [
      `${name} and ${name}_FILE are both set: set only one of them`,
    ]);
});

test("if a secret's file is missing, no file or empty, the message names only its variable", (t) => {
  const { ADMIN_KEY_FILE = "" } = inFiles(t, { ADMIN_KEY: "\n" });
  for (const name of SECRET_VARIABLES) {
    const { [name]: _, ...others } = SECRETS;
    const faults = (path: string) => faultsOf({ ...others, [`${name}_FILE`]: path });
    t.deepEqual(faults("/no/such/file"), [
      `${name}_FILE names a file that cannot be read (ENOENT). It must hold the file's path, not its content`,
    ]);
    t.deepEqual(faults("/"), [
      `${name}_FILE names a file that cannot be read (EISDIR). It must hold the file's path, not its content`,
    ]);
    t.deepEqual(faults(ADMIN_KEY_FILE), [`${name}_FILE names a file that is empty`]);
  }
});

test("every missing variable is named at once, with its form and an example", (t) => {
  const faults = faultsOf({});
  t.deepEqual(
    faults.map((fault) => fault.split(" ")[0]),
    ["DATABASE_URL", "MASTER_KEY", "JWT_KEY"],
  );
  for (const fault of faults) t.regex(fault, /^\w+ is missing: .+, for example .+$/);
});

test("an empty variable counts as missing", (t) => {
  t.deepEqual(
    faultsOf({ ...LEAST, JWT_KEY: " " }).map((fault) => fault.split(" ")[0]),
    ["JWT_KEY"],
  );
  t.is(readConfig({ ...LEAST, REST_PORT: "" }).restPort, 8080);
});

const WRONG: Record<string, readonly string[]> = {
  ENVIRONMENT: ["prod", "Production"],
  DATABASE_URL: ["postgres://x", "sqlite:", "sqlite: ", "mysql://secret-word@db/a%"],
  REST_PORT: ["65536", "-1", "80a", "1e3"],
  GRPC_PORT: ["x"],
  INTERNAL_GRPC_PORT: ["x"],
  INTERNAL_HTTP_PORT: ["x"],
  INTERNAL_ALLOWED_HOSTS: ["aggregator:9092", "http://aggregator", "*.internal", "a,,b", "[::1", "[10.0.0.5]", "-a"],
  HOST: ["[::1", "[127.0.0.1]", "http://0.0.0.0", "0.0.0.0:8080", "::1]"],
  INTERNAL_HOST: ["[]", "a b"],
  MASTER_KEY: ["short", KEY.slice(4), `${KEY},`, `${KEY},nonsense`],
  JWT_KEY: ["short", `${KEY},${KEY}`],
  SPORTSBOOK_URL: ["sportsbook.example", "ftp://x", "https://x/?a=1", "https://u:p@x"],
  PUBLIC_URL: ["https://api.example/v1", "https://api.example/v1/", "/api"],
  TRUSTED_PROXIES: ["10.0.0.0/33", "proxy.local", "::ffff:10.0.0.0/8"],
  WALLET_TIMEOUT_MS: ["0", "8s", "60001"],
  WALLET_CONCURRENCY_PER_MERCHANT: ["0"],
  WALLET_ALLOW_HTTP: ["yes", "1"],
  WALLET_ALLOW_PRIVATE: ["TRUE"],
  WALLET_HTTP_CLIENT: ["fetch", "Undici"],
  PROVIDER_ALLOW_PRIVATE: ["1"],
  WALLET_DNS_SERVERS: [
    "dns.example",
    "192.0.2.53:65536",
    "192.0.2.53,",
    "[192.0.2.53]:53",
    "2001:db8::53]",
    "192.0.2.53:x",
  ],
  RESEND_HORIZON_HOURS: ["0", "-1", "three"],
  REFUND_QUIET_PERIOD_MS: ["-1"],
  MAX_IN_FLIGHT: ["0"],
  DRAIN_DELAY_MS: ["5s"],
  SESSION_HOURS: ["0"],
  OTEL_EXPORTER_OTLP_ENDPOINT: ["127.0.0.1:4318", "http://x/v1/traces", "http://x/?a=1", "grpc://x:4317"],
  OTEL_EXPORTER_OTLP_HEADERS: ["api-key", "=k-1234", "a=k-1234,", "a b=k-1234", "a=k-1234%zz"],
  OTEL_TRACES_SAMPLER_ARG: ["1.5", "-0.1", "2", "1%", "one"],
};

for (const [name, values] of Object.entries(WRONG)) {
  test(`the message for a wrong ${name} is one line that names the variable and does not contain its value`, (t) => {
    for (const value of values) {
      const faults = faultsOf({ ...LEAST, [name]: value });
      t.is(faults.length, 1, value);
      t.regex(faults[0] ?? "", new RegExp(`^${name} must be .+, for example .+$`), value);
    }
  });
}

test("the checks of wallet addresses can be relaxed in development and staging, but never in production", (t) => {
  for (const name of ["WALLET_ALLOW_HTTP", "WALLET_ALLOW_PRIVATE"]) {
    for (const ENVIRONMENT of ["development", "staging"])
      t.deepEqual(faultsOf({ ...LEAST, ENVIRONMENT, [name]: "true" }), []);
    t.deepEqual(faultsOf({ ...LEAST, ENVIRONMENT: "production", [name]: "true" }), [
      `${name} must not be true in production`,
    ]);
    t.deepEqual(faultsOf({ ...LEAST, [name]: "true" }), [`${name} must not be true in production`]);
  }
});

const ZEROS = Buffer.alloc(32).toString("base64");
const OUTSIDE = "outside development";
const RANDOM = `made of random bytes ${OUTSIDE}, for example an output of \`openssl rand -base64 32\``;

/** Settings with which a service outside development does not start, and the line that refuses them. */
const WEAK: readonly (readonly [what: string, env: Record<string, string>, fault: RegExp])[] = [
  ["a MASTER_KEY of zeros", { MASTER_KEY: ZEROS }, new RegExp(`^MASTER_KEY must be ${RANDOM}$`)],
  [
    "a first MASTER_KEY of one byte repeated",
    { MASTER_KEY: `${Buffer.alloc(32, 7).toString("base64")},${KEY}` },
    new RegExp(`^MASTER_KEY must be ${RANDOM}$`),
  ],
  ["a JWT_KEY of zeros", { JWT_KEY: ZEROS }, new RegExp(`^JWT_KEY must be ${RANDOM}$`)],
  [
    "a JWT_KEY of a short text repeated",
    { JWT_KEY: Buffer.from("secret!!".repeat(4)).toString("base64") },
    new RegExp(`^JWT_KEY must be ${RANDOM}$`),
  ],
  [
    "a JWT_KEY that is the MASTER_KEY",
    { JWT_KEY: KEY },
    /^JWT_KEY must be another key than MASTER_KEY's outside development, for example an output/,
  ],
  [
    "a JWT_KEY that is the last MASTER_KEY, written without its =",
    { MASTER_KEY: `${KEY},${OTHER_KEY.slice(0, -1)}`, JWT_KEY: OTHER_KEY },
    /^JWT_KEY must be another key/,
  ],
  [
    "an ADMIN_KEY of one letter",
    { ADMIN_KEY: "a" },
    /^ADMIN_KEY must be a random text of 16 characters or more outside development, for example an output/,
  ],
  ["an ADMIN_KEY of 15 characters", { ADMIN_KEY: "ExnW3v8Kq0ZbT5u" }, /^ADMIN_KEY must be a random text of 16/],
  ["an ADMIN_KEY of one letter repeated", { ADMIN_KEY: "a".repeat(40) }, /^ADMIN_KEY must be a random text of 16/],
  ...[
    "password12345678",
    "P@ssw0rd!P@ssw0rd!",
    "Summer2024!Casino$Admin",
    "1234567890123456",
    "senha-forte-123456",
  ].map((key): (typeof WEAK)[number] => [
    `the ADMIN_KEY ${key}`,
    { ADMIN_KEY: key },
    /^ADMIN_KEY must be a random text of 16/,
  ]),
  ...[
    ["a text of 32 characters", Buffer.from("aggregator/master-key/2026/casa!").toString("base64")],
    ["words that look like base64", "ThisIsMyVerySecretMasterKeyForProduction123"],
  ].flatMap(([what = "", key = ""]): (typeof WEAK)[number][] =>
    ["MASTER_KEY", "JWT_KEY"].map((name) => [
      `a ${name} of ${what}`,
      { [name]: key },
      new RegExp(`^${name} must be made of`),
    ]),
  ),
  [
    "an ADMIN_KEY that is the MASTER_KEY",
    { ADMIN_KEY: KEY },
    /^ADMIN_KEY must be another key than those of MASTER_KEY and JWT_KEY outside/,
  ],
  [
    "an ADMIN_KEY that is the JWT_KEY",
    { ADMIN_KEY: JWT_KEY },
    /^ADMIN_KEY must be another key than those of MASTER_KEY and JWT_KEY outside/,
  ],
  [
    "a PUBLIC_URL without TLS",
    { PUBLIC_URL: "http://api.example" },
    /^PUBLIC_URL must be an https URL outside development, for example https:/,
  ],
  [
    "a SPORTSBOOK_URL without TLS",
    { SPORTSBOOK_URL: "http://sportsbook.example" },
    /^SPORTSBOOK_URL must be an https URL outside development, for example https:/,
  ],
  [
    "certificates that nobody verifies",
    { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    /^NODE_TLS_REJECT_UNAUTHORIZED must not be 0 outside development: .+ for example NODE_EXTRA_CA_CERTS=/,
  ],
];

for (const [what, env, fault] of WEAK) {
  test(`${what}: refused in production and staging, accepted in development`, (t) => {
    for (const where of [{}, { ENVIRONMENT: "production" }, { ENVIRONMENT: "staging" }]) {
      const faults = faultsOf({ ...LEAST, ...where, ...env });
      t.is(faults.length, 1);
      t.regex(faults[0] ?? "", fault);
      for (const value of Object.values(env))
        t.false(value.length > 1 && faults[0]?.includes(value), "a key stays out of the message");
    }
    t.deepEqual(faultsOf({ ...LEAST, ENVIRONMENT: "development", ...env }), []);
  });
}

test("in production the error names all weaknesses at once; with strong keys and https there is no error", (t) => {
  const weak = {
    MASTER_KEY: ZEROS,
    JWT_KEY: ZEROS,
    ADMIN_KEY: "a",
    PUBLIC_URL: "http://a.example",
    SPORTSBOOK_URL: "http://b.example",
  };
  t.deepEqual(
    faultsOf({ ...LEAST, ...weak, NODE_TLS_REJECT_UNAUTHORIZED: "0" }).map((fault) => fault.split(" ")[0]),
    ["MASTER_KEY", "JWT_KEY", "JWT_KEY", "ADMIN_KEY", "PUBLIC_URL", "SPORTSBOOK_URL", "NODE_TLS_REJECT_UNAUTHORIZED"],
  );
  const strong = {
    ADMIN_KEY: "ExnW3v8Kq0ZbT5uX",
    PUBLIC_URL: "https://a.example",
    SPORTSBOOK_URL: "https://b.example",
    NODE_TLS_REJECT_UNAUTHORIZED: "1",
  };
  t.deepEqual(faultsOf({ ...LEAST, ...strong }), []);
  // It must be possible to put a strong master key before a weak one.
  t.deepEqual(faultsOf({ ...LEAST, MASTER_KEY: `${KEY},${ZEROS}` }), []);
});

test("the service reads no variable that only tests set", (t) => {
  const forTests = { LEASE_MARGIN_MS: "700", RESEND_FIRST_DELAY_MS: "100", GAS_FAILPOINTS: "CP4:kill" };
  for (const env of [LEAST, { ...LEAST, ENVIRONMENT: "development" }])
    t.deepEqual(readConfig({ ...env, ...forTests }), readConfig(env));
});

test("traces are off without an endpoint; with one, the other variables have defaults and may be set", (t) => {
  t.is(readConfig({ ...LEAST, OTEL_TRACES_SAMPLER_ARG: "1", OTEL_EXPORTER_OTLP_HEADERS: "a=b" }).traces, null);
  const on = { ...LEAST, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/" };
  t.deepEqual(readConfig(on).traces, {
    endpoint: "http://127.0.0.1:4318",
    headers: {},
    serviceName: "game-aggregator",
    ratio: 0.01,
  });
  const files = inFiles(t, { OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20b%2Cc=, x-tenant=7\n" });
  const set = { ...on, ...files, OTEL_SERVICE_NAME: "gas", OTEL_TRACES_SAMPLER_ARG: ".5" };
  t.deepEqual(readConfig(set).traces, {
    endpoint: "http://127.0.0.1:4318",
    headers: { "api-key": "a b,c=", "x-tenant": "7" },
    serviceName: "gas",
    ratio: 0.5,
  });
  for (const [text, ratio] of Object.entries({ "0": 0, "1": 1, "0.0": 0, "1.0": 1, "0.25": 0.25 }))
    t.is(readConfig({ ...on, OTEL_TRACES_SAMPLER_ARG: text }).traces?.ratio, ratio, text);
});

test("the name servers for wallets are addresses, with or without a port", (t) => {
  const servers = ["192.0.2.53", "192.0.2.53:5353", "2001:db8::53", "[2001:db8::53]", "[2001:db8::53]:5353"];
  t.deepEqual(readConfig({ ...LEAST, WALLET_DNS_SERVERS: servers.join(", ") }).walletDnsServers, servers);
});

test("the configuration can add names and addresses for callers of the internal port", (t) => {
  const hosts = ["aggregator", "Aggregator.internal", "game_aggregator", "10.0.0.5", "fd00::5"];
  t.deepEqual(readConfig({ ...LEAST, INTERNAL_ALLOWED_HOSTS: hosts.join(", ") }).internalAllowedHosts, hosts);
});

test("an IPv6 address may have the brackets that it has in a URL", (t) => {
  t.like(readConfig({ ...LEAST, HOST: "[::]", INTERNAL_HOST: "[::1]", INTERNAL_ALLOWED_HOSTS: "[fd00::5],fd00::6" }), {
    host: "::",
    internalHost: "::1",
    internalAllowedHosts: ["fd00::5", "fd00::6"],
  });
  for (const host of ["::", "fe80::1%eth0", "localhost", "0.0.0.0", "10.0.0.5"])
    t.is(readConfig({ ...LEAST, HOST: host }).host, host);
});

test("several master keys keep their order, lists and addresses are read", (t) => {
  const config = readConfig({
    ...LEAST,
    MASTER_KEY: `${OTHER_KEY}, ${KEY}`,
    TRUSTED_PROXIES: "10.1.2.3/8, ::ffff:192.0.2.0/120",
    PUBLIC_URL: "https://api.example/aggregator/",
    RESEND_HORIZON_HOURS: "0.5",
  });
  t.deepEqual(
    config.masterKeys.map((key) => key[0]),
    [8, 7],
  );
  t.deepEqual(config.trustedProxies, [
    { bits: 32, value: 0x0a000000n, prefix: 8 },
    { bits: 32, value: 0xc0000200n, prefix: 24 },
  ]);
  t.is(config.publicUrl, "https://api.example/aggregator");
  t.is(config.resendHorizonMs, 1_800_000);
});

test("gRPC's certificate and key must both be set", (t) => {
  t.deepEqual(
    readConfig({ ...LEAST, GRPC_TLS_CERT: "c.pem", GRPC_TLS_KEY: "k.pem", GRPC_TLS_CLIENT_CA: "ca.pem" }).grpcTls,
    {
      certFile: "c.pem",
      keyFile: "k.pem",
      clientCaFile: "ca.pem",
    },
  );
  t.deepEqual(
    faultsOf({ ...LEAST, GRPC_TLS_CERT: "c.pem" }).map((fault) => fault.split(" ")[0]),
    ["GRPC_TLS_KEY"],
  );
  t.deepEqual(
    faultsOf({ ...LEAST, GRPC_TLS_CLIENT_CA: "ca.pem" }).map((fault) => fault.split(" ")[0]),
    ["GRPC_TLS_CERT", "GRPC_TLS_KEY"],
  );
});
