/** The service with the sandbox's wallet and a provider's game server. Only the wallet and the game server are simulated. */
import { randomBytes } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Callback, startWallet } from "../../sandbox/merchant/wallet.ts";
import { isCurrency } from "../../src/domain/values/money.ts";
import type { OpenGameRequest } from "../../src/gen/aggregator/provider/v1/game_service_pb.ts";
import { repeated } from "../callers/busy.ts";
import { callbackFaults } from "../callers/contract.ts";
import { GrpcCaller } from "../callers/grpc-caller.ts";
import { signedCall } from "../callers/signed-call.ts";
import { brandRecord, gameRecord, keyRecord, merchantRecord, providerRecord, UNLIMITED } from "../directory/records.ts";
import { startGameService } from "../provider/game-service.ts";
import { METHODS, statusText } from "../provider/methods.ts";
import type { Release, Running } from "../service/replica.ts";
import { Deployment, type DeploymentOptions } from "./deployment.ts";

const OPENING_MINOR = 10_000n;

type RequestFields = Partial<MessageInitShape<typeof METHODS.refund.input>> &
  Partial<Pick<MessageInitShape<typeof METHODS.win.input>, "kind" | "promoId" | "jackpot" | "betTxId" | "settles">> & {
    txId: string;
    /** Whether the bet or win ends its round. */
    roundEnded?: boolean;
    /** The header of this name. */
    traceparent?: string;
  };

/** The test or command at whose end the world is stopped. */
export interface Scope {
  teardown(end: () => void | Promise<void>): void;
}

export interface WorldOptions extends Pick<DeploymentOptions, "databaseUrl" | "env"> {
  /** The merchants whose wallet gets the header `traceparent`. */
  readonly traced?: readonly string[];
  /** Whether the installation has no brands, merchants, providers and games of its own. */
  readonly isEmpty?: boolean;
}

/** A world whose service runs in the test's own process. */
export const startWorld = (t: Scope, options: WorldOptions = {}) =>
  startWorldWith(t, options, (deployment) => deployment.startHere());

/** A world whose service is a process of its own, which the test may kill, pause or read. */
export const startWorldOfProcesses = (t: Scope, options: WorldOptions = {}) =>
  startWorldWith(t, options, (deployment) => deployment.startReplica());

async function startWorldWith<First extends Running>(
  t: Scope,
  options: WorldOptions,
  startFirst: (deployment: Deployment) => Promise<First>,
) {
  const deployment = await Deployment.open(options);
  const { database, settings } = deployment;
  const apiKey = randomBytes(32).toString("hex");
  const merchants = { "shop-brl": "BRL", "shop-clp": "CLP" } as const;
  const secrets = new Map(Object.keys(merchants).map((code) => [code, `sk_${randomBytes(32).toString("base64url")}`]));

  /** The secrets that the wallet accepts; a test may change them. */
  const walletSecrets = new Map<string, readonly string[]>([...secrets].map(([code, secret]) => [code, [secret]]));
  const callbacks: Callback[] = [];
  const wallet = await startWallet({
    secretsOf: (code) => walletSecrets.get(code) ?? [],
    onCallback: (callback) => callbacks.push(callback),
  });
  for (const [code, currency] of Object.entries(merchants)) {
    wallet.ledger.addMerchant(code, currency);
    wallet.ledger.addPlayer(code, "ana", OPENING_MINOR);
  }
  const opened: OpenGameRequest[] = [];
  const provider = await startGameService(opened);

  if (options.isEmpty !== true) await addRecords();
  const first = await startFirst(deployment);

  async function addRecords(): Promise<void> {
    await settings.save({ kind: "brand", brand: brandRecord("shop", { name: "Shop" }) });
    const acme = {
      ...providerRecord("ACME", [`http://127.0.0.1:${provider.port}`]),
      name: "Acme",
      keys: [keyRecord(apiKey)],
    };
    await settings.save({ kind: "provider", provider: acme });
    await settings.save({ kind: "games", provider: acme.code, games: [gameRecord("fruits", { name: "Fruits" })] });
    for (const [code, currency] of Object.entries(merchants)) {
      if (!isCurrency(currency)) throw new Error(currency);
      const secret = secrets.get(code) ?? "";
      const record = merchantRecord(code, {
        currency,
        brand: "shop",
        walletUrl: wallet.url,
        products: ["slot"],
        secret,
        limits: UNLIMITED,
        traceContext: options.traced?.includes(code) ?? false,
      });
      await settings.save({ kind: "merchant", merchant: record });
    }
  }

  t.teardown(async () => {
    await deployment.stopReplicas();
    provider.close();
    await wallet.close();
    await deployment.close();
    const faults = callbacks.flatMap(callbackFaults);
    if (faults.length > 0) throw new Error(`callbacks are not as /openapi.json says:\n${faults.join("\n")}`);
  });

  const callers = new Map<Running, GrpcCaller>();
  const callerOf = (replica: Running): GrpcCaller => {
    const known = callers.get(replica) ?? new GrpcCaller(t, replica.ports.grpc);
    callers.set(replica, known);
    return known;
  };
  const call = async (
    action: keyof typeof METHODS,
    { refTxId, playerRef, traceparent, ...fields }: RequestFields,
    on: Running = first,
  ): Promise<string> => {
    const reversal = action === "refund" || action === "rollback" ? { refTxId } : {};
    const request = {
      roundId: "r1",
      amountMinor: 250n,
      currency: "BRL",
      ...fields,
      ...reversal,
      ...(action === "bet" ? {} : { playerRef }),
    };
    try {
      // The four requests differ only in the fields set above.
      const method = METHODS[action] as unknown as typeof METHODS.refund;
      const reply = await callerOf(on).call(method, request as never, {
        keys: [apiKey],
        ...(traceparent !== undefined && { headers: { traceparent } }),
        deadline: Date.now() + 20_000,
      });
      const status = statusText(reply.status);
      return status === "failed" ? `failed:${reply.error}` : status;
    } catch (error) {
      const { metadata, message } = error as { metadata?: { get(name: string): unknown[] }; message: string };
      return String(metadata?.get("error-code")[0] ?? message);
    }
  };

  return {
    first,
    /** Starts one more process of the service with the same database. See {@link Deployment.startReplica}. */
    start: (env: Readonly<Record<string, string>> = {}, release?: Release) => deployment.startReplica(env, release),
    wallet,
    provider,
    callbacks,
    opened,
    settings,
    database,
    secrets,
    walletSecrets,
    apiKey,
    keys: [apiKey],
    callerOf,
    rest: (method: "GET" | "POST", target: string, payload?: unknown, code = "shop-brl") =>
      signedCall(
        `http://127.0.0.1:${first.ports.rest}`,
        { code, secret: secrets.get(code) ?? "" },
        method,
        target,
        payload,
      ),
    /** Launches the game and returns the session that the provider got. */
    async session(code = "shop-brl", more: object = {}): Promise<string> {
      const reply = await this.rest("POST", "/v1/game/launch", { player_id: "ana", game: "fruits", ...more }, code);
      if (!reply.ok) throw new Error(`launch failed: ${reply.code}`);
      return opened.at(-1)?.sessionId ?? "";
    },
    /** Like {@link request}, but never makes the request again. */
    requestOnce: call,
    /**
     * Returns `success`, `failed:CODE`, `pending`, or the refusal's code. Makes a request again that a busy service did
     * not serve, as a provider may.
     */
    request: (action: keyof typeof METHODS, fields: RequestFields, on: Running = first): Promise<string> =>
      repeated(
        () => call(action, fields, on),
        (answer) => answer,
      ),
    balance: (code = "shop-brl") => wallet.ledger.balanceMinor(code, "ana"),
    /** The number of the wallet's calls for this id. */
    calls: (id: string) => callbacks.filter((callback) => JSON.parse(callback.body).tx_id === `ACME:${id}`).length,
  };
}
