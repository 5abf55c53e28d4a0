export const SUCCESS = "SUCCESS";
/** The service's refusal when it is overloaded. The caller repeats the call a little later. */
export const OVERLOADED = "OVERLOADED";

/** No answer came before the caller's deadline. The service may have executed the call. */
export const TIMED_OUT = "timed out";

/** The result of a call. */
export interface CallResult {
  /** {@link SUCCESS}, PENDING, FAILED, the refusal's code, or a text for a missing answer. */
  readonly outcome: string;
  /** The kind of call, if a load makes calls of several kinds. */
  readonly kind?: string;
  /** The provider's own id, if the call has one. */
  readonly txId?: string;
  /** Whether the call is left out of the measured figures. */
  readonly notMeasured?: boolean;
}

/** Makes one call and passes its result to `done`. */
export type Call = (done: (result: CallResult) => void) => void;
