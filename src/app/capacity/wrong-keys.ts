import { networkOf } from "../../domain/access/ip-list.ts";
import type { Rate } from "../../domain/access/token-bucket.ts";
import { type ErrorCode, type Result, refuse } from "../../domain/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KeyKind, Telemetry } from "../../ports/telemetry.ts";
import { Buckets } from "./buckets.ts";
import type { RateLimits } from "./rate-limits.ts";

/** So many wrong keys of one address are a log line each, and the last of them an alert. Then ten an hour. */
const LOGGED_PER_ADDRESS = 10;
const LOGGED_RATE: Rate = { perSecond: LOGGED_PER_ADDRESS / 3_600, capacity: LOGGED_PER_ADDRESS };

/**
 * What becomes of calls whose API key is missing or wrong. Each is counted; the log and an alert tell of an address that goes on; past the
 * limit of failed authentication they are no longer told apart. A right key never comes here, so it passes as ever.
 */
export class WrongKeys {
  readonly #limits: Pick<RateLimits, "wrongKey">;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #logged = new Buckets();

  constructor(limits: Pick<RateLimits, "wrongKey">, clock: Clock, telemetry: Telemetry) {
    this.#limits = limits;
    this.#clock = clock;
    this.#telemetry = telemetry;
  }

  /** Refuses a call. @param keyKind - what the key was to open. */
  refuse(keyKind: KeyKind, address: string): Extract<Result<never>, { ok: false }> {
    const network = networkOf(address);
    const { taken, bucket } = this.#logged.take(`${network} ${keyKind}`, LOGGED_RATE, this.#clock.monotonic());
    this.#telemetry.wrongKey(keyKind, taken ? address : null);
    if (taken && bucket.tokens < 1) this.#telemetry.alert("wrong_keys", { door: keyKind, address });
    const code: ErrorCode = this.#limits.wrongKey(address, keyKind).allowed ? "INVALID_API_KEY" : "RATE_LIMITED";
    return refuse(code);
  }
}
