/**
 * The database cannot serve now, or the statement may or may not have been applied. Callers get SERVICE_UNAVAILABLE and
 * may send the same request again. Any other error of a store is a bug.
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
