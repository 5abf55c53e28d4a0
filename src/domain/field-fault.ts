import type { FieldFault } from "./errors.ts";

/** What each field of a record must be, in the order in which faults are told: the wire's field name, the rule in words, the check. */
export type Rules<T> = readonly (readonly [field: string, rule: string, accepts: (record: T) => boolean])[];

/** A fault for people who administer the service; they read the rule. */
export const fieldFault = (field: string, rule: string): FieldFault => ({ field, rule, message: `${field}: ${rule}.` });

/** Every fault of the record at once. */
export const faultsOf = <T>(rules: Rules<T>, record: T): FieldFault[] =>
  rules.filter(([, , accepts]) => !accepts(record)).map(([field, rule]) => fieldFault(field, rule));
