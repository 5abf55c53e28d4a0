import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { refuse } from "../../../domain/errors.ts";
import { fieldFault } from "../../../domain/values/field-fault.ts";
import { unwrap } from "../server/refusal-error.ts";

/** @param ms - milliseconds since 1970. */
export const toTimestamp = (ms: number): Timestamp => timestampFromMs(ms);

/** 9999-12-31T23:59:59.999Z, the last time that a Timestamp can contain. */
const LAST_MS = 253_402_300_799_999;

/** The rule of {@link isTime} in words. */
export const TIME_RULE = "a time from 1970 to 9999";
/** @param ms - milliseconds since 1970. */
export const isTime = (ms: number): boolean => ms >= 0 && ms <= LAST_MS;

/**
 * The time in milliseconds since 1970; `undefined`: the field is not set. Throws VALIDATION_ERROR for a time before
 * 1970 or after 9999.
 */
export function fromTimestamp(field: string, time: Timestamp | undefined): number | undefined {
  if (time === undefined) return undefined;
  const ms = timestampMs(time);
  return isTime(ms) ? ms : unwrap(refuse("VALIDATION_ERROR", { details: [fieldFault(field, TIME_RULE)] }));
}
