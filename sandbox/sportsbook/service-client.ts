/**
 * The sportsbook's client of `aggregator.sportsbook.v1`. It uses only the published .proto files, loaded at start, and
 * grpc-js. Amounts are whole minor units. An int64 is sent as text.
 */
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { grpcClient } from "../grpc-client.ts";

const PROTO = fileURLToPath(new URL("../../proto/", import.meta.url));
/**
 * The deadline of a call. Each wallet call of a slip may take 8 s. The service answers PENDING when the deadline comes
 * first.
 */
const DEADLINE_MS = 12_000;

/** A brand as GetBrand returns it. */
export interface Brand {
  readonly brand_id: string;
  readonly theme: string;
  readonly layout: string;
  /** The language for visitors, with or without a region. Empty: the brand has not set one. */
  readonly default_language: string;
  /** The setting `odds`: decimal, fractional or american. Empty: the brand has not set it. */
  readonly odds: string;
  readonly allowed_origins: readonly string[];
}

export interface ExchangedSession {
  readonly session_id: string;
  /** An opaque text, the same for each session of a player at a merchant. */
  readonly player_ref: string;
  readonly brand: Brand;
  readonly currency: string;
  readonly language: string;
  /** Milliseconds since 1970. */
  readonly expires_at: number;
}

type WireStatus = "success" | "pending" | "failed";

interface SlipBetReply {
  readonly tx_id: string;
  readonly status: WireStatus;
  readonly error: string;
  /** null: the bet has no refund. */
  readonly refundStatus: WireStatus | null;
}

export interface SlipReply {
  readonly status: WireStatus;
  readonly balanceMinor: bigint | null;
  readonly bets: readonly SlipBetReply[];
}

export interface MoneyReply {
  readonly status: WireStatus;
  readonly balanceMinor: bigint | null;
  /** The wallet's code for `failed`. */
  readonly error: string;
}

/** The service refused a call, or could not be reached. `again`: the same request may be sent again. */
export class ServiceRefusal extends Error {
  readonly code: string;
  readonly again: boolean;
  constructor(code: string, again: boolean) {
    super(code);
    this.code = code;
    this.again = again;
  }
}

/**
 * Codes after which the same request may succeed: those with retry `same_request`, and those of a broken connection or
 * a proxy. After most of these codes it is not known whether the request was executed.
 */
const TRANSIENT: ReadonlySet<string> = new Set([
  "OVERLOADED",
  "SERVICE_UNAVAILABLE",
  "WALLET_UNAVAILABLE",
  "INTERNAL_ERROR",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "CANCELLED",
  "INTERNAL",
  "UNKNOWN",
  "RESOURCE_EXHAUSTED",
  "ABORTED",
]);

interface SlipBet {
  readonly tx_id: string;
  readonly round_id: string;
  readonly amount_minor: string;
}

export class SportsbookClient {
  readonly #clients: Readonly<Record<"SessionService" | "BetService" | "BrandService", grpc.Client>>;
  readonly #metadata = new grpc.Metadata();

  /** `address`: host:port of the service's gRPC listener. `key`: the API key of the provider SPORTSBOOK. */
  constructor(address: string, key: string) {
    const files = ["session_service.proto", "bet_service.proto", "brand_service.proto"].map(
      (file) => `aggregator/sportsbook/v1/${file}`,
    );
    const loaded = grpc.loadPackageDefinition(
      loadSync(files, {
        includeDirs: [PROTO],
        keepCase: true,
        longs: String,
        enums: String,
        defaults: true,
        oneofs: true,
      }),
    );
    const { v1 } = (
      loaded as unknown as { aggregator: { sportsbook: { v1: Record<string, grpc.ServiceClientConstructor> } } }
    ).aggregator.sportsbook;
    const client = (service: string) => grpcClient(v1[service] as grpc.ServiceClientConstructor, address);
    this.#clients = {
      SessionService: client("SessionService"),
      BetService: client("BetService"),
      BrandService: client("BrandService"),
    };
    this.#metadata.set("authorization", `Bearer ${key}`);
  }

  /** Every call rejects with {@link ServiceRefusal}. */
  async getBrand(brandId: string): Promise<Brand> {
    return readBrand(await this.#call("BrandService", "GetBrand", { brand_id: brandId }));
  }

  async exchangeToken(token: string): Promise<ExchangedSession> {
    return readSession(await this.#call("SessionService", "ExchangeToken", { token }));
  }

  async getSession(sessionId: string): Promise<ExchangedSession> {
    return readSession(await this.#call("SessionService", "GetSession", { session_id: sessionId }));
  }

  async endSession(sessionId: string): Promise<void> {
    await this.#call("SessionService", "EndSession", { session_id: sessionId });
  }

  /** The balance of a session's player, or of a player without a session. The call extends the session. */
  async getBalance(whose: { readonly session_id: string } | { readonly player_ref: string }): Promise<MoneyReply> {
    return readMoney(await this.#call("BetService", "GetBalance", whose));
  }

  async placeBetslip(sessionId: string, slipId: string, bets: readonly SlipBet[]): Promise<SlipReply> {
    const reply = await this.#call("BetService", "PlaceBetslip", { session_id: sessionId, slip_id: slipId, bets });
    const results = (reply.bets ?? []) as { tx_id: string; status: string; error: string; refund_status: string }[];
    return {
      ...readMoney(reply),
      bets: results.map(({ tx_id, status, error, refund_status }) => ({
        tx_id,
        status: readStatus(status),
        error,
        refundStatus: refund_status === "TRANSACTION_STATUS_UNSPECIFIED" ? null : readStatus(refund_status),
      })),
    };
  }

  async payWin(win: {
    player_ref: string;
    tx_id: string;
    round_id: string;
    amount_minor: string;
    currency: string;
  }): Promise<MoneyReply> {
    return readMoney(await this.#call("BetService", "PayWin", win));
  }

  close(): void {
    for (const client of Object.values(this.#clients)) client.close();
  }

  #call(service: "SessionService" | "BetService" | "BrandService", method: string, request: object): Promise<Reply> {
    const client = this.#clients[service];
    const rpc = (client as unknown as Record<string, Unary>)[method] as Unary;
    return new Promise((resolve, reject) => {
      rpc.call(client, request, this.#metadata, { deadline: Date.now() + DEADLINE_MS }, (error, reply) => {
        if (error === null) return resolve(reply ?? {});
        const code = String(error.metadata?.get("error-code")[0] ?? grpc.status[error.code]);
        reject(new ServiceRefusal(code, TRANSIENT.has(code)));
      });
    });
  }
}

type Reply = Readonly<Record<string, unknown>>;
type Unary = (
  request: object,
  metadata: grpc.Metadata,
  options: grpc.CallOptions,
  callback: (error: grpc.ServiceError | null, reply?: Reply) => void,
) => grpc.ClientUnaryCall;

const readStatus = (name: unknown): WireStatus => String(name).replace(/^.*_/, "").toLowerCase() as WireStatus;

function readMoney(reply: Reply): MoneyReply {
  const { status, balance_minor: balance, error } = reply;
  return {
    status: readStatus(status),
    balanceMinor: typeof balance === "string" ? BigInt(balance) : null,
    error: String(error ?? ""),
  };
}

const readBrand = ({ brand_id, theme, layout, settings, allowed_origins }: Reply): Brand => ({
  brand_id: String(brand_id),
  theme: String(theme),
  layout: String(layout),
  default_language: setting(settings as Struct, "default_language"),
  odds: setting(settings as Struct, "odds"),
  allowed_origins: allowed_origins as string[],
});

const readSession = ({ session_id, player_ref, brand, currency, language, expires_at }: Reply): ExchangedSession => ({
  session_id: String(session_id),
  player_ref: String(player_ref),
  brand: readBrand(brand as Reply),
  currency: String(currency),
  language: String(language),
  expires_at: Number((expires_at as { seconds: string }).seconds) * 1_000,
});

/** google.protobuf.Struct as the loader returns it. */
type Struct = { readonly fields?: Readonly<Record<string, { readonly stringValue?: string }>> } | null;

const setting = (settings: Struct, name: string): string => settings?.fields?.[name]?.stringValue ?? "";
