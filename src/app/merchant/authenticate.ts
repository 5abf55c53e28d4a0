import { type IpRange, isListed, parseIpRange } from "../../domain/access/ip-list.ts";
import { type ErrorCode, ok, type Result, refuse } from "../../domain/errors.ts";
import { signatureFault } from "../../domain/signing/signature-fault.ts";
import {
  isFresh,
  isNonce,
  isTimestamp,
  type Signable,
  TIMESTAMP_TOLERANCE_MS,
  verify,
} from "../../domain/signing/signing.ts";
import type { Clock } from "../../ports/clock.ts";
import type { NonceStore } from "../../ports/nonce-store.ts";
import type { Merchant } from "../../ports/settings-store.ts";
import type { Telemetry } from "../../ports/telemetry.ts";
import type { OperationClass, Quota, RateLimits } from "../capacity/rate-limits.ts";
import { Coalescer } from "../runtime/coalescer.ts";
import type { Settings } from "../runtime/settings.ts";

/** A signed request as it was received, before any check. */
export interface SignedRequest {
  /** The HTTP method in upper case. */
  readonly method: string;
  /** The raw request target from `/v1` on. */
  readonly target: string;
  /** All values of each header, by lower-case name. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  /** The bytes of the body as they were received, at most 64 KiB. Check 1, the length, is made while they are read. */
  readonly body: Uint8Array;
  /** The caller's address, found with the help of forwarding headers. */
  readonly address: string;
  /** The class of operations whose rate limit the request counts for. */
  readonly operation: OperationClass;
}

/** The result of authentication: the merchant, or why the request is refused. */
export interface Admission {
  readonly caller: Result<Merchant>;
  /** The state of the merchant's limit; null: the request was refused before it was counted. */
  readonly quota: Quota | null;
  /** The seconds after which the request may be repeated; null: no limit refused it. */
  readonly retryAfterS: number | null;
}

interface Refused extends Admission {
  readonly caller: Extract<Result<Merchant>, { ok: false }>;
}

export interface AuthenticateOptions {
  /** Whether a refusal says why the signature is wrong. Always false in production. */
  readonly explains: boolean;
  /** The path of the public address before `/v1`. It is not part of the signed text. Empty: there is none. */
  readonly pathPrefix: string;
}

const HEADERS = ["X-Merchant-Id", "X-Timestamp", "X-Nonce", "X-Signature"] as const;

/**
 * Takes the place of a secret that does not exist. So a wrong signature costs the same time for every merchant: an
 * unknown merchant, or one with one or two secrets. A signature with this secret is never accepted.
 */
const NO_SECRET = "sk_0000000000000000000000000000000000000000000";
const NO_SECRETS = { current: null, next: null };

interface NonceLine {
  readonly merchantId: number;
  readonly nonce: string;
}

/**
 * Decides which merchant sent a signed request, or why the request is refused. docs/specification/signing.md#sign-order
 * has the checks and their order. The first check that fails decides the refusal. If a check can't be made, the request
 * is refused. This class does not depend on HTTP.
 */
export class Authenticate {
  readonly #settings: Settings;
  readonly #rateLimits: RateLimits;
  readonly #options: AuthenticateOptions;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #storeNonce: (line: NonceLine) => Promise<boolean>;
  /** Each merchant's IP list, parsed once. A changed merchant is a new object, so its new list is parsed. */
  readonly #ipLists = new WeakMap<Merchant, readonly IpRange[]>();

  constructor(
    settings: Settings,
    nonces: NonceStore,
    rateLimits: RateLimits,
    clock: Clock,
    telemetry: Telemetry,
    options: AuthenticateOptions,
  ) {
    this.#settings = settings;
    this.#rateLimits = rateLimits;
    this.#options = options;
    this.#clock = clock;
    this.#telemetry = telemetry;
    this.#storeNonce = new Coalescer(clock).batched(
      (lines) => nonces.use(lines),
      ({ merchantId, nonce }) => `${merchantId}/${nonce}`,
    );
  }

  /** Authenticates a request. Before its body is read, call {@link tooMany}. */
  async authenticate(request: SignedRequest): Promise<Admission> {
    const proven = await this.#verify(request);
    if (!proven.ok) return this.#countFailure(request, proven);

    const merchant = proven.value;
    if (!merchant.enabled) return refusedBeforeLimit(refuse("MERCHANT_DISABLED"));
    if (!this.#mayCallFrom(request.address, merchant))
      return refusedBeforeLimit(refuse("IP_NOT_ALLOWED", { details: { ip: request.address } }));
    const quota = this.#rateLimits.operation(merchant, request.operation);
    if (!quota.allowed) return { ...rateLimited(quota, request.operation), quota };
    return { caller: await this.#takeNonce(merchant, request.headers["x-nonce"]?.[0] ?? ""), quota, retryAfterS: null };
  }

  /** Counts a request of an address, signed or not. null: the address is within its limit. */
  tooMany(address: string): Refused | null {
    const fromHere = this.#rateLimits.address(address);
    return fromHere.allowed ? null : rateLimited(fromHere, "address");
  }

  /** The merchant that signed the request. Only after this check is the request counted for the merchant's limit. */
  async #verify(request: SignedRequest): Promise<Result<Merchant>> {
    const given = readHeaders(request.headers);
    if (!given.ok) return given;
    const { merchantCode, timestamp, nonce, signature } = given.value;

    const stamped = this.#checkTimestamp(timestamp);
    if (!stamped.ok) return stamped;
    if (!isNonce(nonce)) return refuse("INVALID_NONCE", { field: "X-Nonce" });

    if (!(await this.#settings.ensureFresh())) return refuse("SERVICE_UNAVAILABLE");
    const parts: Signable = { timestamp, nonce, method: request.method, target: request.target, body: request.body };
    const merchant = await this.#signer(merchantCode, parts, signature);
    return merchant === undefined ? this.#wrongSignature(merchantCode, parts, signature) : ok(merchant);
  }

  #wrongSignature(code: string, parts: Signable, signature: string): Result<never> {
    if (!this.#options.explains) return refuse("INVALID_SIGNATURE");
    const merchant = this.#settings.merchant(code);
    const reason = signatureFault({
      parts,
      signature,
      secrets: merchant && this.#settings.secretsOf(merchant),
      previousSecret: merchant?.previousSecret ?? null,
      pathPrefix: this.#options.pathPrefix,
    });
    return refuse("INVALID_SIGNATURE", { details: { reason } });
  }

  /**
   * Counts a failed authentication. Above the limit every failure gets the answer RATE_LIMITED. A request with a right
   * signature is still accepted.
   */
  #countFailure({ address, headers }: SignedRequest, failure: Extract<Result<Merchant>, { ok: false }>): Admission {
    if (!FAILURES.includes(failure.refusal.code)) return refusedBeforeLimit(failure);
    const failures = this.#rateLimits.failure(address, headers["x-merchant-id"]?.[0] ?? "");
    return failures.allowed ? refusedBeforeLimit(failure) : rateLimited(failures, "authentication");
  }

  #checkTimestamp(timestamp: string): Result<void> {
    if (!isTimestamp(timestamp)) {
      const inSeconds = /^[0-9]{10}$/.test(timestamp);
      return refuse("INVALID_TIMESTAMP", {
        field: "X-Timestamp",
        ...(inSeconds && { details: { hint: "milliseconds expected, these look like seconds" } }),
      });
    }
    const now = this.#clock.now();
    if (isFresh(Number(timestamp), now)) return ok(undefined);
    return refuse("TIMESTAMP_OUT_OF_RANGE", {
      field: "X-Timestamp",
      details: { server_time: now, received: Number(timestamp), tolerance_ms: TIMESTAMP_TOLERANCE_MS },
    });
  }

  /** The merchant that made this signature. An unknown merchant and a wrong signature cost the same steps. */
  async #signer(code: string, parts: Signable, signature: string): Promise<Merchant | undefined> {
    const merchant = this.#signedBy(code, parts, signature);
    if (merchant !== undefined) return merchant;
    // The merchant or its secret may have changed a moment ago, so the changed settings are read first.
    await this.#settings.readForUnknown();
    return this.#signedBy(code, parts, signature);
  }

  #signedBy(code: string, parts: Signable, signature: string): Merchant | undefined {
    const merchant = this.#settings.merchant(code);
    const { current, next } = merchant === undefined ? NO_SECRETS : this.#settings.secretsOf(merchant);
    if (verify(current ?? NO_SECRET, parts, signature) && current !== null) return merchant;
    return verify(next ?? NO_SECRET, parts, signature) && next !== null ? merchant : undefined;
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

  /** This is the last check, so that no nonce is stored for a request that another check refuses. */
  async #takeNonce(merchant: Merchant, nonce: string): Promise<Result<Merchant>> {
    try {
      return (await this.#storeNonce({ merchantId: merchant.id, nonce }))
        ? ok(merchant)
        : refuse("NONCE_REUSED", { field: "X-Nonce" });
    } catch (cause) {
      this.#telemetry.error("nonce could not be stored", cause);
      return refuse("SERVICE_UNAVAILABLE");
    }
  }
}

/** The refusals that count as failed authentication: those of checks 2 to 5. */
const FAILURES: readonly ErrorCode[] = [
  "AUTH_HEADERS_MISSING",
  "INVALID_TIMESTAMP",
  "TIMESTAMP_OUT_OF_RANGE",
  "INVALID_NONCE",
  "INVALID_SIGNATURE",
];

const refusedBeforeLimit = (caller: Result<Merchant>): Admission => ({ caller, quota: null, retryAfterS: null });

/** @param limit - the limit that refused the request. */
const rateLimited = ({ retryAfterS }: Quota, limit: OperationClass | "address" | "authentication"): Refused => ({
  caller: refuse("RATE_LIMITED", { details: { limit, retry_after_s: retryAfterS } }),
  quota: null,
  retryAfterS,
});

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
  const [merchantCode, timestamp, nonce, signature] = values.map(([value]) => value) as [
    string,
    string,
    string,
    string,
  ];
  return ok({ merchantCode, timestamp, nonce, signature });
}
