import type { FieldFault } from "../errors.ts";
import { FAULT_TEXTS } from "../texts/fault-texts.ts";

/**
 * The rules of a record, in the order in which faults are listed. A rule is the field's name in the API, the rule as a
 * text, and the check.
 */
export type Rules<T> = readonly (readonly [field: string, rule: string, accepts: (record: T) => boolean])[];

/** A fault for administrators. They read `rule`, so it has no message in other languages. */
export const fieldFault = (field: string, rule: string): FieldFault => ({ field, rule });

/** All faults of the record. */
export const faultsOf = <T>(rules: Rules<T>, record: T): FieldFault[] =>
  rules.filter(([, , accepts]) => !accepts(record)).map(([field, rule]) => fieldFault(field, rule));

/** The largest number of faults that a refusal lists. A request may have thousands of unknown fields. */
export const FAULTS_LISTED = 50;
/** The largest number of characters of a field's name that a refusal shows. A name may have 64 KiB. */
const FIELD_SHOWN = 128;

/**
 * The faults as a refusal lists them: the first {@link FAULTS_LISTED}, then one entry with the number of the other
 * faults.
 */
export function listedFaults(faults: readonly FieldFault[]): FieldFault[] {
  const listed = faults.slice(0, FAULTS_LISTED).map((fault) => ({ ...fault, field: shown(fault.field) }));
  const more = faults.length - listed.length;
  return more === 0 ? listed : [...listed, { field: "...", rule: `${more} more`, message: FAULT_TEXTS.more(more) }];
}

const shown = (field: string): string =>
  field.length <= FIELD_SHOWN ? field : `${field.slice(0, FIELD_SHOWN).toWellFormed()}...`;
