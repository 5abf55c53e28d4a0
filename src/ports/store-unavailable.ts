/**
 * The database serves nobody now, or nobody knows what became of the statement: callers are told SERVICE_UNAVAILABLE and may send the same
 * request again. Whatever else a store throws is a bug.
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
