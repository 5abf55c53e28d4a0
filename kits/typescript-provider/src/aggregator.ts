/** The client of the aggregator's WalletService. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { TransactionStatus } from "../../../src/gen/aggregator/provider/v1/transaction_status_pb.ts";
import {
  type PlaceBetRequestSchema,
  type PlaceBetResponse,
  type RefundBetRequestSchema,
  WalletService,
} from "../../../src/gen/aggregator/provider/v1/wallet_service_pb.ts";
import { refusalOf } from "./refusal.ts";

export interface AggregatorOptions {
  /** `https://provider.aggregator.example:9090`; `http://` for a service on this machine. */
  readonly address: string;
  readonly apiKey: string;
  /** The time-out of one call, in ms; 10 000 by default. */
  readonly timeoutMs?: number;
}

/** The result of a bet. The round may start only if `start` is true. */
export type BetOutcome =
  | { readonly start: true; readonly reply: PlaceBetResponse }
  /** `error`: the wallet's code, or OUTCOME_UNKNOWN after a bet without a final answer, which is refunded. */
  | { readonly start: false; readonly error: string };

const USER_AGENT = "game-aggregator-typescript-provider/1.0.0";
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

/** Make one for the whole process. Its calls share a connection. */
export class Aggregator {
  /** The service's methods. Each method makes one call, without repeats. Read a thrown error with `refusalOf`. */
  readonly wallet: Client<typeof WalletService>;

  constructor({ address, apiKey, timeoutMs = 10_000 }: AggregatorOptions) {
    const authorize: Interceptor = (next) => (request) => {
      request.header.set("authorization", `Bearer ${apiKey}`);
      request.header.set("user-agent", USER_AGENT);
      return next(request);
    };
    const options = { baseUrl: address, interceptors: [authorize], defaultTimeoutMs: timeoutMs };
    this.wallet = createClient(WalletService, createGrpcTransport(options));
  }

  /**
   * Repeats a call until there is a reply: `until((wallet) => wallet.payWin(win))`. With `final`, it repeats the call
   * until the reply's status is no longer PENDING. Throws an error that must not be repeated. After the last try it
   * returns the last reply, or throws the last error.
   */
  async until<T extends { readonly status: TransactionStatus }>(
    call: (wallet: Client<typeof WalletService>) => Promise<T>,
    { final = false, tries = Number.POSITIVE_INFINITY } = {},
  ): Promise<T> {
    for (let n = 1; ; n++) {
      try {
        const reply = await call(this.wallet);
        if (!final || reply.status !== TransactionStatus.PENDING || n >= tries) return reply;
      } catch (cause) {
        if (!refusalOf(cause).isRepeatable || n >= tries) throw cause;
      }
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(n - 1, 10), LONGEST_PAUSE_MS);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /**
   * Places a bet. After five tries without a final answer it refunds the bet, because the player may have paid. Save
   * `bet` and `refund` before you call this method. After a crash, send the refund.
   */
  async takeBet(
    bet: MessageInitShape<typeof PlaceBetRequestSchema>,
    refund: MessageInitShape<typeof RefundBetRequestSchema>,
  ): Promise<BetOutcome> {
    try {
      const reply = await this.until((wallet) => wallet.placeBet(bet), { final: true, tries: 5 });
      if (reply.status === TransactionStatus.SUCCESS) return { start: true, reply };
      if (reply.status === TransactionStatus.FAILED) return { start: false, error: reply.error };
    } catch (cause) {
      if (!refusalOf(cause).isRepeatable) throw cause;
    }
    // Any reply is enough, even PENDING: from then on the aggregator delivers the refund.
    await this.until((wallet) => wallet.refundBet(refund));
    return { start: false, error: "OUTCOME_UNKNOWN" };
  }
}
