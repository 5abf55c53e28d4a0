/** The REST API on a real socket. Settings, sessions and nonces are in memory, unless a test passes its own. */
import { JwtLaunchTokens } from "../../src/adapters/jwt/jwt-launch-tokens.ts";
import { referencePages } from "../../src/adapters/rest/reference/reference-pages.ts";
import { RestServer } from "../../src/adapters/rest/rest-server.ts";
import type { Route } from "../../src/adapters/rest/route.ts";
import { apiRoutes } from "../../src/adapters/rest/routes/table.ts";
import { SignedApi } from "../../src/adapters/rest/signed-api.ts";
import { type Database, openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { SqlTransactionReader } from "../../src/adapters/sql/listings/transaction-reader.ts";
import { SqlGgrStore } from "../../src/adapters/sql/reports/ggr-store.ts";
import { SqlRoundStore } from "../../src/adapters/sql/transactions/round-store.ts";
import { SystemClock } from "../../src/adapters/system/system-clock.ts";
import { SystemRandom } from "../../src/adapters/system/system-random.ts";
import { RateLimits, type Rates } from "../../src/app/capacity/rate-limits.ts";
import { Authenticate } from "../../src/app/merchant/authenticate.ts";
import { Catalog } from "../../src/app/merchant/catalog.ts";
import { GgrReport } from "../../src/app/merchant/ggr-report.ts";
import { LaunchGame } from "../../src/app/merchant/launch.ts";
import { Transactions } from "../../src/app/merchant/transactions.ts";
import { Rounds } from "../../src/app/rounds/rounds.ts";
import { Settings } from "../../src/app/runtime/settings.ts";
import { SportsbookLaunch } from "../../src/app/sportsbook/sportsbook-launch.ts";
import { ResendTransaction } from "../../src/app/transaction/resend-transaction.ts";
import { type IpRange, parseIpRange } from "../../src/domain/access/ip-list.ts";
import { sign } from "../../src/domain/signing/signing.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { NonceStore } from "../../src/ports/nonce-store.ts";
import type { SettingsStore, Source } from "../../src/ports/settings-store.ts";
import { GameLauncher, type OpenGame } from "../../src/ports/sources/game-launcher.ts";
import type { Telemetry } from "../../src/ports/telemetry.ts";
import type { GgrStore } from "../../src/ports/transactions/ggr-store.ts";
import { merchantRecord, SECRET } from "../directory/records.ts";
import { RecordedTelemetry } from "../in-process/recorded-telemetry.ts";
import { MemoryNonceStore } from "../memory/nonce-store.ts";
import { MemorySessionStore } from "../memory/session-store.ts";
import { MemorySettingsStore } from "../memory/settings-store.ts";
import { MemoryTransactionStore } from "../memory/transaction-store.ts";
import { assertContract, type Exchange } from "./contract.ts";
import { exchange, type RawReply } from "./raw-http.ts";

/** The time in the signing vectors. */
export const NOW = 1_767_225_600_000;

/** A wall clock that stands still until a test sets it. Durations and timers are real. */
class StandingClock extends SystemClock {
  time = NOW;
  override now(): number {
    return this.time;
  }
}

/** Opens games by the source's address: `http://opens...` or `http://fails...`. Records the requests. */
class AddressedLauncher extends GameLauncher {
  readonly requests: { source: Source; game: OpenGame; deadlineMs: number }[] = [];
  override async open(source: Source, game: OpenGame, deadlineMs: number): Promise<string> {
    this.requests.push({ source, game, deadlineMs });
    if (source.address.startsWith("http://opens")) return `https://games.example/${game.gameCode}?s=${game.sessionId}`;
    throw new Error(`${source.address} does not open games`);
  }
}

export interface RestUnderTest {
  readonly port: number;
  readonly clock: StandingClock;
  readonly store: SettingsStore;
  readonly settings: Settings;
  readonly launcher: AddressedLauncher;
  readonly telemetry: RecordedTelemetry;
  readonly server: RestServer;
  /** Signs and sends a request. Every part can be replaced. */
  send(request: SignedParts): Promise<RawReply>;
}

const PLENTY: Rates = {
  operations: { launch: 10_000, catalog: 10_000, transactions: 10_000, reports: 10_000 },
  address: 100_000,
  failuresPerMinute: 100_000,
};

export interface RestTestOptions {
  readonly nonces?: NonceStore;
  readonly sessions?: MemorySessionStore;
  readonly store?: SettingsStore;
  readonly pathPrefix?: string;
  readonly trustedProxies?: readonly string[];
  readonly moreRoutes?: readonly Route[];
  /** The use case that reads and resends transactions; by default with an empty database. */
  readonly transactions?: Transactions;
  /** The store of the reports; an empty database by default. */
  readonly ggrStore?: GgrStore;
  readonly notReady?: () => readonly string[];
  readonly warnings?: () => readonly string[];
  readonly sportsbookUrl?: string;
  /** The default is so high that no test reaches it by accident. */
  readonly rateLimits?: RateLimits;
  /** Whether an error gives the reason of a wrong signature, as in staging; false by default, as in production. */
  readonly explains?: boolean;
  readonly tryOut?: boolean;
}

/**
 * Runs until the test ends. There is a merchant `casa-br` with the vectors' secret, unless the test passes its own
 * settings.
 */
export async function startRest(
  t: { teardown(run: () => Promise<void>): void },
  options: RestTestOptions = {},
): Promise<RestUnderTest> {
  const clock = new StandingClock();
  const random = new SystemRandom();
  const telemetry = new RecordedTelemetry();
  const store = options.store ?? new MemorySettingsStore(clock);
  if (options.store === undefined) await store.save({ kind: "merchant", merchant: merchantRecord("casa-br") });
  const settings = new Settings(store, clock, telemetry);
  await settings.start();
  const launcher = new AddressedLauncher();
  const sessions = options.sessions ?? new MemorySessionStore(clock);
  const { sportsbookUrl = null } = options;
  const sportsbook =
    sportsbookUrl === null
      ? null
      : new SportsbookLaunch(sessions, new JwtLaunchTokens(new Uint8Array(32), clock), random, sportsbookUrl);
  const launchGame = new LaunchGame(settings, sessions, launcher, random, clock, telemetry, sportsbook);
  const empty = openDatabase("sqlite::memory:");
  const ggrReport = new GgrReport(options.ggrStore ?? new SqlGgrStore(empty), telemetry);
  const transactions = options.transactions ?? noTransactions(empty, clock, telemetry);
  const surroundings = { environment: "staging", sportsbookUrl };
  const routes = [
    ...apiRoutes(launchGame, new Catalog(settings), transactions, ggrReport, surroundings, clock),
    ...(options.moreRoutes ?? []),
  ];
  const rateLimits = options.rateLimits ?? new RateLimits(clock, () => 1, PLENTY);
  const pathPrefix = options.pathPrefix ?? "";
  const authenticate = new Authenticate(
    settings,
    options.nonces ?? new MemoryNonceStore(clock),
    rateLimits,
    clock,
    telemetry,
    {
      explains: options.explains ?? false,
      pathPrefix,
    },
  );
  const server = new RestServer(new SignedApi(authenticate, routes, telemetry), random, telemetry, {
    host: "127.0.0.1",
    port: 0,
    pathPrefix,
    trustedProxies: (options.trustedProxies ?? []).map(parseIpRange) as IpRange[],
    notReady: options.notReady ?? (() => []),
    ...(options.warnings && { warnings: options.warnings }),
    pages: referencePages({ address: () => "https://api.example", tryOut: options.tryOut ?? false }),
  });
  const port = await server.start();
  t.teardown(async () => {
    settings.stop();
    await server.stop(1_000);
    await empty.close();
  });
  return {
    port,
    clock,
    store,
    settings,
    launcher,
    telemetry,
    server,
    send: async (parts) => {
      const reply = await exchange(port, signedRequest(parts));
      // Only exchanges that the description can contain are compared with it: not a test's own routes, broken HTTP, or
      // paths outside of /v1.
      if (options.moreRoutes === undefined && UNDER_V1.test(parts.sentTarget ?? parts.target ?? "/v1"))
        assertContract(exchanged(parts, reply));
      return reply;
    },
  };
}

function noTransactions(database: Database, clock: Clock, telemetry: Telemetry): Transactions {
  const reader = new SqlTransactionReader(database);
  const resend = new ResendTransaction(reader, new MemoryTransactionStore(() => clock.now()), { changed: () => {} }, 0);
  return new Transactions(reader, resend, unendedRounds(database), clock, telemetry);
}

/** The rounds of a database whose providers never end one. */
export const unendedRounds = (database: Database): Rounds =>
  new Rounds(new SqlRoundStore(database), {
    provider: () => undefined,
    providers: () => [],
    refresh: async () => true,
  });

export interface SignedParts {
  readonly method?: string;
  /** The target in the signature. */
  readonly target?: string;
  /** The target on the request line; `target` by default. */
  readonly sentTarget?: string;
  readonly body?: string | Buffer;
  readonly merchant?: string;
  readonly secret?: string;
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly signature?: string;
  /** Replaces or adds header lines by name. null removes a line. A list sends several lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
}

const UNDER_V1 = /^\/v1(?:[/?#][!-~]*)?$/;

const exchanged = ({ method = "GET", target = "/v1/merchant", body = "" }: SignedParts, reply: RawReply): Exchange => ({
  method,
  target,
  reply,
  body: String(body),
});

let nonces = 0;

/** The bytes of a signed request that asks the server to close the connection after its reply. */
export function signedRequest(parts: SignedParts): Buffer {
  const {
    method = "GET",
    target = "/v1/merchant",
    merchant = "casa-br",
    secret = SECRET,
    timestamp = String(NOW),
    body = "",
  } = parts;
  const nonce = parts.nonce ?? `test_nonce_${String(++nonces).padStart(10, "0")}`;
  const bytes = Buffer.from(body);
  const headers: Record<string, string | readonly string[] | null> = {
    Host: "api.example",
    Connection: "close",
    ...(bytes.length > 0 || method === "POST"
      ? { "Content-Length": String(bytes.length), "Content-Type": "application/json" }
      : {}),
    "X-Merchant-Id": merchant,
    "X-Timestamp": timestamp,
    "X-Nonce": nonce,
    "X-Signature": parts.signature ?? sign(secret, { timestamp, nonce, method, target, body: bytes }),
    ...parts.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}`),
  );
  return Buffer.concat([
    Buffer.from(`${method} ${parts.sentTarget ?? target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`),
    bytes,
  ]);
}

/** The code of the call's error; `OK` for a status of 200. */
export async function codeOf(rest: RestUnderTest, parts: SignedParts): Promise<string> {
  const reply = await rest.send(parts);
  return reply.status === 200 ? "OK" : errorOf(reply).code;
}

/** The error of a failed reply, or the fault of its envelope. */
export function errorOf(reply: RawReply): {
  readonly code: string;
  readonly details?: unknown;
  readonly request_id: string;
  readonly message: string;
} {
  const body = JSON.parse(reply.body);
  if (
    body.success !== false ||
    body.statusCode !== reply.status ||
    body.error.request_id !== reply.headers["x-request-id"] ||
    body.message !== body.error.message
  ) {
    throw new Error(`a broken envelope: ${reply.status} ${reply.body}`);
  }
  return body.error;
}

/** The data of a successful reply. */
export function dataOf(reply: RawReply): Record<string, unknown> {
  const body = JSON.parse(reply.body);
  if (body.success !== true || body.statusCode !== reply.status || typeof body.message !== "string")
    throw new Error(`no success: ${reply.status} ${reply.body}`);
  return body.data;
}
