import type { Callback } from "./wallet.ts";

/** A callback as the merchant's page shows it. Amounts and balances are the wire's decimals. */
export interface LoggedCallback {
  readonly id: number;
  /** The time of the wallet's decision, in ms since 1970. */
  readonly at: number;
  readonly merchant: string;
  readonly action: string;
  readonly player: string;
  readonly provider: string;
  readonly game: string;
  readonly currency: string;
  readonly tx_id: string | null;
  readonly round_id: string | null;
  readonly ref_tx_id: string | null;
  readonly amount: number | null;
  /** X-Attempt: the number of the service's attempt for this transaction. */
  readonly attempt: number;
  readonly request_id: string;
  /** `ok`, or the reason why the signature is wrong. */
  readonly signature: string;
  readonly fault: string;
  readonly reply: unknown;
  /** Milliseconds from the service's signature to the wallet's decision. */
  readonly duration_ms: number;
  /** The body's text as it was received, or the beginning of a long one. */
  readonly body: string;
}

const KEPT = 200;
/** The most characters that are kept of a field and of a body. Anybody can send callbacks without a right signature. */
const FIELD_MAX = 256;
const BODY_MAX = 4_096;
const UNSIGNED_BODY_MAX = 512;

/** The callbacks of this run, newest last. Listeners are called for new ones. */
export class CallbackLog {
  readonly #kept: LoggedCallback[] = [];
  readonly #listeners = new Set<(callback: LoggedCallback) => void>();
  #counter = 0;

  add(callback: Callback): void {
    const logged = this.#log(callback);
    this.#kept.push(logged);
    if (this.#kept.length > KEPT) this.#kept.shift();
    for (const listener of this.#listeners) listener(logged);
  }

  /** The callbacks of one player. A callback without a readable player is shown to every player. */
  of(merchant: string, player: string): LoggedCallback[] {
    return this.#kept.filter((callback) => concerns(callback, merchant, player));
  }

  /** The callbacks about these transactions; without transactions, the balance queries of a game in a time (ms since 1970). */
  about(txIds: readonly string[], game: string, from: number, until: number): LoggedCallback[] {
    return this.#kept.filter(({ tx_id, action, at, game: of }) =>
      txIds.length > 0
        ? tx_id !== null && txIds.includes(tx_id)
        : action === "balance" && of === game && at >= from && at <= until,
    );
  }

  /** Calls `listener` for every new callback of a player, until the returned function is called. */
  listen(merchant: string, player: string, heard: (callback: LoggedCallback) => void): () => void {
    const listener = (callback: LoggedCallback): void => {
      if (concerns(callback, merchant, player)) heard(callback);
    };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #log(callback: Callback): LoggedCallback {
    const body = fields(callback.body);
    const text = (name: string): string => (typeof body[name] === "string" ? body[name].slice(0, FIELD_MAX) : "");
    const header = (name: string): string => String(callback.headers[name] ?? "").slice(0, FIELD_MAX);
    return {
      id: ++this.#counter,
      at: callback.at,
      merchant: callback.merchant.slice(0, FIELD_MAX),
      action: text("action"),
      player: text("player_id"),
      provider: text("provider"),
      game: text("game"),
      currency: text("currency"),
      tx_id: text("tx_id") || null,
      round_id: text("round_id") || null,
      ref_tx_id: text("ref_tx_id") || null,
      amount: typeof body.amount === "number" ? body.amount : null,
      attempt: Number(header("x-attempt")) || 1,
      request_id: header("x-request-id"),
      signature: callback.signature,
      fault: callback.fault,
      reply: callback.reply,
      duration_ms: Math.max(0, callback.at - Number(header("x-timestamp") || callback.at)),
      body: callback.body.slice(0, callback.signature === "ok" ? BODY_MAX : UNSIGNED_BODY_MAX),
    };
  }
}

const concerns = (callback: LoggedCallback, merchant: string, player: string): boolean =>
  callback.player === "" || (callback.merchant === merchant && callback.player === player);

function fields(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
