import { walletUrlFault } from "../../domain/merchant/wallet-url.ts";
import type { Content } from "../../domain/transaction/transaction.ts";
import type { TxId } from "../../domain/values/identifiers.ts";
import type { Currency } from "../../domain/values/money.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { Span } from "../../ports/tracing.ts";
import { type BalanceQuery, Wallet, type WalletReply, type WalletTarget } from "../../ports/wallet.ts";
import { balanceBody, transactionBody } from "./callback.ts";
import { CLIENTS } from "./clients.ts";
import type { Connector } from "./connection.ts";
import { type HttpWalletOptions, WalletConnectors } from "./connector.ts";
import type { Ending } from "./exchange.ts";
import { MerchantAlerts } from "./merchant-alerts.ts";
import { MerchantConnections } from "./merchant-connections.ts";
import { readReply, silence } from "./reply.ts";
import { replyStart } from "./reply-start.ts";
import { SignedPosts } from "./signed-post.ts";

/**
 * Calls merchants' wallets by signed HTTP requests. Each call is one request that is never sent twice, and ends within
 * the time-out.
 */
export class HttpWallet extends Wallet {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #alerts: MerchantAlerts;
  readonly #options: HttpWalletOptions;
  readonly #connector: Connector;
  readonly #posts: SignedPosts;
  readonly #merchants = new Map<number, MerchantConnections>();
  #closed = false;

  constructor(clock: Clock, random: Random, telemetry: Telemetry, options: HttpWalletOptions) {
    super();
    this.#clock = clock;
    this.#random = random;
    this.#alerts = new MerchantAlerts(telemetry);
    this.#options = options;
    this.#connector = new WalletConnectors(options).make();
    this.#posts = new SignedPosts(clock, random, options.timeoutMs);
  }

  send(target: WalletTarget, content: Content, attempt: number, span?: Span): Promise<WalletReply> {
    return this.#call(target, transactionBody(content), content.currency, attempt, content.txId, span);
  }

  balance(target: WalletTarget, query: BalanceQuery, span?: Span): Promise<WalletReply> {
    return this.#call(target, balanceBody(query), query.currency, 1, null, span);
  }

  /** The troubles of merchants' wallets that go on, as their last calls showed them. */
  troubles(): ReturnType<MerchantAlerts["ongoing"]> {
    return this.#alerts.ongoing();
  }

  /**
   * Closes the sockets. Running and later calls end as silent (`connect`). A call to a former walletUrl ends at its
   * deadline.
   */
  close(): void {
    this.#closed = true;
    for (const connections of this.#merchants.values()) connections.close();
  }

  #call(
    target: WalletTarget,
    body: string,
    currency: Currency,
    attempt: number,
    txId: TxId | null,
    span: Span | undefined,
  ): Promise<WalletReply> {
    const requestId = this.#random.uuid();
    const began = this.#clock.monotonic();
    return new Promise((resolve) => {
      const connections = this.#connectionsOf(target);
      if (connections === undefined)
        return resolve({ ...silence("connect"), httpStatus: null, requestId, durationMs: 0 });

      const connection = connections.take();
      const end = (ending: Ending): void => {
        const reading = ending.fault === null ? readReply(ending.status, ending.body, currency) : silence(ending.fault);
        // After a reply that is not valid, the next reply on this socket may belong to another request.
        const isSilent = reading.answer.kind === "silent";
        if (isSilent) connections.destroy(connection);
        else connections.release(connection);
        this.#alerts.ended(target, ending, reading, {
          tx_id: txId ?? undefined,
          request_id: requestId,
          trace_id: span?.traceId,
        });
        const durationMs = Math.round(this.#clock.monotonic() - began);
        const { answer, result } = reading;
        const ended = { answer, result, httpStatus: ending.status, requestId, durationMs };
        // Only attempts of transactions are logged with the beginning of the reply.
        const isLogged = isSilent && txId !== null;
        resolve(isLogged ? { ...ended, replyStart: replyStart(ending.body, target, ending.coding) } : ended);
      };
      const traceparent = target.traceContext ? span?.traceparent : undefined;
      this.#posts.send(connection, { target, path: connections.path, body, requestId, attempt, traceparent }, end);
    });
  }

  /**
   * The connections to the merchant's current walletUrl. `undefined`: there is no walletUrl, or the service may not
   * call it.
   */
  #connectionsOf({ merchantId, walletUrl }: WalletTarget): MerchantConnections | undefined {
    const known = this.#merchants.get(merchantId);
    if (known !== undefined && known.walletUrl === walletUrl && !this.#closed) return known;
    known?.retire();
    this.#merchants.delete(merchantId);
    if (walletUrl === null || this.#closed || walletUrlFault(walletUrl, this.#options) !== undefined) return undefined;
    const connections = new MerchantConnections(walletUrl, CLIENTS[this.#options.client ?? "own"], this.#connector);
    this.#merchants.set(merchantId, connections);
    return connections;
  }
}
