/**
 * The provider's client of `aggregator.provider.v1.WalletService`. It uses only the published .proto files, loaded at
 * start, and grpc-js. Amounts are whole minor units in a number, which holds every allowed amount exactly.
 */
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { grpcClient } from "../grpc-client.ts";

const PROTO = fileURLToPath(new URL("../../proto/", import.meta.url));

/** `aggregator.provider.v1` in grpc-js' form: field names as in the proto, int64 as text, enums by name. */
export const providerV1 = (() => {
  const files = ["wallet_service.proto", "game_service.proto"].map((file) => `aggregator/provider/v1/${file}`);
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
  return (
    loaded as unknown as {
      aggregator: {
        provider: { v1: { WalletService: grpc.ServiceClientConstructor; GameService: grpc.ServiceClientConstructor } };
      };
    }
  ).aggregator.provider.v1;
})();

export type Method = "GetBalance" | "PlaceBet" | "PayWin" | "RefundBet" | "RollbackWin";

export interface WalletRequest {
  readonly session_id: string;
  readonly tx_id?: string;
  readonly ref_tx_id?: string;
  readonly round_id?: string;
  readonly amount_minor?: number;
  readonly currency?: string;
  readonly kind?: "tip" | "feature_buy" | "free_rounds" | "jackpot";
  readonly jackpot?: { readonly id: string; readonly tier: string };
  readonly round_ended?: boolean;
}

/** The fields that say what a bet or win is for, and whether it ends its round. */
export type Labels = Pick<WalletRequest, "kind" | "jackpot" | "round_ended">;

/**
 * The result of a call. `refused`: the service refused the call, and nothing was recorded. `lost`: the outcome is
 * unknown, because no reply came, or because the reply's code does not show the outcome.
 */
export interface WalletAnswer {
  readonly status: "success" | "pending" | "failed" | "refused" | "lost";
  /** The balance in the reply; null: the reply has none. */
  readonly balanceMinor: number | null;
  /**
   * The wallet's code for `failed`. The service's code for `refused` and `lost`, or the reason why no reply came.
   * Otherwise empty.
   */
  readonly error: string;
  /** The id that the merchant sees; empty when there is none. */
  readonly wireId: string;
  /** Milliseconds from call to answer. */
  readonly ms: number;
  /** Only of a game behind a connector. */
  readonly translation?: Translation;
}

/** What became of one call of an upstream, as three lists of requests with their answers. */
export interface Translation {
  /** The upstream's own API: what it sent to the connector. */
  readonly upstream: readonly Exchange[];
  /** The provider API: what the connector sent to the service. */
  readonly connector: readonly Exchange[];
  /** The callbacks: what the service sent to the merchant's wallet. */
  readonly wallet: readonly Exchange[];
}

export interface Exchange {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly request: string;
  /** Empty: there is none yet. */
  readonly answer: string;
}

/** The other end of a game's calls: the service itself, or a connector that speaks an upstream's own API. */
export interface Cashier {
  readonly isClosed: boolean;
  /** Makes a call and waits for its answer. Never throws. With `hangUp` it gives the reply up, like a broken connection. */
  call(method: Method, request: WalletRequest, hangUp?: boolean): Promise<WalletAnswer>;
  /** Ends a round. Absent: an upstream's own API, which has no kinds, and reports a lost round as a win of 0. */
  endRound?(request: WalletRequest): Promise<WalletAnswer>;
}

/** The deadline of a call. A wallet may take 8 s. The service answers PENDING just before the deadline. */
export const DEADLINE_MS = 10_000;
/** A lost call is cancelled after this time: late enough for the request to be sent, early enough to miss the reply. */
export const HANG_UP_AFTER_MS = 4;

/** The service's codes after which the transaction may have been recorded. */
const UNKNOWN_OUTCOME: ReadonlySet<string> = new Set(["SERVICE_UNAVAILABLE", "WALLET_UNAVAILABLE", "INTERNAL_ERROR"]);

interface Reply {
  readonly status?: string;
  readonly balance_minor?: string;
  readonly error?: string;
  readonly tx_id?: string;
}

export class WalletClient implements Cashier {
  readonly #client: grpc.Client;
  readonly #metadata: grpc.Metadata;
  #isClosed = false;

  /** `address`: host:port of the service's gRPC listener. `key`: this provider's API key. */
  constructor(address: string, key: string) {
    this.#client = grpcClient(providerV1.WalletService, address);
    this.#metadata = new grpc.Metadata();
    this.#metadata.set("authorization", `Bearer ${key}`);
  }

  call(method: Method, request: WalletRequest, hangUp = false): Promise<WalletAnswer> {
    return this.#send(method, request, hangUp);
  }

  endRound(request: WalletRequest): Promise<WalletAnswer> {
    return this.#send("EndRound", request);
  }

  #send(method: Method | "EndRound", request: WalletRequest, hangUp = false): Promise<WalletAnswer> {
    const started = performance.now();
    const answer = (
      status: WalletAnswer["status"],
      error: string,
      balanceMinor: number | null = null,
      wireId = "",
    ): WalletAnswer => {
      return { status, error, balanceMinor, wireId, ms: Math.round(performance.now() - started) };
    };
    return new Promise((resolve) => {
      const rpc = (this.#client as unknown as Record<typeof method, Unary>)[method].bind(this.#client);
      const call = rpc(request, this.#metadata, { deadline: Date.now() + DEADLINE_MS }, (error, reply) => {
        if (error?.code === grpc.status.CANCELLED) return resolve(answer("lost", ""));
        if (error !== null) {
          const [code] = error.metadata?.get("error-code") ?? [];
          const isLost = code === undefined || UNKNOWN_OUTCOME.has(String(code));
          return resolve(answer(isLost ? "lost" : "refused", String(code ?? grpc.status[error.code])));
        }
        // The reply of EndRound has no status: each reply is a success.
        const status = (reply?.status ?? "success").replace("TRANSACTION_STATUS_", "").toLowerCase() as
          | "success"
          | "pending"
          | "failed";
        resolve(
          answer(
            status,
            reply?.error ?? "",
            reply?.balance_minor === undefined ? null : Number(reply.balance_minor),
            reply?.tx_id ?? "",
          ),
        );
      });
      if (hangUp) setTimeout(() => call.cancel(), HANG_UP_AFTER_MS);
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#client.close();
  }
}

type Unary = (
  request: WalletRequest,
  metadata: grpc.Metadata,
  options: grpc.CallOptions,
  callback: (error: grpc.ServiceError | null, reply?: Reply) => void,
) => grpc.ClientUnaryCall;
