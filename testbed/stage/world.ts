/** The service as its own process, a merchant's wallet and a provider around it: nothing is simulated but the peers. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { type Callback, startWallet } from "../../sandbox/merchant/wallet.ts";
import { openDatabase } from "../../src/adapters/sql/connection/database.ts";
import { migrate } from "../../src/adapters/sql/schema/migrate.ts";
import { SecretBox } from "../../src/adapters/sql/settings/secret-box.ts";
import { SqlSettingsStore } from "../../src/adapters/sql/settings/settings-store.ts";
import type { ProviderCode } from "../../src/domain/values/identifiers.ts";
import { isCurrency } from "../../src/domain/values/money.ts";
import { GameService, type OpenGameRequest, OpenGameRequestSchema, OpenGameResponseSchema } from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import { TransactionStatus } from "../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import { WalletService } from "../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { callbackFaults } from "../callers/contract.ts";
import { GrpcCaller } from "../callers/grpc-caller.ts";
import { signedCall } from "../callers/signed-call.ts";

const METHODS = {
  bet: WalletService.method.placeBet,
  win: WalletService.method.payWin,
  refund: WalletService.method.refundBet,
  rollback: WalletService.method.rollbackWin,
} as const;
const SAID: Readonly<Record<number, string>> = { [TransactionStatus.SUCCESS]: "success", [TransactionStatus.PENDING]: "pending" };
const OPENING_MINOR = 10_000n;

export type Asked = Partial<MessageInitShape<typeof WalletService.method.refundBet.input>> & { txId: string };

/** Whose end is the world's: a test, or a command. */
export interface Scope {
  teardown(end: () => void | Promise<void>): void;
}

export interface WorldOptions {
  /** An empty database; a SQLite file of its own by default. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One process of the service over the world's database. */
export interface Replica {
  readonly process: ChildProcess;
  readonly ports: { readonly rest: number; readonly grpc: number; readonly internalGrpc: number; readonly internalHttp: number };
  /** Everything it printed so far. */
  readonly output: () => string;
}

export async function startWorld(t: Scope, options: WorldOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "world-"));
  const databaseUrl = options.databaseUrl ?? `sqlite:${join(folder, "world.db")}`;
  const masterKey = randomBytes(32);
  const apiKey = randomBytes(32).toString("hex");
  const merchants = { "shop-brl": "BRL", "shop-clp": "CLP" } as const;
  const secrets = new Map(Object.keys(merchants).map((code) => [code, `sk_${randomBytes(32).toString("base64url")}`]));

  const callbacks: Callback[] = [];
  const wallet = await startWallet({ secretOf: (code) => secrets.get(code), onCallback: (callback) => callbacks.push(callback) });
  for (const [code, currency] of Object.entries(merchants)) {
    wallet.ledger.addMerchant(code, currency);
    wallet.ledger.addPlayer(code, "ana", OPENING_MINOR);
  }
  const opened: OpenGameRequest[] = [];
  const provider = await startGameService(opened);

  const database = openDatabase(databaseUrl);
  await migrate(database);
  const settings = new SqlSettingsStore(database, new SecretBox([masterKey]));
  await settings.save({ kind: "brand", brand: { code: "shop", name: "Shop", theme: "mint-carbon", layout: "sidebar", settings: {}, allowedOrigins: [] } });
  const keys = [{ name: "test", hash: createHash("sha256").update(apiKey).digest("hex"), expiresAt: null, revoked: false }];
  const sources = [{ address: `http://127.0.0.1:${provider.port}`, deadlineMs: 5_000, enabled: true }];
  await settings.save({ kind: "provider", provider: { code: "ACME" as ProviderCode, name: "Acme", active: true, sources, keys } });
  await settings.save({
    kind: "games",
    provider: "ACME" as ProviderCode,
    games: [{ code: "fruits", name: "Fruits", type: "slot", demoAvailable: true, active: true, details: {} }],
  });
  for (const [code, currency] of Object.entries(merchants)) {
    if (!isCurrency(currency)) throw new Error(currency);
    await settings.save({
      kind: "merchant",
      merchant: {
        code,
        name: code,
        currency,
        brand: "shop",
        walletUrl: wallet.url,
        defaultLanguage: null,
        products: ["slot"],
        ipList: [],
        enabled: true,
        secret: secrets.get(code) ?? "",
        secretVersion: 1,
        previousSecret: null,
        // Tests ask as often as they like.
        limits: { launchRate: 10_000, catalogRate: 10_000, transactionsRate: 10_000, reportsRate: 10_000 },
      },
    });
  }

  const replicas: Replica[] = [];
  const start = async (env: Readonly<Record<string, string>> = {}): Promise<Replica> => {
    const replica = await startReplica({
      ENVIRONMENT: "development",
      HOST: "127.0.0.1",
      DATABASE_URL: databaseUrl,
      MASTER_KEY: masterKey.toString("base64"),
      JWT_KEY: randomBytes(32).toString("base64"),
      WALLET_ALLOW_HTTP: "true",
      WALLET_ALLOW_PRIVATE: "true",
      ...options.env,
      ...env,
    });
    replicas.push(replica);
    return replica;
  };
  const first = await start();

  t.teardown(async () => {
    for (const { process: child } of replicas) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    provider.close();
    await wallet.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
    const faults = callbacks.flatMap(callbackFaults);
    if (faults.length > 0) throw new Error(`callbacks are not as /openapi.json says:\n${faults.join("\n")}`);
  });

  const callers = new Map<Replica, GrpcCaller>();
  const callerOf = (replica: Replica): GrpcCaller => {
    const known = callers.get(replica) ?? new GrpcCaller(t, replica.ports.grpc);
    callers.set(replica, known);
    return known;
  };
  const call = async (action: keyof typeof METHODS, { refTxId, playerRef, ...asked }: Asked, on: Replica): Promise<string> => {
    const reversal = action === "refund" || action === "rollback" ? { refTxId } : {};
    const request = { roundId: "r1", amountMinor: 250n, currency: "BRL", ...asked, ...reversal, ...(action === "bet" ? {} : { playerRef }) };
    try {
      // The four requests differ only in the fields set above.
      const method = METHODS[action] as unknown as typeof METHODS.refund;
      const reply = await callerOf(on).call(method, request as never, { keys: [apiKey], deadline: Date.now() + 20_000 });
      return SAID[reply.status] ?? `failed:${reply.error}`;
    } catch (error) {
      const { metadata, message } = error as { metadata?: { get(name: string): unknown[] }; message: string };
      return String(metadata?.get("error-code")[0] ?? message);
    }
  };

  return {
    first,
    start,
    wallet,
    callbacks,
    opened,
    settings,
    database,
    secrets,
    apiKey,
    keys: [apiKey],
    callerOf,
    rest: (method: "GET" | "POST", target: string, payload?: unknown, code = "shop-brl") =>
      signedCall(`http://127.0.0.1:${first.ports.rest}`, { code, secret: secrets.get(code) ?? "" }, method, target, payload),
    /** Opens the game and answers the session that the provider was given. */
    async session(code = "shop-brl", more: object = {}): Promise<string> {
      const reply = await this.rest("POST", "/v1/game/launch", { player_id: "ana", game: "fruits", ...more }, code);
      if (!reply.ok) throw new Error(`launch failed: ${reply.code}`);
      return opened.at(-1)?.sessionId ?? "";
    },
    /** `success`, `failed:CODE`, `pending`, or the refusal's code. Sends again what was OVERLOADED, as a provider may: the machine is shared. */
    async say(action: keyof typeof METHODS, asked: Asked, on: Replica = first): Promise<string> {
      for (let tries = 1; ; tries++) {
        const said = await call(action, asked, on);
        if (said !== "OVERLOADED" || tries === 50) return said;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    balance: (code = "shop-brl") => wallet.ledger.balanceMinor(code, "ana"),
    /** How often the wallet heard of this id. */
    calls: (id: string) => callbacks.filter((callback) => JSON.parse(callback.body).tx_id === `ACME:${id}`).length,
  };
}

/** A process of the service on free ports, ready. Whoever starts it ends it. */
export async function startReplica(env: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<Replica> {
  const ports = { REST_PORT: "0", GRPC_PORT: "0", INTERNAL_GRPC_PORT: "0", INTERNAL_HTTP_PORT: "0" };
  const child = spawn(process.execPath, ["src/main.ts", ...args], { env: { PATH: process.env.PATH, ...ports, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const ready = /REST on port (\d+), gRPC on (\d+); inside: gRPC on (\d+), Connect and \/metrics on (\d+)/;
  while (!ready.test(output)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service ended with ${child.exitCode ?? child.signalCode}:\n${output}`);
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  }
  const [rest = 0, grpc = 0, internalGrpc = 0, internalHttp = 0] = (ready.exec(output) ?? []).slice(1).map(Number);
  return { process: child, ports: { rest, grpc, internalGrpc, internalHttp }, output: () => output };
}

/** A provider's source: opens every game and keeps what it was told. */
export async function startGameService(opened: OpenGameRequest[]): Promise<{ port: number; close(): void }> {
  const server = new Server();
  const { openGame } = GameService.method;
  const definition = {
    openGame: {
      path: `/${GameService.typeName}/${openGame.name}`,
      requestStream: false,
      responseStream: false,
      requestDeserialize: (bytes: Buffer) => fromBinary(OpenGameRequestSchema, bytes),
      requestSerialize: (request: OpenGameRequest) => Buffer.from(toBinary(OpenGameRequestSchema, request)),
      responseDeserialize: (bytes: Buffer) => bytes,
      responseSerialize: (launchUrl: string) => Buffer.from(toBinary(OpenGameResponseSchema, create(OpenGameResponseSchema, { launchUrl }))),
    },
  };
  server.addService(definition as never, {
    openGame: (call: { request: OpenGameRequest }, reply: (error: null, launchUrl: string) => void) => {
      opened.push(call.request);
      reply(null, `https://games.example/${call.request.gameCode}?s=${call.request.sessionId}`);
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  return { port, close: () => server.forceShutdown() };
}
