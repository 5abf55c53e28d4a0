import { ok, type Result, refuse } from "../domain/errors.ts";
import { type IpRange, isListed, parseIpRange } from "../domain/ip-list.ts";
import { isFresh, isNonce, isTimestamp, type Signable, TIMESTAMP_TOLERANCE_MS, verify } from "../domain/signing.ts";
import type { Clock } from "../ports/clock.ts";
import type { NonceStore } from "../ports/nonce-store.ts";
import type { Merchant } from "../ports/settings-store.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { Coalescer } from "./coalescer.ts";
import type { Settings } from "./settings.ts";

/** A request as it came in, before anything was made of it. */
export interface SignedRequest {
  /** Upper case. */
  readonly method: string;
  /** The raw request target from `/v1` on. */
  readonly target: string;
  /** Every line of each header, by lower-case name. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  /** The bytes as they were received, at most 64 KiB (check 1 is made while they are read). */
  readonly body: Uint8Array;
  /** The caller's address; forwarded ones are resolved already. */
  readonly address: string;
}

const HEADERS = ["X-Merchant-Id", "X-Timestamp", "X-Nonce", "X-Signature"] as const;

/** Signs for merchants that don't exist, so that they cost the same work as a wrong signature. */
const NOBODY: Pick<Merchant, "secret"> = { secret: "sk_0000000000000000000000000000000000000000000" };

interface NonceLine {
  readonly merchantId: number;
  readonly nonce: string;
}

/**
 * Who sends a signed request, or why nobody is believed (decisions: section 1, Order of authentication checks; the first
 * failure answers). Knows nothing of HTTP. Whatever can't be checked is refused.
 */
export class Authenticate {
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #nonces: Coalescer<NonceLine, boolean>;
  /** Parsed once per version of a merchant: settings replace the whole object. */
  readonly #ipLists = new WeakMap<Merchant, readonly IpRange[]>();

  constructor(settings: Settings, nonces: NonceStore, clock: Clock, telemetry: Telemetry) {
    this.#settings = settings;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#nonces = new Coalescer(
      (lines) => nonces.use(lines),
      ({ merchantId, nonce }) => `${merchantId}/${nonce}`,
      clock,
    );
  }

  async authenticate(request: SignedRequest): Promise<Result<Merchant>> {
    const given = readHeaders(request.headers);
    if (!given.ok) return given;
    const { merchantCode, timestamp, nonce, signature } = given.value;

    const stamped = this.#checkTimestamp(timestamp);
    if (!stamped.ok) return stamped;
    if (!isNonce(nonce)) return refuse("INVALID_NONCE", { field: "X-Nonce" });

    if (!(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const parts: Signable = { timestamp, nonce, method: request.method, target: request.target, body: request.body };
    const merchant = await this.#signer(merchantCode, parts, signature);
    if (merchant === undefined) return refuse("INVALID_SIGNATURE");

    if (!merchant.enabled) return refuse("MERCHANT_DISABLED");
    if (!this.#mayCallFrom(request.address, merchant)) return refuse("IP_NOT_ALLOWED", { details: { ip: request.address } });
    return this.#useNonce(merchant, nonce);
  }

  #checkTimestamp(timestamp: string): Result<void> {
    if (!isTimestamp(timestamp)) {
      const inSeconds = /^[0-9]{10}$/.test(timestamp);
      return refuse("INVALID_TIMESTAMP", { field: "X-Timestamp", ...(inSeconds && { details: { hint: "milliseconds expected, these look like seconds" } }) });
    }
    const now = this.#clock.now();
    if (isFresh(Number(timestamp), now)) return ok(undefined);
    return refuse("TIMESTAMP_OUT_OF_RANGE", {
      field: "X-Timestamp",
      details: { server_time: now, received: Number(timestamp), tolerance_ms: TIMESTAMP_TOLERANCE_MS },
    });
  }

  /** The merchant whose signature this is. An unknown merchant and a wrong signature take the same steps. */
  async #signer(code: string, parts: Signable, signature: string): Promise<Merchant | undefined> {
    const merchant = this.#signedBy(code, parts, signature);
    if (merchant !== undefined) return merchant;
    // The merchant, or its secret, may be newer than what is known here.
    await this.#settings.lookAgain();
    return this.#signedBy(code, parts, signature);
  }

  #signedBy(code: string, parts: Signable, signature: string): Merchant | undefined {
    const merchant = this.#settings.merchant(code);
    const right = verify((merchant ?? NOBODY).secret, parts, signature);
    return right ? merchant : undefined;
  }

  #mayCallFrom(address: string, merchant: Merchant): boolean {
    if (merchant.ipList.length === 0) return true;
    let ranges = this.#ipLists.get(merchant);
    if (ranges === undefined) {
      ranges = merchant.ipList.map(parseIpRange).filter((range) => range !== undefined);
      this.#ipLists.set(merchant, ranges);
    }
    return isListed(ranges, address);
  }

  /** The last check, so that nothing is stored for a request that is refused anyway. */
  async #useNonce(merchant: Merchant, nonce: string): Promise<Result<Merchant>> {
    try {
      return (await this.#nonces.add({ merchantId: merchant.id, nonce })) ? ok(merchant) : refuse("NONCE_REUSED", { field: "X-Nonce" });
    } catch (cause) {
      this.#telemetry.error("nonce could not be stored", cause);
      return refuse("SERVICE_UNAVAILABLE");
    }
  }
}

interface SignatureHeaders {
  readonly merchantCode: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

function readHeaders(headers: SignedRequest["headers"]): Result<SignatureHeaders> {
  const values = HEADERS.map((name) => headers[name.toLowerCase()] ?? []);
  const missing = HEADERS.filter((_, i) => values[i]?.length !== 1 || values[i][0] === "");
  if (missing.length > 0) return refuse("AUTH_HEADERS_MISSING", { details: { missing } });
  const [merchantCode, timestamp, nonce, signature] = values.map(([value]) => value) as [string, string, string, string];
  return ok({ merchantCode, timestamp, nonce, signature });
}
