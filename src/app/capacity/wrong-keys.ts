import { networkOf } from "../../domain/access/ip-list.ts";
import type { Rate } from "../../domain/access/token-bucket.ts";
import { type ErrorCode, type Result, refuse } from "../../domain/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { KeyKind, Telemetry } from "../../ports/telemetry.ts";
import { Buckets } from "./buckets.ts";
import type { RateLimits } from "./rate-limits.ts";

/**
 * The first 10 wrong keys of an address are logged, and the tenth raises an alert. If more follow, at most 10 an hour
 * are logged, each with an alert.
 */
const LOGGED_PER_ADDRESS = 10;
const LOGGED_RATE: Rate = { perSecond: LOGGED_PER_ADDRESS / 3_600, capacity: LOGGED_PER_ADDRESS };

/**
 * Refuses calls whose API key is missing or wrong. Each call is counted in a metric. Some calls of each address are
 * logged, and repeated calls raise an alert. Above the limit of failed authentications the answer is RATE_LIMITED
 * instead of INVALID_API_KEY. A call with a right key is not counted here, so it is accepted even then.
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

  /**
   * Refuses one call.
   *
   * @param keyKind - the kind of key that the call needs.
   */
  refuse(keyKind: KeyKind, address: string): Extract<Result<never>, { ok: false }> {
    const network = networkOf(address);
    const { taken: isLogged, bucket } = this.#logged.take(
      `${network} ${keyKind}`,
      LOGGED_RATE,
      this.#clock.monotonic(),
    );
    this.#telemetry.wrongKey(keyKind, isLogged ? address : null);
    if (isLogged && bucket.tokens < 1) this.#telemetry.alert("wrong_keys", { key_kind: keyKind, address });
    const code: ErrorCode = this.#limits.wrongKey(address, keyKind).allowed ? "INVALID_API_KEY" : "RATE_LIMITED";
    return refuse(code);
  }
}
