/** Answers the service's callbacks. */
import { CURRENCIES, type Currency, toDecimal } from "../money.ts";
import { type Headers, headerOf, verify } from "../signing.ts";
import { readCallback } from "./callback.ts";
import { apply, balanceOf, type Outcome } from "./rules.ts";
import type { Storage } from "./storage.ts";

/** The secret for the check of an unknown merchant. Such a callback is refused with any signature. */
const NO_SECRET = "no secret";
/** A callback has at most a few hundred bytes. */
export const BODY_MAX_BYTES = 64 * 1024;

export interface WalletMerchant {
  readonly code: string;
  /** One secret; two during a change of the secret. */
  readonly secrets: readonly string[];
  readonly currency: Currency;
  /**
   * true: a wrong signature is answered 503 instead of 401. Use it while the secret is changed at once, so that
   * callbacks stay pending and are not finally rejected.
   */
  readonly answer503?: boolean;
}

export interface WalletOptions {
  /** The merchants, or a function that finds a merchant by its code. */
  readonly merchants:
    | readonly WalletMerchant[]
    | ((code: string) => WalletMerchant | undefined | Promise<WalletMerchant | undefined>);
  readonly storage: Storage;
  /**
   * Path and query of the walletUrl. Set it when a proxy changes the path before this server. By default the received
   * path and query are used.
   */
  readonly target?: string;
  /** Receives the error behind a 500 reply. By default the error is printed to standard error. */
  readonly onError?: (cause: unknown) => void;
}

export interface WalletRequest {
  readonly method: string;
  /** Path and query as they arrived, not decoded. */
  readonly target: string;
  readonly headers: Headers;
  /** The raw bytes, before any parser. */
  readonly body: Uint8Array;
}

export interface WalletReply {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

export class Wallet {
  readonly #merchantOf: (code: string) => Promise<WalletMerchant | undefined>;
  readonly #options: WalletOptions;

  /** @throws TypeError if a merchant is in the list twice, has no secret, or has a currency that the service does not support */
  constructor(options: WalletOptions) {
    this.#options = options;
    const { merchants } = options;
    if (typeof merchants === "function") {
      this.#merchantOf = async (code) => {
        const merchant = await merchants(code);
        return merchant === undefined ? undefined : checked(merchant);
      };
      return;
    }
    const byCode = new Map(merchants.map((merchant) => [merchant.code, checked(merchant)]));
    const twice = merchants.find((merchant) => byCode.get(merchant.code) !== merchant);
    if (twice !== undefined)
      throw new TypeError(`Merchant ${twice.code} is in the list twice: list it once, with all of its secrets.`);
    this.#merchantOf = async (code) => byCode.get(code);
  }

  /**
   * Never throws. After an error the reply is a 500 without the error's text. The service treats a 500 as an unknown
   * outcome: it may send the callback again, or a refund.
   */
  async handle(request: WalletRequest): Promise<WalletReply> {
    try {
      return await this.#answer(request);
    } catch (cause) {
      (this.#options.onError ?? console.error)(cause);
      return rejection(500, "INTERNAL_ERROR");
    }
  }

  async #answer({ method, target, headers, body }: WalletRequest): Promise<WalletReply> {
    if (method !== "POST") return rejection(405, "METHOD_NOT_ALLOWED");
    if (body.byteLength > BODY_MAX_BYTES) return rejection(413, "PAYLOAD_TOO_LARGE");
    const merchant = await this.#merchantOf(headerOf(headers, "x-merchant-id"));
    const signed = { method, target: this.#options.target ?? target, body };
    // The same work is done for an unknown merchant, so that the response time does not show which merchants exist.
    const isGenuine = verify(merchant?.secrets ?? [NO_SECRET], headers, signed);
    if (merchant === undefined || !isGenuine)
      return rejection(merchant?.answer503 === true ? 503 : 401, "INVALID_SIGNATURE");
    const { currency } = merchant;
    const callback = readCallback(body, currency);
    if (callback === undefined) return rejection(400, "INVALID_REQUEST");
    const outcome = await this.#options.storage.transaction<Outcome>(merchant.code, callback.playerId, async (books) =>
      callback.action === "balance" ? balanceOf(books, callback, currency) : apply(books, callback, currency),
    );
    if (!outcome.ok) return rejection(200, outcome.error);
    // The decimal is written as a JSON number, digit by digit.
    return { status: 200, body: `{"ok":true,"balance":${toDecimal(outcome.balance, currency)}}` };
  }
}

const rejection = (status: number, error: string): WalletReply => ({
  status,
  body: JSON.stringify({ ok: false, error }),
});

function checked(merchant: WalletMerchant): WalletMerchant {
  const { code, secrets, currency } = merchant;
  if (secrets.length === 0 || secrets.some((secret) => secret === ""))
    throw new TypeError(`Merchant ${code} needs a secret: secrets is an empty list, or has an empty text.`);
  if (!CURRENCIES.includes(currency))
    throw new TypeError(`Merchant ${code} has the currency ${currency}; it is one of ${CURRENCIES.join(", ")}.`);
  return merchant;
}
