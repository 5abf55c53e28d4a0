import type { Content } from "../../domain/transaction/transaction.ts";
import type { Span } from "../../ports/tracing.ts";
import { type BalanceQuery, Wallet, type WalletReply, type WalletTarget } from "../../ports/wallet.ts";
import type { WalletRecorder } from "./wallet-recorder.ts";

/** Wraps a wallet and counts its calls. */
export class RecordedWallet extends Wallet {
  readonly #wallet: Wallet;
  readonly #recorder: WalletRecorder;

  constructor(wallet: Wallet, recorder: WalletRecorder) {
    super();
    this.#wallet = wallet;
    this.#recorder = recorder;
  }

  override send(target: WalletTarget, content: Content, attempt: number, span?: Span): Promise<WalletReply> {
    return this.#recorded(target, this.#wallet.send(target, content, attempt, span));
  }

  override balance(target: WalletTarget, query: BalanceQuery, span?: Span): Promise<WalletReply> {
    return this.#recorded(target, this.#wallet.balance(target, query, span));
  }

  async #recorded({ merchantId }: WalletTarget, call: Promise<WalletReply>): Promise<WalletReply> {
    const reply = await call;
    this.#recorder.record(merchantId, reply.result, reply.durationMs);
    return reply;
  }
}
