import { type Result, refuse } from "../../domain/errors.ts";
import { StoreUnavailable } from "../../ports/store-unavailable.ts";
import type { LogIds, Telemetry } from "../../ports/telemetry.ts";
import { LineLocked } from "../../ports/transactions/transaction-store.ts";

/**
 * Runs a use case and turns StoreUnavailable, also of a single line of a batch, into the refusal SERVICE_UNAVAILABLE. Any other error is a bug, and is
 * thrown to the caller.
 *
 * @param ids - those of the request, for the log.
 */
export async function refuseWhenUnavailable<T>(
  telemetry: Telemetry,
  what: string,
  run: () => Promise<Result<T>>,
  ids?: LogIds,
): Promise<Result<T>> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable || cause instanceof LineLocked)) throw cause;
    telemetry.error(what, cause, ids);
    return refuse("SERVICE_UNAVAILABLE");
  }
}
