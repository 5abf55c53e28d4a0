import type { FieldFault } from "../errors.ts";

/** What each field of a record must be, in the order in which faults are told: the wire's field name, the rule in words, the check. */
export type Rules<T> = readonly (readonly [field: string, rule: string, accepts: (record: T) => boolean])[];

/** A fault for people who administer the service; they read the rule. */
export const fieldFault = (field: string, rule: string): FieldFault => ({ field, rule, message: `${field}: ${rule}.` });

/** Every fault of the record at once. */
export const faultsOf = <T>(rules: Rules<T>, record: T): FieldFault[] =>
  rules.filter(([, , accepts]) => !accepts(record)).map(([field, rule]) => fieldFault(field, rule));

/** So many faults a refusal lists, and so many characters of a field's name: a request may invent thousands of fields, or one of 64 KiB. */
export const FAULTS_LISTED = 50;
const FIELD_SHOWN = 128;

/** The faults as a refusal lists them: the first {@link FAULTS_LISTED}, then one entry that says how many more there are. */
export function listedFaults(faults: readonly FieldFault[]): FieldFault[] {
  const listed = faults.slice(0, FAULTS_LISTED).map((fault) => ({ ...fault, field: shown(fault.field) }));
  const more = faults.length - listed.length;
  return more === 0 ? listed : [...listed, { field: "...", rule: `${more} more`, message: `Há mais ${more} campos inválidos, que não foram listados.` }];
}

const shown = (field: string): string => (field.length <= FIELD_SHOWN ? field : `${field.slice(0, FIELD_SHOWN).toWellFormed()}...`);
