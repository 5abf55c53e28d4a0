export const SUCCESS = "SUCCESS";
/** The service's refusal when it takes no more: a caller comes again a little later. */
export const OVERLOADED = "OVERLOADED";

/** No answer by the caller's deadline: what was asked may have been done. */
export const TIMED_OUT = "timed out";

/** How a call ended. */
export interface Told {
  /** {@link SUCCESS}, PENDING, FAILED, the refusal's code, or what came instead of an answer. */
  readonly outcome: string;
  /** What was asked, where a load asks more than one thing. */
  readonly kind?: string;
  /** The provider's own id, where there is one. */
  readonly txId?: string;
  /** It is not one of those that are measured. */
  readonly aside?: boolean;
}

/** Asks one thing and tells how that ended. */
export type Call = (done: (told: Told) => void) => void;
