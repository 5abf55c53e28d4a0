/**
 * Refusals: the error code, and what the caller is told beside it. The table of codes is contract/errors/.
 */

import { ERRORS, type ErrorCode } from "../../contract/errors/errors.ts";
import type { ErrorRow } from "../../contract/errors/row.ts";
import type { Texts } from "./values/language.ts";

export { ERRORS, type ErrorCode, type ExplainedCode } from "../../contract/errors/errors.ts";
export type { GrpcCode } from "../../contract/errors/row.ts";

/**
 * The texts of an error code. A code without texts is in no reply that the API's description lists. It gets the texts
 * of INTERNAL_ERROR.
 */
export function errorTexts(code: ErrorCode): Texts {
  const { text }: ErrorRow = ERRORS[code];
  return text ?? ERRORS.INTERNAL_ERROR.text;
}

/** One fault of a request's field, as `details` of VALIDATION_ERROR lists them. */
export interface FieldFault {
  readonly field: string;
  /** The rule that the field broke. Programs read it, and people who read logs or administer the service. */
  readonly rule: string;
  /** The text for people at a merchant. Absent: no REST reply has this fault. */
  readonly message?: Texts;
}

/** The reason why the service refuses a request. It is returned as a value, never thrown. */
export interface Refusal {
  readonly code: ErrorCode;
  /** The field that is wrong or differs, if there is one. */
  readonly field?: string;
  /** More facts for programs, by name. gRPC sends them in the metadata of ErrorInfo. */
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * The merchant's wallet is the reason: it gave no answer, or its calls in progress use all its permits. Metrics have
   * this, and callers do not get it.
   */
  readonly cause?: "wallet";
  /** Sent as `error.details` (REST). A long list of faults is shortened (values/field-fault.ts). */
  readonly details?: Readonly<Record<string, unknown>> | readonly FieldFault[];
}

/** A value, or the refusal if there is no value. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** Whether the details are the list of faults of a VALIDATION_ERROR. */
export const areFaults = (details: Refusal["details"]): details is readonly FieldFault[] => Array.isArray(details);

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const refuse = (code: ErrorCode, more: Omit<Refusal, "code"> = {}): { ok: false; refusal: Refusal } => ({
  ok: false,
  refusal: { code, ...more },
});
