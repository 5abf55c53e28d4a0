import { networkOf } from "../../domain/access/ip-list.ts";
import type { Rate } from "../../domain/access/token-bucket.ts";
import { type ErrorCode, type Result, refuse } from "../../domain/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Door, Telemetry } from "../../ports/telemetry.ts";
import { Buckets } from "./buckets.ts";
import type { Limits } from "./rate-limits.ts";

/** So many wrong keys of one address are a log line each, and the last of them an alert. Then ten an hour. */
const TOLD = 10;
const TOLD_RATE: Rate = { perSecond: TOLD / 3_600, capacity: TOLD };

/**
 * What becomes of calls whose API key is missing or wrong. Each is counted; the log and an alert tell of an address that goes on; past the
 * limit of failed authentication they are no longer told apart. A right key never comes here, so it passes as ever.
 */
export class WrongKeys {
  readonly #limits: Pick<Limits, "wrongKey">;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #told = new Buckets();

  constructor(limits: Pick<Limits, "wrongKey">, clock: Clock, telemetry: Telemetry) {
    this.#limits = limits;
    this.#clock = clock;
    this.#telemetry = telemetry;
  }

  /** Refuses a call. @param door - what the key was to open. */
  refuse(door: Door, address: string): Extract<Result<never>, { ok: false }> {
    const network = networkOf(address);
    const { taken, bucket } = this.#told.take(`${network} ${door}`, TOLD_RATE, this.#clock.monotonic());
    this.#telemetry.wrongKey(door, taken ? address : null);
    if (taken && bucket.tokens < 1) this.#telemetry.alert("wrong_keys", { door, address });
    const code: ErrorCode = this.#limits.wrongKey(address, door).allowed ? "INVALID_API_KEY" : "RATE_LIMITED";
    return refuse(code);
  }
}
