import { type Result, refuse } from "../../domain/errors.ts";
import { StoreUnavailable } from "../../ports/store-unavailable.ts";
import type { Telemetry } from "../../ports/telemetry.ts";

/** Runs a use case; a database that can't serve becomes the refusal SERVICE_UNAVAILABLE. Anything else that is thrown is a bug and stays one. */
export async function refuseWhenUnavailable<T>(telemetry: Telemetry, what: string, run: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause;
    telemetry.error(what, cause);
    return refuse("SERVICE_UNAVAILABLE");
  }
}
