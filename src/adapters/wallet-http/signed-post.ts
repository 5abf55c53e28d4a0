import type { Clock } from "../../ports/clock.ts";
import type { Random } from "../../ports/random.ts";
import type { WalletTarget } from "../../ports/wallet.ts";
import { signedHeaders } from "./callback.ts";
import type { Connection } from "./connection.ts";
import { type Ending, Exchange } from "./exchange.ts";

export interface SignedPost {
  readonly target: WalletTarget;
  /** The path and query of the walletUrl, which are sent and signed. */
  readonly path: string;
  readonly body: string;
  readonly requestId: string;
  /** The attempt's number: 1, 2, 3 and so on. */
  readonly attempt: number;
  /** The header `traceparent`; undefined: the header is not sent. */
  readonly traceparent: string | undefined;
}

/** Sends signed requests to wallets. Each request is sent once and has one deadline. */
export class SignedPosts {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #timeoutMs: number;

  constructor(clock: Clock, random: Random, timeoutMs: number) {
    this.#clock = clock;
    this.#random = random;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Calls `onEnd` once, before or at the deadline. The caller must then release or destroy the connection.
   *
   * @param onFirstByte - called when the reply begins.
   */
  send(connection: Connection, post: SignedPost, onEnd: (ending: Ending) => void, onFirstByte?: () => void): void {
    const exchange = new Exchange((ending) => {
      cancelDeadline();
      onEnd(ending);
    }, onFirstByte);
    const cancelDeadline = this.#clock.after(this.#timeoutMs, () => exchange.fail("timeout"));
    const { target, path, requestId, attempt, traceparent } = post;
    const body = Buffer.from(post.body);
    const stamp = { now: this.#clock.now(), nonce: this.#random.token(), requestId, attempt, traceparent };
    connection.dispatch({ path, headers: signedHeaders(target, path, body, stamp), body }, exchange);
  }
}
