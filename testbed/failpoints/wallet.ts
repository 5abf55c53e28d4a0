import { subscribe } from "node:diagnostics_channel";
import type { WalletRequest } from "../../src/adapters/wallet-http/connection.ts";
import { REPLY_BEGUN, REQUEST_SENT } from "../../src/adapters/wallet-http/http1/socket-connection.ts";
import type { Content } from "../../src/domain/transaction/transaction.ts";
import { keyText, ownTxId, type TxId } from "../../src/domain/values/identifiers.ts";
import type { Span } from "../../src/ports/tracing.ts";
import { type BalanceQuery, Wallet, type WalletReply, type WalletTarget } from "../../src/ports/wallet.ts";
import type { Failpoints } from "./failpoints.ts";

/** Adds the crash points CP3, CP4, CP7, CP13 and CP15 to a wallet. */
export class FailpointWallet extends Wallet {
  readonly #real: Wallet;
  readonly #failpoints: Failpoints;
  readonly #resends: ReadonlySet<string>;

  /** @param resends - keys of the transactions that the resend worker sends. */
  constructor(real: Wallet, failpoints: Failpoints, resends: ReadonlySet<string>) {
    super();
    this.#real = real;
    this.#failpoints = failpoints;
    this.#resends = resends;
  }

  override async send(target: WalletTarget, content: Content, attempt: number, span?: Span): Promise<WalletReply> {
    const ids = [ownTxId(content.txId)];
    await this.#failpoints.reach(attempt === 1 ? "CP3" : "CP4", ids);
    const reply = await this.#real.send(target, content, attempt, span);
    await this.#failpoints.reach("CP7", ids);
    if (content.refTxId !== null) await this.#failpoints.reach("CP15", ids);
    if (this.#resends.has(keyText(content))) await this.#failpoints.reach("CP13", ids);
    return reply;
  }

  override balance(target: WalletTarget, query: BalanceQuery, span?: Span): Promise<WalletReply> {
    return this.#real.balance(target, query, span);
  }
}

/**
 * Adds the crash points CP5 and CP6 by the diagnostics channels of both HTTP clients. CP5: the request's last byte has
 * been written. CP6: the reply's headers have been read.
 */
export function watchWalletRequests(failpoints: Failpoints): void {
  const pass = (point: "CP5" | "CP6", body: unknown): void => {
    const txId = Buffer.isBuffer(body)
      ? (JSON.parse(body.toString("utf8")) as { readonly tx_id?: TxId }).tx_id
      : undefined;
    if (txId !== undefined) failpoints.pass(point, [ownTxId(txId)]);
  };
  type Undici = { readonly request: { readonly body: unknown } };
  subscribe("undici:request:bodySent", (message) => pass("CP5", (message as Undici).request.body));
  subscribe("undici:request:headers", (message) => pass("CP6", (message as Undici).request.body));
  subscribe(REQUEST_SENT.name, (message) => pass("CP5", (message as WalletRequest).body));
  subscribe(REPLY_BEGUN.name, (message) => pass("CP6", (message as WalletRequest).body));
}
